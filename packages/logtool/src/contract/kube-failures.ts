import { z } from '@hono/zod-openapi';
import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { Why } from './kube-problems.ts';
import { schemasOf } from './schemas-of.ts';

const text = z.string();
const names = z.array(text);

const RequestedObject = z.object({
  resource: text,
  subresource: text.optional(),
  namespace: text.optional(),
  name: text.optional(),
});

const RefusedRight = RequestedObject.extend({
  verb: text,
  singular: text.optional(),
  scope: z.enum(['namespace', 'all-namespaces', 'cluster']).optional(),
});

const ClusterTrouble = z.object({ server: text, context: text, user: text, why: Why });
const ClusterAnswer = z.object({ request: RequestedObject.optional(), server: text, why: Why });
const MissingApi = z.object({
  missing: z.literal('api'),
  request: RequestedObject.optional(),
  server: text,
  context: text,
  why: Why,
});
const Refusal = z.object({
  request: RequestedObject.optional(),
  right: RefusedRight.optional(),
  why: Why.optional(),
  check: text.optional(),
});

const NameList = z.object({ names, more: z.number() });
const MissingEntry = z.object({ context: text, name: text, file: text, existing: NameList });

const InClusterTrouble = z.discriminatedUnion('lacks', [
  z.object({ lacks: z.literal('address') }),
  z.object({ lacks: z.literal('valid-address'), url: text }),
  z.object({ lacks: z.literal('token'), file: text }),
  z.object({ lacks: z.literal('readable-file'), file: text, why: Why }),
]);

const CertificateTrouble = z.discriminatedUnion('problem', [
  z.object({ problem: z.literal('no-pem'), owner: text }),
  z.object({ problem: z.literal('other-key'), owner: text }),
  z.object({ problem: z.literal('encrypted-key'), owner: text }),
  z.object({ problem: z.literal('unusable'), owner: text, why: Why }),
  z.object({ problem: z.literal('lacks'), user: text, file: text, field: text }),
  z.object({ problem: z.literal('not-base64'), field: text, entry: text, file: text }),
  z.object({
    problem: z.literal('unreadable'),
    entry: text,
    field: text,
    file: text,
    path: text,
    why: Why,
  }),
]);

const PluginEnd = z.discriminatedUnion('end', [
  z.object({ end: z.literal('exit'), exitCode: z.number(), printed: text }),
  z.object({ end: z.literal('killed'), signal: text, printed: text }),
  z.object({ end: z.literal('not-started'), why: Why }),
  z.object({ end: z.literal('no-interpreter') }),
  z.object({ end: z.literal('too-long'), limitBytes: z.number() }),
]);

const PluginTrouble = z.discriminatedUnion('problem', [
  z.object({ problem: z.literal('answer'), plugin: text, why: Why }),
  z.object({ problem: z.literal('no-terminal'), plugin: text }),
  z.object({ problem: z.literal('run'), plugin: text, command: text, why: PluginEnd }),
]);

/** The data of each code of the Kubernetes client. */
export const KUBE_DATA = schemasOf<KubeFailures>()({
  // A kubeconfig, and the path to a server that it describes
  'bad-proxy-url': z.object({ from: text, url: text, problem: z.enum(['url', 'scheme']) }),
  'bad-server-url': z.object({
    cluster: text,
    file: text,
    url: text,
    problem: z.enum(['missing', 'url', 'scheme']),
  }),
  'in-cluster-missing': InClusterTrouble,
  'insecure-with-authority': z.object({ cluster: text, file: text }),
  'kubeconfig-invalid': z.object({ file: text, line: z.number().optional(), why: Why }),
  'kubeconfig-not-found': z.object({ files: names, from: z.enum(['explicit', 'KUBECONFIG', 'home']) }),
  'kubeconfig-unreadable': z.object({ file: text, why: Why, isForbidden: z.boolean() }),
  'missing-cluster': MissingEntry,
  'missing-user': MissingEntry,
  'no-current-context': z.object({ files: names, contexts: NameList }),
  'proxy-refused': z.object({ proxy: text, from: text, target: text, why: Why }),
  'thread-script-missing': z.object({ path: text }),
  'unknown-context': z.object({
    context: text,
    files: names,
    isCurrent: z.boolean(),
    contexts: NameList,
    near: text.optional(),
  }),

  // Authentication of a kubeconfig's user
  'auth-provider-removed': z.object({ provider: text }),
  'bad-certificate-data': CertificateTrouble,
  'bad-credentials': z.object({ field: text, file: text.optional() }),
  'bad-impersonation': z.object({}),
  'exec-plugin-failed': PluginTrouble,
  'exec-plugin-missing': z.object({
    plugin: text,
    file: text.optional(),
    path: text.optional(),
    installHint: text,
  }),
  'exec-plugin-not-allowed': z.object({
    program: text,
    file: text,
    policy: z.enum(['DenyAll', 'Allowlist']),
  }),
  'kuberc-invalid': z.object({ file: text, why: Why }),
  'oidc-refresh-failed': z.object({ issuer: text, why: Why }),
  'token-file-unreadable': z.object({ file: text, why: Why.optional() }),

  // A request to a cluster, and its answer
  conflict: ClusterAnswer,
  'connection-lost': ClusterTrouble,
  credentials: ClusterTrouble,
  dns: ClusterTrouble.extend({ hostname: text, systemCode: text }),
  forbidden: z.union([Refusal, MissingApi]),
  'forbidden-anonymous': z.object({ right: RefusedRight, why: Why }),
  gone: ClusterAnswer,
  'http-error': z.union([ClusterAnswer, MissingApi]),
  'namespace-leaving': z.object({ namespace: text }),
  'no-answer': ClusterTrouble,
  'not-admitted': z.object({ request: RequestedObject.optional(), why: Why }),
  'not-found': z.union([ClusterAnswer, MissingApi]),
  'protocol-error': ClusterAnswer,
  'refused-request': ClusterAnswer.extend({ isUnknownField: z.boolean() }),
  'server-error': ClusterAnswer,
  tls: ClusterTrouble,
  'tls-client-certificate': ClusterTrouble.extend({ isMissing: z.boolean() }),
  'tls-expired': ClusterTrouble,
  'tls-no-http1': ClusterTrouble,
  'tls-no-tls': ClusterTrouble,
  'tls-not-yet-valid': ClusterTrouble,
  'tls-unknown-authority': ClusterTrouble.extend({ tlsCode: text }),
  'tls-version': ClusterTrouble,
  'tls-wrong-host': ClusterTrouble,
  'too-many-requests': ClusterAnswer,
  unauthorized: ClusterTrouble.extend({ hasOwnToken: z.boolean() }),
  unexpected: z.object({ server: text.optional(), why: Why, isDefect: z.boolean() }),
  unreachable: z.union([
    ClusterTrouble.extend({ host: text, problem: z.enum(['refused', 'silent']) }),
    z.object({ problem: z.literal('timeout'), context: text, limitMs: z.number() }),
  ]),
});
