import type { AnswerOf, ArgumentsOf, FrameOf, RouteName, Routes } from './client-types.ts';
import type { WireError } from './error.ts';

/** Method and path of each route; that they are those of the contract, the types and a test see to. */
export const ENDPOINTS: { readonly [N in RouteName]: readonly [Routes[N]['method'], Routes[N]['path']] } = {
  healthz: ['get', '/healthz'],
  info: ['get', '/info'],
  pageToken: ['get', '/token'],
  signIn: ['post', '/sign-in'],
  signOut: ['post', '/sign-out'],
  contexts: ['get', '/contexts'],
  namespaces: ['get', '/contexts/{context}/namespaces'],
  workloads: ['get', '/contexts/{context}/workloads'],
  logs: ['post', '/contexts/{context}/logs'],
  download: ['get', '/contexts/{context}/logs/download'],
  access: ['post', '/contexts/{context}/access'],
};

/** The server refused or failed; `status` 0: it could not be reached, or its answer could not be read. */
export class ApiError extends Error {
  readonly status: number;
  readonly error: WireError;

  constructor(status: number, error: WireError) {
    super(error.what);
    this.name = 'ApiError';
    this.status = status;
    this.error = error;
  }
}

export interface ApiOptions {
  /** Where the server is mounted, without a slash at the end: '' or '/logs'. */
  readonly basePath: string;
  /** The page token for the header `x-logtool-token`. */
  token(): string;
  readonly fetch?: typeof fetch;
}

export interface ApiClient {
  /** One request with a JSON answer. Rejects with ApiError, or with the signal's reason. */
  ask<N extends RouteName>(
    name: N,
    args: ArgumentsOf<N> & { readonly signal?: AbortSignal },
  ): Promise<AnswerOf<N>>;
  /** A stream of frames, in arrays of those that came together. Throws ApiError when it is refused or breaks. */
  stream<N extends RouteName>(
    name: N,
    args: ArgumentsOf<N> & { readonly signal: AbortSignal },
  ): AsyncGenerator<readonly FrameOf<N>[], void, undefined>;
  /** URL of a route (for links). */
  url<N extends RouteName>(name: N, args: ArgumentsOf<N>): string;
}
