import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { BadRequest } from '../../contract/server-failures.ts';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import { findNameFault } from '../../domain/names.ts';
import { identityOf } from '../clusters/client-pool.ts';
import { serverFailure } from '../failures.ts';
import { gzipped, takesGzip } from '../ndjson/compress.ts';
import { NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import { namespaceNotAllowed } from '../security/guard-namespaces.ts';
import type { ClientLease, OpenStream, Services } from '../services.ts';
import { ownNamespaceOf } from '../session/person-of.ts';
import { WorkloadFeed } from './workload-feed.ts';
import { WorkloadView } from './workload-view.ts';

/** The server may watch each of them separately, kind by kind; a person with more namespaces should request all. */
const MAX_NAMESPACES = 2_000;

/** How long a feed without a page stays: a page that reloads, or returns from the logs, reads nothing again. */
export const REST_MS = 30_000;

/** `GET /contexts/{context}/workloads`: a snapshot, then changes. All tabs with the same credentials share one feed. */
export const answerWorkloads: MakeHandler<'GET /contexts/{context}/workloads'> = (services) => {
  const feeds = new Map<string, WorkloadFeed>();
  return async (context) => {
    const session = context.get('session');
    const name = context.req.valid('param').context;
    const namespaces = wantedNamespaces(
      context.req.valid('query').namespaces,
      services.settings.allowedNamespaces,
    );
    const lease = await services.clusters.client(name, session);
    let stream: OpenStream;
    try {
      stream = services.streams.open(session, 'workloads');
    } catch (error) {
      lease.release();
      throw error;
    }
    const key = `${identityOf(session)}\n${name}`;
    const shared = feeds.get(key);
    // A cluster with a changed connection (a renewed kubeconfig) is watched again from the start.
    const isSame = shared?.client === lease.client;
    const feed: WorkloadFeed = isSame
      ? shared
      : openFeed(lease, services, ownNamespaceOf(session), () => {
          if (feeds.get(key) === feed) feeds.delete(key);
        });
    if (isSame) lease.release();
    feeds.set(key, feed);
    const { clock } = services;
    const answer = new NdjsonAnswer({ clock, stream, requestSignal: context.req.raw.signal, context });
    const wanted = new Set(namespaces);
    answer.add(
      new WorkloadView({
        feed,
        namespaces,
        isWanted: (namespace) => wanted.size === 0 || wanted.has(namespace),
        wake: answer.wake,
        onClose: () => {
          if (feed.isIdle) feed.rest(REST_MS);
        },
      }),
    );
    const vary = { ...NDJSON_HEADERS, vary: 'accept-encoding' };
    if (!takesGzip(context)) return streamed(context, answer.body(), vary);
    return streamed(context, gzipped(answer.body()), { ...vary, 'content-encoding': 'gzip' });
  };
};

function openFeed(
  { client, closed, release }: ClientLease,
  { clock, settings }: Services,
  ownNamespace: string | undefined,
  onClose: () => void,
): WorkloadFeed {
  const { allowedNamespaces } = settings;
  const feed = new WorkloadFeed({
    client,
    clock,
    allowedNamespaces,
    ownNamespace,
    onClose: () => {
      closed?.removeEventListener('abort', end);
      onClose();
      release();
    },
  });
  const end = () => feed.close();
  closed?.addEventListener('abort', end);
  return feed;
}

/**
 * Returns the namespaces that a page requests, comma-separated; none for all. `allowed` empty: any may be requested.
 * Throws CodedError `bad-request` for an invalid name, and `namespace-not-allowed`.
 */
export function wantedNamespaces(text: string | undefined, allowed: readonly string[]): readonly string[] {
  const names = [...new Set((text ?? '').split(',').flatMap((name) => name.trim() || []))];
  if (names.length > MAX_NAMESPACES) throw badNames({ problem: 'namespaces', limit: MAX_NAMESPACES });
  for (const name of names) {
    const fault = findNameFault(name, 'label');
    if (fault !== undefined) throw badNames({ problem: 'namespace-name', name: name.slice(0, 100), fault });
    if (!isNamespaceAllowed(allowed, name)) throw namespaceNotAllowed(name, allowed);
  }
  return names;
}

function badNames(problem: BadRequest): CodedError {
  return serverFailure('bad-request', problem);
}
