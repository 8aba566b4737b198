import type { AccessReview } from '@logtool/kube/src/client.ts';
import { questionsOfLog } from '../../agent-api/review/questions.ts';
import { podNotFound } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { findNameFault } from '../../domain/names.ts';
import { readEntryOptions } from './entry-options.ts';
import { readLogOptions } from './log-options.ts';
import { openPodEntries } from './pod-entries.ts';
import { type LogReading, openPodLog } from './pod-log.ts';
import { readSearchOptions } from './search-options.ts';

/** The names in the path of a request, decoded; nobody has checked that they are names. */
export interface RouteNames {
  readonly namespace: string;
  /** '' for a route of a whole namespace. */
  readonly pod: string;
}

/** What a route answers. */
export type RouteAnswer = { readonly status: Status } | OpenedAnswer;

export interface OpenedAnswer {
  readonly body: AsyncIterable<Uint8Array>;
  /** Words a failure at the end of the body; without it, a body that fails is cut. */
  readonly failureText?: ((status: Status) => Uint8Array) | undefined;
}

/** One path that the agent serves. */
export interface AgentRoute {
  /** Has the groups `namespace` and, for a route of one pod, `pod`. */
  readonly path: RegExp;
  /** What the caller must be allowed to do. */
  readonly questions: (names: RouteNames) => readonly AccessReview[];
  /** Answers a caller that may read. Throws what reading throws. */
  readonly open: (names: RouteNames, query: URLSearchParams, reading: LogReading) => Promise<RouteAnswer>;
}

const LOG: AgentRoute = {
  path: /^\/apis\/logtool\.dev\/v1alpha1\/namespaces\/(?<namespace>[^/]+)\/pods\/(?<pod>[^/]+)\/log$/,
  questions: ({ namespace, pod }) => questionsOfLog(namespace, pod),
  open: async (names, query, reading) => {
    // No such name exists, and none of the node's folders is asked for it.
    if (!isPodName(names)) return { status: podNotFound(names.pod) };
    if (query.get('format') === 'entries' || query.has('count')) return openEntries(names, query, reading);
    const options = readLogOptions(query, names.pod, reading.clock.now());
    return 'status' in options ? options : openPodLog(names, options, reading);
  },
};

/** What the agent serves; a request takes the first route with its path. */
const ROUTES: readonly AgentRoute[] = [LOG];

/** Returns the route of a path, and the names in it; undefined if there is none. */
export function routeOf(
  path: string,
): { readonly route: AgentRoute; readonly names: RouteNames } | undefined {
  for (const route of ROUTES) {
    const { namespace, pod = '' } = route.path.exec(path)?.groups ?? {};
    if (namespace === undefined) continue;
    try {
      return { route, names: { namespace: decodeURIComponent(namespace), pod: decodeURIComponent(pod) } };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function openEntries(
  names: RouteNames,
  query: URLSearchParams,
  reading: LogReading,
): Promise<RouteAnswer> | RouteAnswer {
  const options = readEntryOptions(query, names.pod);
  if ('status' in options) return options;
  const search = readSearchOptions(query, names.pod);
  if (search !== undefined && 'status' in search) return search;
  return openPodEntries(names, options, search, reading);
}

function isPodName({ namespace, pod }: RouteNames): boolean {
  return findNameFault(namespace, 'label') === undefined && findNameFault(pod, 'subdomain') === undefined;
}
