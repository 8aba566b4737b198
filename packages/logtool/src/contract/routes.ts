import { type RouteConfig, z } from '@hono/zod-openapi';
import { AccessAnswer, AccessRequest, ContextList, Info, NamespaceList, PageToken } from './cluster.ts';
import { ErrorBody } from './error.ts';
import { FactsFrame, FactsQuery } from './facts.ts';
import { LogFrame, ScanFrame } from './log-frame.ts';
import { LogRequest } from './log-query.ts';
import { ScanQuery } from './scan-query.ts';
import { WhyAnswer, WhyQuery } from './why.ts';
import { WorkloadFrame } from './workload.ts';

const json = <S extends z.ZodType>(schema: S, description: string) => ({
  content: { 'application/json': { schema } },
  description,
});
const ndjson = <S extends z.ZodType>(schema: S, description: string) => ({
  content: { 'application/x-ndjson': { schema } },
  description,
});
const failure = json(ErrorBody, 'What went wrong');
const InContext = z.object({
  context: z
    .string()
    .min(1)
    .max(500)
    .openapi({ param: { name: 'context', in: 'path' } }),
});

/** No session is required. */
const OPEN: never[] = [];

/**
 * Every route below /api/v1, by its method and path: the one list from which the OpenAPI document, the
 * server's registration, the page's client and the tests' requests derive.
 */
const TABLE = {
  /** Reports that the server is up. Requires no sign-in. */
  'GET /healthz': {
    security: OPEN,
    responses: { 200: { content: { 'text/plain': { schema: z.string() } }, description: 'ok' } },
  },
  'GET /info': {
    responses: { 200: json(Info, 'The server and its settings'), default: failure },
  },
  /**
   * Returns a new page token, for a page whose server restarted. Answers only requests of the same origin.
   */
  'GET /token': {
    responses: { 200: json(PageToken, 'The token of this session'), default: failure },
  },
  /** Sign-in with a Kubernetes token (`--auth kubernetes`); sets the session's cookie. */
  'POST /sign-in': {
    security: OPEN,
    request: {
      body: {
        content: { 'application/json': { schema: z.object({ token: z.string().min(1).max(16_384) }) } },
        required: true,
      },
    },
    responses: { 200: json(PageToken, 'Signed in'), default: failure },
  },
  /** Ends the session and all its streams. */
  'POST /sign-out': {
    responses: { 204: { description: 'Signed out' }, default: failure },
  },
  /**
   * `check=NAME` checks now whether that cluster answers; `wait=REVISION` answers once there is a later one.
   */
  'GET /contexts': {
    request: {
      query: z.object({
        check: z.string().max(500).optional(),
        wait: z.coerce.number().int().nonnegative().optional(),
      }),
    },
    responses: { 200: json(ContextList, 'The contexts of the kubeconfig'), default: failure },
  },
  'GET /contexts/{context}/namespaces': {
    request: { params: InContext },
    responses: { 200: json(NamespaceList, 'The namespaces of the cluster'), default: failure },
  },
  /** Sends a snapshot, then live changes. `namespaces`: comma-separated; absent means all. */
  'GET /contexts/{context}/workloads': {
    request: {
      params: InContext,
      query: z.object({ namespaces: z.string().max(20_000).optional() }),
    },
    responses: { 200: ndjson(WorkloadFrame, 'Frames, one a line'), default: failure },
  },
  /** The records of several queries in one stream. */
  'POST /contexts/{context}/logs': {
    request: {
      params: InContext,
      body: { content: { 'application/json': { schema: LogRequest } }, required: true },
    },
    responses: { 200: ndjson(LogFrame, 'Frames, one a line'), default: failure },
  },
  /** Reads a whole range for its counts and matches, even if the page holds only a part. */
  'POST /contexts/{context}/scan': {
    request: {
      params: InContext,
      body: { content: { 'application/json': { schema: ScanQuery } }, required: true },
    },
    responses: { 200: ndjson(ScanFrame, 'Frames, one a line'), default: failure },
  },
  /**
   * Streams what happened in the cluster to everything the sources lead to: all that it still has of a range,
   * then later facts.
   */
  'POST /contexts/{context}/facts': {
    request: {
      params: InContext,
      body: { content: { 'application/json': { schema: FactsQuery } }, required: true },
    },
    responses: { 200: ndjson(FactsFrame, 'Frames, one a line'), default: failure },
  },
  /** Explains the state of the sources: the causes, with the facts and lines that prove them. */
  'POST /contexts/{context}/why': {
    request: {
      params: InContext,
      body: { content: { 'application/json': { schema: WhyQuery } }, required: true },
    },
    responses: { 200: json(WhyAnswer, 'The causes and their proof'), default: failure },
  },
  /**
   * Streams a window of logs as a file. A GET, because it is a link in the browser: `query` is a LogQuery as
   * JSON, `token` the page token. A failure in the middle breaks the transfer, so that an incomplete file
   * does not look complete.
   */
  'GET /contexts/{context}/logs/download': {
    request: {
      params: InContext,
      query: z.object({
        query: z.string().max(60_000),
        format: z.enum(['text', 'jsonl', 'csv']),
        token: z.string().max(500),
        name: z.string().max(200).optional(),
      }),
    },
    responses: {
      200: {
        content: {
          'text/plain': { schema: z.string() },
          'application/jsonl': { schema: z.string() },
          'text/csv': { schema: z.string() },
        },
        description: 'The records',
      },
      default: failure,
    },
  },
  'POST /contexts/{context}/access': {
    request: {
      params: InContext,
      body: { content: { 'application/json': { schema: AccessRequest } }, required: true },
    },
    responses: { 200: json(AccessAnswer, 'The missing permissions'), default: failure },
  },
} satisfies Readonly<Record<`${'GET' | 'POST'} /${string}`, Omit<RouteConfig, 'method' | 'path'>>>;

/** `METHOD /path`, a key of the table. */
export type RouteName = keyof typeof TABLE;

/** A row of the table with its method and path, in the framework's form. */
export type Route<N extends RouteName = RouteName> = (typeof TABLE)[N] & {
  readonly method: N extends `${infer Method} ${string}` ? Lowercase<Method> & ('get' | 'post') : never;
  readonly path: N extends `${string} ${infer Path}` ? Path : never;
};

export type Routes = { readonly [N in RouteName]: Route<N> };

export const ROUTES = Object.fromEntries(
  Object.entries(TABLE).map(([name, row]) => {
    const [method = '', path = ''] = name.split(' ');
    return [name, { ...row, method: method.toLowerCase(), path }];
  }),
  // The type has the same structure.
) as unknown as Routes;
