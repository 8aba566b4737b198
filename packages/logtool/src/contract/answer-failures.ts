import { z } from '@hono/zod-openapi';
import { NameFault } from './resolve-failures.ts';
import { schemasOf } from './schemas-of.ts';
import type { AnswerFailures } from './server-failures.ts';

const text = z.string();
const count = z.number();
const none = z.object({});

export const NamedContainer = z.object({ namespace: text, pod: text, container: text });
export const LongLine = z.object({ container: NamedContainer, at: text, bytes: count, limitBytes: count });

/** The data of each code that an answer of the dashboard's server can have. */
export const ANSWER_DATA = schemasOf<AnswerFailures>()({
  // Requests that the server does not answer
  'answer-too-slow': z.object({ limitMs: count }),
  'bad-query': z.object({
    problem: z.enum([
      'same-id',
      'ends-and-follows',
      'head-and-follows',
      'rotated-and-follows',
      'resumes-without-following',
    ]),
  }),
  'bad-request': z.discriminatedUnion('problem', [
    z.object({
      problem: z.enum(['form', 'download-json', 'download-query', 'download-follows']),
      why: text.optional(),
    }),
    z.object({ problem: z.literal('namespaces'), limit: count }),
    z.object({ problem: z.literal('namespace-name'), name: text, fault: NameFault }),
  ]),
  'bad-time': z.object({ text }),
  'body-too-large': z.object({ limitBytes: count, isSignIn: z.boolean() }),
  'body-too-slow': z.object({ limitMs: count }),
  closing: none,
  'context-not-found': z.object({ context: text }),
  'foreign-host': z.object({ host: text.optional() }),
  'foreign-origin': none,
  'long-lines': LongLine,
  'method-not-allowed': none,
  'namespace-not-allowed': z.object({ namespace: text.optional(), allowed: z.array(text) }),
  'no-such-route': z.object({ path: text, isApi: z.boolean() }),
  'page-not-built': none,
  'page-token': none,

  // Sign-in
  'no-cluster-for-sign-in': none,
  'no-sign-in': none,
  'no-token-in-address': none,
  'not-signed-in': none,
  'token-revoked': none,
  'wrong-token': z.object({ problem: z.enum(['other', 'unknown', 'form']) }),

  // Limits for one person, or for all together
  'too-many-bodies': z.object({ limitBytes: count }),
  'too-many-namespaces': z.object({ limit: count }),
  'too-many-open-sources': z.object({ count, limit: count }),
  'too-many-sign-ins': z.object({
    checksAtOnce: count,
    reason: z.discriminatedUnion('why', [
      z.object({ why: z.literal('connection') }),
      z.object({ why: z.literal('waiting-of-one'), limit: count, kind: z.enum(['person', 'address']) }),
      z.object({ why: z.literal('waiting'), limit: count }),
      z.object({ why: z.literal('no-turn'), limitMs: count }),
    ]),
  }),
  'too-many-sources': z.object({ count, limit: count }),
  'too-many-streams': z.discriminatedUnion('of', [
    z.object({ of: z.enum(['session', 'person', 'server']), limit: count }),
    z.object({ of: z.literal('share'), limit: count, share: count }),
  ]),
});
