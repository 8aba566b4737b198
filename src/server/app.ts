import { OpenAPIHono } from '@hono/zod-openapi';
import { answerFailure, answerInvalid } from './answer-failure.ts';
import { ROUTE_FILES } from './routes/route-files.ts';
import type { ServerEnv, Services } from './services.ts';

export interface AppOptions {
  readonly services: Services;
  /** Where the dashboard is mounted, without a slash at the end: '' or '/logs'. */
  readonly basePath: string;
}

/** The dashboard's server as a function from Request to Response: opens no socket (node.ts does). */
export function createApp({ services, basePath }: AppOptions): OpenAPIHono<ServerEnv> {
  const app = new OpenAPIHono<ServerEnv>();
  const api = new OpenAPIHono<ServerEnv>({ defaultHook: answerInvalid });
  for (const register of ROUTE_FILES) register(api, services);
  app.route(`${basePath}/api/v1`, api);
  app.onError((error, context) => answerFailure(error, context, services.logger));
  return app;
}
