import type { ContextList } from '../../contract/cluster.ts';
import type { MakeHandler } from './make-handler.ts';

/** Maximum wait of a request for a change: shorter than the idle timeout of proxies. */
export const WAIT_MS = 25_000;

export const answerContexts: MakeHandler<'GET /contexts'> =
  ({ clusters, clock, streams, settings }) =>
  async (context) => {
    const { check, wait } = context.req.valid('query');
    const session = context.get('session');
    const gone = context.req.raw.signal;
    if (check !== undefined) await clusters.check(check, session, gone);
    if (wait !== undefined && check === undefined) {
      const stream = streams.open(session, 'contexts');
      const stop = new AbortController();
      const cancel = clock.after(WAIT_MS, () => stop.abort());
      try {
        await clusters.changed(wait, AbortSignal.any([gone, stream.signal, stop.signal]));
      } finally {
        cancel();
        stream.end();
      }
    }
    return context.json(shownOnly(clusters.list(session), settings.allowedNamespaces), 200);
  };

/** Removes the names of namespaces that the server does not show, including a context's own. */
function shownOnly(list: ContextList, allowed: readonly string[]): ContextList {
  if (allowed.length === 0) return list;
  const contexts = list.contexts.map(({ namespace, ...context }) =>
    namespace !== undefined && allowed.includes(namespace) ? { ...context, namespace } : context,
  );
  return { ...list, contexts };
}
