import type { KubeObject, ReflectorEvent } from '../client.ts';
import type { KubeError } from '../errors.ts';
import { listConsistently } from '../rest/list.ts';
import { openWatch } from '../rest/watch.ts';
import { expectKubeError, type ReflectorContext, retryAfter, type Snapshot, waitAfter } from './context.ts';
import { poll } from './poll.ts';

/** A watch that ends sooner than this without a word is a failure: something between cuts every stream. */
const SHORT_WATCH_MS = 1_000;
/**
 * A watch that said nothing for this long, not even a bookmark, is not trusted: a server that was restored from a
 * backup is silent for every version from before. The list tells.
 */
const DOUBTFUL_SILENCE_MS = 120_000;
/** Failures in a row after which the version is no longer trusted. */
const RELIST_AFTER_FAILURES = 5;

/** Watches from the version of a snapshot on, over every end and failure of single watches. */
export async function* watchForEver<T extends KubeObject>(
  context: ReflectorContext,
  startVersion: string,
): AsyncGenerator<ReflectorEvent<T>, void> {
  const { wire, type, query, signal } = context;
  const { clock } = wire;
  let resourceVersion = startVersion;
  let failures = 0;
  /** Versions in a row that the server no longer had. */
  let expired = 0;
  let troubled = false;
  for (;;) {
    const openedAtMs = clock.steady();
    let received = 0;
    let relist: boolean;
    try {
      const watch = await openWatch<T>(wire, type, { ...query, resourceVersion }, { signal });
      try {
        if (troubled) yield { type: 'state', state: 'live' };
        troubled = false;
        for await (const event of watch.events) {
          received++;
          failures = 0;
          expired = 0;
          // An object without a version would send the next watch back to the beginning.
          resourceVersion = event.object.metadata.resourceVersion || resourceVersion;
          if (event.type === 'DELETED') yield { type: 'deleted', object: event.object };
          else if (event.type !== 'BOOKMARK') yield { type: 'changed', object: event.object };
        }
      } finally {
        watch.close();
      }
      const lastedMs = clock.steady() - openedAtMs;
      if (received === 0 && lastedMs < SHORT_WATCH_MS) await waitAfter(context, failures++);
      else failures = 0;
      relist = resourceVersion === '' || (received === 0 && lastedMs >= DOUBTFUL_SILENCE_MS);
    } catch (thrown) {
      const error = expectKubeError(context, thrown);
      if (mayNotWatch(error)) {
        yield* pollAnew<T>(context, error);
        return;
      }
      if (clock.steady() - openedAtMs >= DOUBTFUL_SILENCE_MS) failures = 0;
      relist = resourceVersion === '' || versionIsLost(error, failures);
      if (error.kind === 'gone' && expired++ === 0) {
        // The way of the world, and after a restart of the server a sign that it is back: nothing to wait for.
        failures = 1;
      } else {
        troubled = true;
        yield* retryAfter(context, failures++, error);
      }
    }
    if (relist) {
      const snapshot = yield* listUntilItWorks<T>(context);
      troubled ||= snapshot.troubled;
      resourceVersion = snapshot.resourceVersion;
      yield { type: 'snapshot', objects: snapshot.items };
    }
  }
}

/** What changed since the snapshot is found by a list, so the snapshot is taken anew. */
async function* pollAnew<T extends KubeObject>(
  context: ReflectorContext,
  refusal: KubeError,
): AsyncGenerator<ReflectorEvent<T>, void> {
  const { wire, type, query, signal, keep } = context;
  const snapshot = yield* listUntilItWorks<T>(context);
  yield { type: 'snapshot', objects: snapshot.items };
  yield* poll<T>(
    context,
    snapshot.items,
    () => listConsistently<T>(wire, type, query, { signal, keep }),
    refusal,
  );
}

async function* listUntilItWorks<T extends KubeObject>(
  context: ReflectorContext,
): AsyncGenerator<ReflectorEvent<T>, Snapshot<T> & { readonly troubled: boolean }> {
  const { wire, type, query, signal, keep } = context;
  for (let failures = 0; ; failures++) {
    try {
      const snapshot = await listConsistently<T>(wire, type, query, { signal, keep });
      return { ...snapshot, troubled: failures > 0 };
    } catch (thrown) {
      const error = expectKubeError(context, thrown);
      yield* retryAfter(context, failures, error);
    }
  }
}

/** No right to watch, or a resource that cannot be watched. */
function mayNotWatch(error: KubeError): boolean {
  return error.kind === 'forbidden' || error.status === 405;
}

/** Whether to list anew instead of asking for the same version again. */
function versionIsLost(error: KubeError, failures: number): boolean {
  switch (error.kind) {
    case 'gone':
    case 'protocol':
    case 'bad-request':
    case 'not-found':
    case 'conflict':
    case 'http':
      return true;
    case 'connection':
    case 'tls':
    case 'credentials':
    case 'unauthorized':
    case 'forbidden':
    case 'too-many-requests':
    case 'server':
      return failures >= RELIST_AFTER_FAILURES;
  }
}
