import type { KubeObject, ReflectorEvent } from '../client.ts';
import type { KubeError } from '../errors.ts';
import { listConsistently } from '../rest/list.ts';
import { openWatch } from '../rest/watch.ts';
import { sleep } from '../values/clock.ts';
import type { Backoff } from '../values/retry.ts';
import { expectKubeError, newBackoff, type ReflectorContext, retryAfter, type Snapshot } from './context.ts';
import { poll } from './poll.ts';

/**
 * A watch that ends sooner than this without an event is a failure: something between client and server cuts every
 * stream.
 */
const SHORT_WATCH_MS = 1_000;
/**
 * A watch without any event for this long, not even a bookmark, is suspect: a server restored from a backup sends
 * nothing for versions from before the restore. A new list decides.
 */
const DOUBTFUL_SILENCE_MS = 120_000;
/** Consecutive failures after which the version is no longer trusted. */
const RELIST_AFTER_FAILURES = 5;

/** How one watch ended. */
type WatchEnd =
  /** `error` is undefined if the server itself ended the watch. */
  | { readonly type: 'ended'; readonly error: KubeError | undefined; readonly received: number }
  | { readonly type: 'refused'; readonly error: KubeError };

/** Watches from a snapshot's version, and continues after every end and failure of single watches. */
export function keepWatching<T extends KubeObject>(
  context: ReflectorContext,
  startVersion: string,
): AsyncGenerator<ReflectorEvent<T>, void> {
  return new WatchSeries<T>(context, startVersion).events();
}

/** The watches of one reflector, in sequence. */
class WatchSeries<T extends KubeObject> {
  readonly #context: ReflectorContext;
  #resourceVersion: string;
  readonly #backoff: Backoff;
  /** How many consecutive times the server no longer had the version. */
  #expired = 0;
  /** Whether the last reported state was not `live`. */
  #isTroubled = false;

  constructor(context: ReflectorContext, startVersion: string) {
    this.#context = context;
    this.#backoff = newBackoff(context);
    this.#resourceVersion = startVersion;
  }

  async *events(): AsyncGenerator<ReflectorEvent<T>, void> {
    const { clock } = this.#context.wire;
    for (;;) {
      const openedAtMs = clock.steady();
      const end = yield* this.#watchOnce();
      if (end.type === 'refused') {
        yield* pollAnew<T>(this.#context, end.error);
        return;
      }
      const lastedMs = clock.steady() - openedAtMs;
      const mustRelist = this.#resourceVersion === '' || this.#isVersionLost(end, lastedMs);
      yield* this.#waitAfter(end, lastedMs);
      if (mustRelist) yield* this.#relist();
    }
  }

  async *#watchOnce(): AsyncGenerator<ReflectorEvent<T>, WatchEnd> {
    const { wire, type, query, signal } = this.#context;
    let received = 0;
    try {
      const start = { ...query, resourceVersion: this.#resourceVersion };
      const watch = await openWatch<T>(wire, type, start, { signal });
      try {
        if (this.#isTroubled) yield { type: 'state', state: 'live' };
        this.#isTroubled = false;
        for await (const event of watch.events) {
          received++;
          this.#backoff.reset();
          this.#expired = 0;
          // With the empty version of an object without one, the next watch would start from the beginning.
          this.#resourceVersion = event.object.metadata.resourceVersion || this.#resourceVersion;
          if (event.type === 'DELETED') yield { type: 'deleted', object: event.object };
          else if (event.type !== 'BOOKMARK') yield { type: 'changed', object: event.object };
        }
      } finally {
        watch.close();
      }
    } catch (thrown) {
      const error = expectKubeError(this.#context, thrown);
      return mayNotWatch(error) ? { type: 'refused', error } : { type: 'ended', error, received };
    }
    return { type: 'ended', error: undefined, received };
  }

  /** Counts the end as a failure if it is one, and waits for the next attempt. */
  async *#waitAfter(
    { error, received }: Extract<WatchEnd, { readonly type: 'ended' }>,
    lastedMs: number,
  ): AsyncGenerator<ReflectorEvent<T>, void> {
    if (error === undefined) {
      if (received > 0 || lastedMs >= SHORT_WATCH_MS) return this.#backoff.reset();
      const { wire, signal } = this.#context;
      return sleep(wire.clock, this.#backoff.nextMs(), signal);
    }
    if (lastedMs >= DOUBTFUL_SILENCE_MS) this.#backoff.reset();
    if (error.kind === 'gone' && this.#expired++ === 0) {
      // Versions expire in normal operation, and after a restart an expired version shows that the server is back.
      return this.#backoff.reset(1);
    }
    this.#isTroubled = true;
    yield* retryAfter(this.#context, this.#backoff, error);
  }

  #isVersionLost(
    { error, received }: Extract<WatchEnd, { readonly type: 'ended' }>,
    lastedMs: number,
  ): boolean {
    const wasSilentLong = lastedMs >= DOUBTFUL_SILENCE_MS;
    if (error === undefined) return received === 0 && wasSilentLong;
    return versionIsLost(error, wasSilentLong ? 0 : this.#backoff.failures);
  }

  async *#relist(): AsyncGenerator<ReflectorEvent<T>, void> {
    const snapshot = yield* listUntilItWorks<T>(this.#context);
    this.#isTroubled ||= snapshot.troubled;
    this.#resourceVersion = snapshot.resourceVersion;
    yield { type: 'snapshot', objects: snapshot.items };
  }
}

/** Polls from a new snapshot, because only a list finds what changed since the last one. */
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
  const backoff = newBackoff(context);
  for (;;) {
    try {
      const snapshot = await listConsistently<T>(wire, type, query, { signal, keep });
      return { ...snapshot, troubled: backoff.failures > 0 };
    } catch (thrown) {
      const error = expectKubeError(context, thrown);
      yield* retryAfter(context, backoff, error);
    }
  }
}

/** Whether permission to watch is missing, or the resource does not support watches. */
function mayNotWatch(error: KubeError): boolean {
  return error.kind === 'forbidden' || error.status === 405;
}

/** Whether to list again instead of watching from the same version again. */
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
