import type { z } from '@hono/zod-openapi';
import type { ROUTES } from './routes.ts';

/** The routes by name; types only, so that neither zod nor the schemas reach the browser. */
export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

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

type RequestPart<N extends RouteName> = Routes[N] extends { request: infer Q } ? Q : Record<never, never>;

/** Parameters in the path, query and JSON body that a route takes, as the caller gives them. */
export type ArgumentsOf<N extends RouteName> = (RequestPart<N> extends {
  params: infer P extends z.ZodType;
}
  ? { readonly params: z.input<P> }
  : Record<never, never>) &
  (RequestPart<N> extends { query: infer Q extends z.ZodType }
    ? { readonly query?: { readonly [K in keyof z.input<Q>]?: string } }
    : Record<never, never>) &
  (RequestPart<N> extends {
    body: { content: { 'application/json': { schema: infer B extends z.ZodType } } };
  }
    ? { readonly body: z.input<B> }
    : Record<never, never>);
