import type { KubeClient, LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { AccessWithdrawn } from '../../stream/run/read-failure.ts';
import { groupsOf, ReviewRounds, verdictOn } from './review-rounds.ts';

/** Maximum of simultaneous access reviews. */
const REVIEWS_AT_ONCE = 16;

/**
 * Returns the same client, which reviews each minute whether its user may still read the followed logs. All streams of
 * the user share the reviews: one for the whole cluster if logs of several namespaces are open, then one for each
 * namespace, then one for each pod, because a role may name its pods. A refusal aborts the request with
 * AccessWithdrawn; the follower then retries and gets the cluster's own refusal. A failed review has no effect.
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
  readonly #rounds: ReviewRounds<FollowedLog>;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#rounds = new ReviewRounds(clock, (open, signal) => this.#review(open, signal));
  }

  /** Reviews only a request with a signal, which reports its end. */
  async open(query: LogQuery, signal: AbortSignal | undefined): Promise<LogResponse> {
    if (query.follow !== true || signal === undefined) return this.#client.log(query, { signal });
    const followed = { namespace: query.namespace, pod: query.pod, stop: new AbortController() };
    const forget = () => this.#rounds.forget(followed);
    this.#rounds.add(followed);
    signal.addEventListener('abort', forget, { once: true });
    try {
      return await this.#client.log(query, { signal: AbortSignal.any([signal, followed.stop.signal]) });
    } catch (error) {
      signal.removeEventListener('abort', forget);
      forget();
      throw error;
    }
  }

  /** Never rejects. */
  async #review(all: readonly FollowedLog[], signal: AbortSignal): Promise<void> {
    const namespaces = [...new Set(all.map(({ namespace }) => namespace))];
    if (namespaces.length > 1 && (await this.#verdict(signal)) === true) return;
    const verdicts = await inParallel(REVIEWS_AT_ONCE, namespaces, (name) => this.#verdict(signal, name));
    const refused = new Set(namespaces.filter((_, index) => verdicts[index] === false));
    const withdrawn = all.filter(({ namespace }) => refused.has(namespace));
    const byPod = groupsOf(withdrawn, ({ namespace, pod }) => `${namespace}/${pod}`);
    await inParallel(REVIEWS_AT_ONCE, byPod, async (logs) => {
      const [first] = logs;
      if (first === undefined) return;
      if ((await this.#verdict(signal, first.namespace, first.pod)) !== false) return;
      for (const { stop } of logs) stop.abort(new AccessWithdrawn());
    });
  }

  /** Undefined: the cluster gave no verdict. */
  #verdict(signal: AbortSignal, namespace?: string, name?: string): Promise<boolean | undefined> {
    const log = { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace, name };
    return verdictOn(this.#client, log, signal);
  }
}
