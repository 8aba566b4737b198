import { ROUTES, type RouteName } from '../../contract/routes.ts';
import { answerFacts } from '../facts/facts-route.ts';
import { answerWhy } from '../facts/why-route.ts';
import { answerDownload } from '../logs/download-route.ts';
import { answerLogs } from '../logs/logs-route.ts';
import { answerScan } from '../logs/scan-route.ts';
import type { Api, Services } from '../services.ts';
import type { SessionLayer } from '../session/session-layer.ts';
import { answerSignIn, answerSignOut } from '../session/sign-in-routes.ts';
import { answerWorkloads } from '../workloads/workloads-route.ts';
import { answerAccess } from './access.ts';
import { answerContexts } from './contexts.ts';
import { answerHealthz } from './healthz.ts';
import { answerInfo } from './info.ts';
import type { MakeHandler } from './make-handler.ts';
import { answerNamespaces } from './namespaces.ts';
import { answerPageToken } from './page-token.ts';

/** The handler of each route of the contract. A route without an entry does not compile. */
const HANDLERS: { readonly [N in RouteName]: MakeHandler<N> } = {
  'GET /healthz': answerHealthz,
  'GET /info': answerInfo,
  'GET /token': answerPageToken,
  'POST /sign-in': answerSignIn,
  'POST /sign-out': answerSignOut,
  'GET /contexts': answerContexts,
  'GET /contexts/{context}/namespaces': answerNamespaces,
  'GET /contexts/{context}/workloads': answerWorkloads,
  'POST /contexts/{context}/logs': answerLogs,
  'POST /contexts/{context}/scan': answerScan,
  'POST /contexts/{context}/facts': answerFacts,
  'POST /contexts/{context}/why': answerWhy,
  'GET /contexts/{context}/logs/download': answerDownload,
  'POST /contexts/{context}/access': answerAccess,
};

/** Registers every route of the contract. */
export function registerRoutes(api: Api, services: Services, sessions: SessionLayer): void {
  for (const name of Object.keys(HANDLERS) as RouteName[]) registerRoute(name, api, services, sessions);
}

export function registerRoute<N extends RouteName>(
  name: N,
  api: Api,
  services: Services,
  sessions: SessionLayer,
): void {
  api.openapi(ROUTES[name], HANDLERS[name](services, sessions));
}
