import { identityOf } from '../clusters/client-pool.ts';
import { gzipped, takesGzip } from '../ndjson/compress.ts';
import { NDJSON_HEADERS, NdjsonAnswer, streamed } from '../ndjson/ndjson-answer.ts';
import type { MakeHandler } from '../routes/make-handler.ts';
import type { ClientLease, OpenStream, Services } from '../services.ts';
import { wantedNamespaces } from './wanted-namespaces.ts';
import { WorkloadFeed } from './workload-feed.ts';
import { WorkloadView } from './workload-view.ts';

/** A page that is reloaded, or comes back from the logs, finds the present list: nothing is read again. */
export const REST_MS = 30_000;

/** `GET /contexts/{context}/workloads`: a snapshot, then changes. All tabs that ask with the same credentials share one look. */
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
      : openFeed(lease, services, () => {
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
  onClose: () => void,
): WorkloadFeed {
  const { allowedNamespaces } = settings;
  const feed = new WorkloadFeed({
    client,
    clock,
    allowedNamespaces,
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
