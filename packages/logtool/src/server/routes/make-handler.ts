import type { RouteHandler } from '@hono/zod-openapi';
import type { RouteName, Routes } from '../../contract/routes.ts';
import type { ServerEnv, Services } from '../services.ts';
import type { SessionLayer } from '../session/session-layer.ts';

/** Creates the handler of one route; called once for each app. */
export type MakeHandler<N extends RouteName> = (
  services: Services,
  sessions: SessionLayer,
) => RouteHandler<Routes[N], ServerEnv>;
