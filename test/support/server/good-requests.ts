import type { RouteName } from '@logtool/logtool/src/contract/routes.ts';

/** A request that its route answers successfully in the right session. */
export interface GoodRequest {
  readonly method: 'GET' | 'POST';
  /** Path below /api/v1. */
  readonly path: string;
  readonly body?: object;
  /** It continues until the client or the server ends it. */
  readonly isStream?: true;
}

/** Operations that need no session: their answers contain no user's data. */
export const OPEN_OPERATIONS = ['GET /healthz', 'POST /sign-in'] as const satisfies readonly RouteName[];

/** Every other operation of the OpenAPI document. */
type Guarded = Exclude<RouteName, (typeof OPEN_OPERATIONS)[number]> | 'GET /openapi.json';

const query = { id: 1, sources: ['deployments/web'], selection: { kind: 'tail', count: 5 } };

/** Returns one request for each operation of the OpenAPI document (`METHOD /path`), for the context `name`. */
export function goodRequests(name: string, pageToken: string): Readonly<Record<Guarded, GoodRequest>> {
  const at = `/contexts/${name}`;
  const download = new URLSearchParams({ format: 'text', token: pageToken, query: JSON.stringify(query) });
  return {
    'GET /info': { method: 'GET', path: '/info' },
    'GET /token': { method: 'GET', path: '/token' },
    'GET /contexts': { method: 'GET', path: `/contexts?check=${name}` },
    'GET /contexts/{context}/namespaces': { method: 'GET', path: `${at}/namespaces` },
    'GET /contexts/{context}/workloads': { method: 'GET', path: `${at}/workloads`, isStream: true },
    'POST /contexts/{context}/logs': {
      method: 'POST',
      path: `${at}/logs`,
      body: { queries: [{ ...query, follow: true }] },
      isStream: true,
    },
    'POST /contexts/{context}/scan': {
      method: 'POST',
      path: `${at}/scan`,
      body: { id: 1, sources: ['deployments/web'], bucketMs: 1000 },
      isStream: true,
    },
    'POST /contexts/{context}/facts': {
      method: 'POST',
      path: `${at}/facts`,
      body: { id: 1, sources: ['deployments/web'], follow: true },
      isStream: true,
    },
    'POST /contexts/{context}/why': {
      method: 'POST',
      path: `${at}/why`,
      body: { id: 1, sources: ['deployments/web'] },
    },
    'GET /contexts/{context}/logs/download': { method: 'GET', path: `${at}/logs/download?${download}` },
    'POST /contexts/{context}/access': {
      method: 'POST',
      path: `${at}/access`,
      body: { sources: ['deployments/web'] },
    },
    'GET /openapi.json': { method: 'GET', path: '/openapi.json' },
    // Last, because it ends the session.
    'POST /sign-out': { method: 'POST', path: '/sign-out' },
  };
}

/** The same operation in its streaming form. */
export const WAITING: GoodRequest = { method: 'GET', path: '/contexts?wait=1', isStream: true };
