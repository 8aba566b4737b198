import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { Hono, type MiddlewareHandler } from 'hono';
import { answerFailure } from '../../server/answer-failure.ts';
import { serverFailure } from '../../server/failures.ts';
import { allowedHosts } from '../../server/security/allowed-hosts.ts';
import { guardFetchSite, guardOrigin } from '../../server/security/guard-origin.ts';
import { MAX_BODY_BYTES } from '../../server/security/limit-body.ts';
import { securityHeaders } from '../../server/security/security-headers.ts';
import type { Logger, ServerEnv } from '../../server/services.ts';
import { isSameSecret } from '../../server/session/random-token.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { HttpSessions } from './http-sessions.ts';
import type { McpReader } from './reader.ts';

export interface HttpAppOptions {
  readonly reader: McpReader;
  readonly version: string;
  /** The address to listen on, one of the server's names. */
  readonly host: string;
  /** Grants a client access. */
  readonly token: string;
  readonly logger: Logger;
}

export const MCP_PATH = '/mcp';

export interface HttpApp {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
  /** Ends the calls in progress. */
  close(): Promise<void>;
}

/**
 * The protocol as a function from Request to Response, behind the guards of the dashboard: host and origin,
 * so that no page in a browser reaches it, and a token, so that no other user of the machine does.
 */
export function createHttpApp({ reader, version, host, token, logger }: HttpAppOptions): HttpApp {
  const create = () => createMcpServer(reader, version);
  const limits = { maxRequestBodySize: MAX_BODY_BYTES };
  const handler = createMcpHandler(create, { legacy: 'reject', onerror: reader.onError, ...limits });
  const sessions = new HttpSessions(create, reader.clock);
  const app = new Hono<ServerEnv>();
  app.onError((error, context) => answerFailure(error, context, logger));
  app.use('*', securityHeaders(), guardOrigin({ hosts: allowedHosts(host, []), anyHost: [] }));
  app.use('*', guardFetchSite(), guardToken(token));
  app.all(MCP_PATH, async ({ req: { raw } }) => {
    const isLegacy = await isLegacyRequest(raw, undefined, limits);
    return isLegacy ? sessions.fetch(raw) : handler.fetch(raw);
  });
  app.notFound((context) => {
    const failure = serverFailure('no-such-route', { path: context.req.path.slice(0, 200), isApi: true });
    return answerFailure(failure, context, logger);
  });
  return {
    fetch: (request, env) => app.fetch(request, env),
    async close() {
      await Promise.all([handler.close(), sessions.close()]);
    },
  };
}

/** RFC 6750, 2.1: accepts the token only in the header, because addresses are visible. */
function guardToken(token: string): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const [, given] = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(context.req.header('authorization') ?? '') ?? [];
    if (given === undefined) throw serverFailure('not-signed-in', {});
    if (!isSameSecret(given, token)) throw serverFailure('wrong-token', { problem: 'other' });
    await next();
  };
}
