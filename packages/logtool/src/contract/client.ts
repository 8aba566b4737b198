// Imports only types, so that neither zod nor the schemas reach the browser.
import type { z } from '@hono/zod-openapi';
import type { WireError } from './error.ts';
import type { RouteName, Routes } from './routes.ts';

type Content<R> = R extends { responses: { 200: { content: infer C } } } ? C : undefined;

/** Body of a route's 200 answer. */
export type AnswerOf<N extends RouteName> =
  Content<Routes[N]> extends { 'application/json': { schema: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;

/** One line of a route's NDJSON answer. */
export type FrameOf<N extends RouteName> =
  Content<Routes[N]> extends { 'application/x-ndjson': { schema: infer S extends z.ZodType } }
    ? z.output<S>
    : never;

type RequestSchemas<N extends RouteName> = Routes[N] extends { request: infer Q } ? Q : Record<never, never>;

/** A route's parameters in the path, query and JSON body, as the caller gives them. */
export type ArgumentsOf<N extends RouteName> = (RequestSchemas<N> extends {
  params: infer P extends z.ZodType;
}
  ? { readonly params: z.input<P> }
  : Record<never, never>) &
  (RequestSchemas<N> extends { query: infer Q extends z.ZodType }
    ? { readonly query?: { readonly [K in keyof z.input<Q>]?: string } }
    : Record<never, never>) &
  (RequestSchemas<N> extends {
    body: { content: { 'application/json': { schema: infer B extends z.ZodType } } };
  }
    ? { readonly body: z.input<B> }
    : Record<never, never>);

/** The server refused or failed; `status` 0 means that it was unreachable, or its answer unreadable. */
export class ApiError extends Error {
  readonly status: number;
  readonly error: WireError;

  constructor(status: number, error: WireError) {
    super(error.code);
    this.name = 'ApiError';
    this.status = status;
    this.error = error;
  }
}

export interface ApiOptions {
  /** Where the server is mounted, without a trailing slash: '' or '/logs'. */
  readonly basePath: string;
  /** Returns the page token for the header `x-logtool-token`. */
  token(): string;
  readonly fetch?: typeof fetch;
}

export interface ApiClient {
  /**
   * Sends one request with a JSON answer; `name` is `METHOD /path` of a route of the contract. Rejects with
   * ApiError, or with the signal's reason.
   */
  ask<N extends RouteName>(
    name: N,
    args: ArgumentsOf<N> & { readonly signal?: AbortSignal },
  ): Promise<AnswerOf<N>>;
  /**
   * Streams frames, in arrays of those that arrive together. Throws ApiError if the stream is refused or
   * breaks.
   */
  stream<N extends RouteName>(
    name: N,
    args: ArgumentsOf<N> & { readonly signal: AbortSignal },
  ): AsyncGenerator<readonly FrameOf<N>[], void, undefined>;
  /** Returns the URL of a route (for links). */
  url<N extends RouteName>(name: N, args: ArgumentsOf<N>): string;
}
