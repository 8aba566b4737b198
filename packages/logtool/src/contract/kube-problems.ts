import { z } from '@hono/zod-openapi';
import type { KubeProblem, KubeProblems, Why as KubeWhy } from '@logtool/kube/src/values/problems.ts';
import { schemasOf } from './schemas-of.ts';

const text = z.string();
const number = z.number();
const none = z.object({});

const FieldType = z.enum(['boolean', 'list', 'nothing', 'number', 'object', 'text']);
const FieldFault = z.discriminatedUnion('problem', [
  z.object({
    problem: z.literal('type'),
    expected: FieldType,
    found: FieldType,
    isUnquoted: z.boolean().optional(),
  }),
  z.object({ problem: z.literal('value'), expected: z.array(text), found: text }),
  z.object({ problem: z.literal('repeated'), name: text }),
  z.object({ problem: z.literal('not-set') }),
  z.object({ problem: z.literal('needed'), apiVersion: text }),
  z.object({ problem: z.literal('variable-name') }),
  z.object({ problem: z.literal('nul') }),
]);
const field = z.object({ path: text, fault: FieldFault });
const step = z.object({ step: z.enum(['connect', 'tls', 'proxy']), to: text });

/** The data of each problem that the Kubernetes client finds. */
const PROBLEM_DATA = schemasOf<KubeProblems>()({
  // A file, and a field of a kubeconfig
  'aliases-unfold': none,
  'bad-field': field,
  'file-changed': none,
  'file-not-editable': none,
  'file-forbidden': none,
  'file-is-folder': none,
  'file-missing': none,
  'file-too-large': z.object({ limitMib: number }),
  'nul-in-path': none,
  'not-utf8': none,
  'path-through-file': none,
  'silent-pipe': none,
  'system-error': z.object({ message: text }),
  'temporary-file-cut': none,
  'too-many-marks': none,
  'user-removed': none,

  // Authentication of a user
  'allowlist-empty': none,
  'allowlist-entry': none,
  'allowlist-without-policy': none,
  'bad-answer-field': field,
  'bad-expiry': z.object({ text }),
  'bad-plugin-policy': none,
  'discovery-unreadable': z.object({ status: number }),
  'half-certificate': none,
  'id-token-expired': none,
  'issuer-answered': z.object({ status: number, description: text.optional() }),
  'issuer-answer-too-long': none,
  'issuer-not-set': none,
  'issuer-silent': z.object({ limitMs: number }),
  'no-credentials': none,
  'no-id-token': none,
  'no-status': none,
  'not-a-preference': none,
  'not-a-url': z.object({ address: text }),
  'not-exec-credential': none,
  'other-exec-version': z.object({ asked: text, answered: text }),
  'other-kind': none,
  'other-kuberc-version': z.object({ expected: text }),
  'output-not-json': none,

  // The path to a server
  'answer-stopped': z.object({ afterMs: number }),
  'connection-closed': z.object({ step: step.optional() }),
  'connection-cut': none,
  'connection-ended': none,
  'connection-stuck': none,
  'no-answer-from': z.object({ host: text, limitMs: number }),
  'no-connection-to': z.object({ host: text, limitMs: number }),
  'ping-unanswered': z.object({ limitMs: number }),
  'proxy-answer-cut': none,
  'proxy-answer-endless': none,
  'proxy-answered': z.object({ status: text }),
  'proxy-closed': none,
  'proxy-not-http': none,
  'request-given-up': z.object({ reset: text }),
  'socks-answer': none,
  'socks-login-missing': none,
  'socks-login-refused': none,
  'socks-login-too-long': none,
  'socks-name-too-long': none,
  'socks-not-spoken': none,
  'socks-reply': z.object({ reply: number }),
  'step-silent': z.object({ step, limitMs: number }),
  'stream-reset': z.object({ reset: text }),

  // A server's answer
  anonymous: none,
  'answer-too-large': z.object({ limitBytes: number }),
  'bad-bookmark': none,
  'bad-compression': z.object({ why: text }),
  'bad-metadata': z.object({ field: text }),
  'bad-content-range': z.object({ text }),
  'bad-path-segment': z.object({ text }),
  'broken-json': z.object({ begin: text }),
  'empty-error-event': none,
  'encoding-unwanted': z.object({ encoding: text }),
  'line-too-long': z.object({ limitBytes: number }),
  'list-circle': none,
  'list-too-long': z.object({ pages: number }),
  'log-ended-early': none,
  'log-ended-in-line': none,
  'log-silent': z.object({ limitMs: number }),
  'name-missing': none,
  'no-log': z.object({ text }),
  'no-user': none,
  'no-verdict': none,
  'no-version': none,
  'not-a-list': none,
  'not-an-event': none,
  'not-json': z.object({ begin: text }),
  'not-read-only': z.object({ method: text, path: text }),
  redirect: z.object({ status: number, location: text }),
  status: z.object({ status: number }),
  'unknown-encoding': z.object({ encoding: text }),
});

/** Each is exactly one of KubeProblem: schemasOf checks the table. */
const Problem = z.union(
  Object.entries(PROBLEM_DATA).map(([code, data]) => z.object({ code: z.literal(code), data })),
) as unknown as z.ZodType<KubeProblem, KubeProblem>;

/** Why something failed: a text of a system or a server, or a code for what logtool found. */
export const Why: z.ZodType<KubeWhy, KubeWhy> = z
  .union([text, Problem])
  .openapi('Why', { description: 'A reason: the words of a system or a server, or a code with its data' });
