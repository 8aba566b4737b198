import { OpenAPIHono } from '@hono/zod-openapi';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { MiddlewareHandler } from 'hono';
import { answerFailure, emptyApi } from './answer-failure.ts';
import type { MessageOf } from './failure-page.ts';
import { serverFailure } from './failures.ts';
import { registerRoutes } from './routes/handlers.ts';
import type { AllowedHosts } from './security/allowed-hosts.ts';
import { guardFetchSite, guardOrigin } from './security/guard-origin.ts';
import { limitBody } from './security/limit-body.ts';
import { logRequests } from './security/log-requests.ts';
import { guardPageToken } from './security/page-token.ts';
import { securityHeaders } from './security/security-headers.ts';
import type { ServerEnv, Services, Session } from './services.ts';
import { guardSession } from './session/guard-session.ts';
import type { SessionLayer } from './session/session-layer.ts';
import type { StaticFile } from './static/find-files.ts';
import { servePage } from './static/serve-page.ts';

export interface AppOptions {
  readonly services: Services;
  readonly sessions: SessionLayer;
  readonly hosts: AllowedHosts;
  /** The built page (static/find-files.ts). */
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Mount path of the dashboard, without a trailing slash: '' or '/logs'. */
  readonly basePath: string;
  /** Counts every answer. */
  readonly onAnswer?: MiddlewareHandler<ServerEnv> | undefined;
  /** The texts of the page that explains a foreign host; without it the answer is JSON. */
  readonly messageOf?: MessageOf | undefined;
}

/** For probes, which send requests to the pod itself, or through the route to the base path. */
const HEALTH = '/healthz';

/** Creates the dashboard's server as a function from Request to Response: opens no socket (node.ts does). */
export function createApp(options: AppOptions): OpenAPIHono<ServerEnv> {
  const { services, sessions, hosts, files, basePath, onAnswer, messageOf } = options;
  const { logger, clock } = services;
  const prefix = `${basePath}/api/v1`;
  const app = new OpenAPIHono<ServerEnv>();
  app.onError(async (error, context) => {
    const thrown = await whileSignedIn(error, context.get('session'), sessions);
    return answerFailure(thrown, context, logger, messageOf);
  });
  if (onAnswer !== undefined) app.use('*', onAnswer);
  const anyHost = [HEALTH, `${basePath}${HEALTH}`];
  app.use('*', securityHeaders(), logRequests(logger, clock), guardOrigin({ hosts, anyHost }));
  app.on('GET', anyHost, (context) => context.text('ok'));
  app.use(`${prefix}/*`, guardFetchSite(), refuseHead, guardSession(sessions, prefix));
  app.use(`${prefix}/*`, guardPageToken(prefix), limitBody(clock, prefix));
  app.route(prefix, createApi(options));
  app.all(`${prefix}/*`, (context) => {
    throw noSuchRoute(context.req.path);
  });
  servePage(app, { files, basePath, auth: services.settings.auth, sessions, logger });
  app.notFound((context) => answerFailure(noSuchRoute(context.req.path), context, logger));
  return app;
}

function createApi({ services, sessions, basePath }: AppOptions): OpenAPIHono<ServerEnv> {
  const api = emptyApi();
  registerRoutes(api, services, sessions);
  api.get('/openapi.json', (context) =>
    context.json(
      api.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'logtool', version: services.version },
        servers: [{ url: `${basePath}/api/v1` }],
      }),
    ),
  );
  return api;
}

/**
 * Checks whether the cluster refused the person's own token: that ends the session, and is not a failure of a cluster.
 */
async function whileSignedIn(
  error: Error,
  session: Session | undefined,
  sessions: SessionLayer,
): Promise<Error> {
  const refused = isKubeError(error) ? error : error.cause;
  if (session?.bearer === undefined || !isKubeError(refused, 'unauthorized')) return error;
  return (await sessions.stillGood(session)) ? error : tokenRevoked();
}

function tokenRevoked(): CodedError {
  return serverFailure('token-revoked', {});
}

/** Refuses HEAD. The framework answers it by running GET and dropping the body: a stream would run without a reader. */
async function refuseHead(context: { readonly req: { readonly method: string } }, next: () => Promise<void>) {
  if (context.req.method === 'HEAD') {
    throw serverFailure('method-not-allowed', {});
  }
  await next();
}

function noSuchRoute(path: string): CodedError {
  return serverFailure('no-such-route', { path: path.slice(0, 200), isApi: true });
}
