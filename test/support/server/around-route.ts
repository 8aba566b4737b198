import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import type { RouteName } from '@logtool/logtool/src/contract/routes.ts';
import { answerFailure, emptyApi } from '@logtool/logtool/src/server/answer-failure.ts';
import { serverFailure } from '@logtool/logtool/src/server/failures.ts';
import { WindowsFirst } from '@logtool/logtool/src/server/logs/windows-first.ts';
import { registerRoute } from '@logtool/logtool/src/server/routes/handlers.ts';
import {
  type Api,
  type ClosingReason,
  type GuardedSource,
  type Services,
  type Session,
  StreamClosing,
} from '@logtool/logtool/src/server/services.ts';
import type { SessionLayer } from '@logtool/logtool/src/server/session/session-layer.ts';
import { KeptScans } from '@logtool/logtool/src/stream/kept/kept-scans.ts';

export interface ServicesAround extends Services {
  /** Number of leased clients. */
  readonly leases: number;
  /** Number of open streams. */
  readonly open: number;
  closeAll(reason: ClosingReason): void;
}

/** Returns the server around a route as far as routes can see it, with one context named `sim`. */
export function servicesAround(
  client: KubeClient,
  options: { readonly clock?: Clock; readonly allowedNamespaces?: readonly string[] } = {},
): ServicesAround {
  const streams = new Set<AbortController>();
  const allowed = options.allowedNamespaces ?? [];
  const clock = options.clock ?? systemClock;
  let leases = 0;
  return {
    clock,
    version: 'test',
    settings: { auth: 'none', allowedNamespaces: allowed, columns: ['timestamp'], isInCluster: false },
    clusters: {
      list: () => ({ revision: 0, contexts: [] }),
      check: async () => undefined,
      changed: async () => undefined,
      async client(context) {
        if (context !== 'sim') {
          throw serverFailure('context-not-found', { context });
        }
        leases++;
        let isOut = true;
        const release = () => {
          if (isOut) leases--;
          isOut = false;
        };
        return { client, release };
      },
    },
    streams: {
      open() {
        const abort = new AbortController();
        streams.add(abort);
        return { signal: abort.signal, end: () => void streams.delete(abort) };
      },
    },
    keptScans: new KeptScans(clock),
    windowsFirst: new WindowsFirst(clock),
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    guardNamespaces: (sources, defaultNamespace) =>
      sources.map((argument) => guarded(argument, defaultNamespace, allowed)),
    get leases() {
      return leases;
    },

    get open() {
      return streams.size;
    },

    closeAll(reason) {
      for (const abort of [...streams]) abort.abort(new StreamClosing(reason));
    },
  };
}

function guarded(argument: string, defaultNamespace: string, allowed: readonly string[]): GuardedSource {
  const colon = argument.indexOf(':');
  const namespace = colon === -1 ? defaultNamespace : argument.slice(0, colon);
  if (allowed.length === 0 || allowed.includes(namespace)) return { argument, read: [argument] };
  if (namespace !== '*') throw serverFailure('namespace-not-allowed', { namespace, allowed });
  return { argument, read: allowed.map((name) => `${name}${argument.slice(colon)}`) };
}

const SESSION: Session = { id: 'session', pageToken: 'page-token' };

const NO_SESSIONS: SessionLayer = {
  find: async () => SESSION,
  signIn: () => Promise.reject(new Error('nobody signs in here')),
  signOut: () => Promise.reject(new Error('nobody signs out here')),
  stillGood: async () => true,
  close() {},
};

/** Returns one route as an app, without the guards that precede it. */
export function appOf(route: RouteName, services: Services, session: Session = SESSION): Api {
  const app = emptyApi();
  app.use(async (context, next) => {
    context.set('session', session);
    await next();
  });
  registerRoute(route, app, services, NO_SESSIONS);
  app.onError((error, context) => answerFailure(error, context, services.logger));
  return app;
}
