import type { KubeClient, LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { AccessWithdrawn } from '../../stream/run/stream-abort.ts';
import { inTurns } from './in-turns.ts';

/** A followed log ends this soon after the permission to read it was withdrawn; an API server never ends it. */
export const REVIEW_EVERY_MS = 60_000;
/** Access reviews sent to the cluster at once. */
const REVIEWS_AT_ONCE = 16;

/**
 * The same client, which reviews each minute whether its user may still read the logs that it follows. All streams of
 * the user share the reviews: one for the whole cluster where logs of several namespaces are open, then one for each
 * namespace, then, as a role may name its pods, one for each pod. A refusal aborts the request with AccessWithdrawn;
 * the follower asks again and gets the cluster's own refusal. A review that fails decides nothing.
 */
export function reviewFollowedLogs<C extends KubeClient>(client: C, clock: Clock): C {
  const reviews = new LogReviews(client, clock);
  return { ...client, log: (query, options) => reviews.open(query, options?.signal) };
}

interface FollowedLog {
  readonly namespace: string;
  readonly pod: string;
  readonly stop: AbortController;
}

class LogReviews {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #followed = new Set<FollowedLog>();
  #cancel: (() => void) | undefined;
  #round = new AbortController();

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Only a request that somebody can end is followed: its end is known by its signal. */
  async open(query: LogQuery, signal: AbortSignal | undefined): Promise<LogResponse> {
    if (query.follow !== true || signal === undefined) return this.#client.log(query, { signal });
    const followed = { namespace: query.namespace, pod: query.pod, stop: new AbortController() };
    const forget = () => this.#forget(followed);
    this.#followed.add(followed);
    this.#cancel ??= this.#schedule();
    signal.addEventListener('abort', forget, { once: true });
    try {
      return await this.#client.log(query, { signal: AbortSignal.any([signal, followed.stop.signal]) });
    } catch (error) {
      signal.removeEventListener('abort', forget);
      forget();
      throw error;
    }
  }

  #forget(followed: FollowedLog): void {
    this.#followed.delete(followed);
    if (this.#followed.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#round.abort();
  }

  #schedule(): () => void {
    return this.#clock.after(REVIEW_EVERY_MS, () => {
      // Reviews without an answer for a minute give way to new ones.
      this.#round.abort();
      this.#round = new AbortController();
      this.#cancel = this.#schedule();
      void this.#review(this.#round.signal);
    });
  }

  /** Never rejects. */
  async #review(signal: AbortSignal): Promise<void> {
    const all = [...this.#followed];
    const namespaces = [...new Set(all.map(({ namespace }) => namespace))];
    if (namespaces.length > 1 && (await this.#verdict(signal)) === true) return;
    const verdicts = await inTurns(namespaces, REVIEWS_AT_ONCE, (name) => this.#verdict(signal, name));
    const refused = new Set(namespaces.filter((_, index) => verdicts[index] === false));
    const byPod = new Map<string, FollowedLog[]>();
    for (const followed of all) {
      if (!refused.has(followed.namespace)) continue;
      const key = `${followed.namespace}/${followed.pod}`;
      byPod.set(key, [...(byPod.get(key) ?? []), followed]);
    }
    await inTurns([...byPod.values()], REVIEWS_AT_ONCE, async (logs) => {
      const [first] = logs;
      if (first === undefined) return;
      if ((await this.#verdict(signal, first.namespace, first.pod)) !== false) return;
      for (const { stop } of logs) stop.abort(new AccessWithdrawn());
    });
  }

  /** Undefined: the cluster gave none. */
  #verdict(signal: AbortSignal, namespace?: string, name?: string): Promise<boolean | undefined> {
    const log = { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace, name };
    // An outage withdraws nothing: the next round asks again.
    return this.#client.review(log, { signal }).catch(() => undefined);
  }
}
