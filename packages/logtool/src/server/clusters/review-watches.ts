import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type {
  KubeClient,
  KubeObject,
  ListOptions,
  ReflectorEvent,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { backoffMs } from '@logtool/kube/src/values/retry.ts';
import { isType } from '../../resolve/track/roots.ts';
import { groupsOf, REVIEW_EVERY_MS, ReviewRounds, verdictOn } from './review-rounds.ts';

/** Namespaces, or kinds of the whole cluster, to review simultaneously. */
const GROUPS_AT_ONCE = 8;
/** Delay before retrying a refused list, and one that failed otherwise. */
const WITHDRAWN_POLICY = { waitsMs: [REVIEW_EVERY_MS] } as const;
const RELIST_POLICY = { waitsMs: [5_000] } as const;

type Query = Parameters<KubeClient['reflect']>[1];

/**
 * Returns the same client, which checks each minute whether its user may still list what it keeps up to date: an API
 * server checks a watch only when it begins, and serves it for many minutes. After a refusal it lists the collection
 * again: if the cluster refuses that too, the state has `isWithdrawn`, and it retries each minute. A failed review has
 * no effect.
 */
export function reviewWatches<C extends KubeClient>(client: C, clock: Clock): C {
  const reviews = new WatchReviews(client, clock);
  const reflect = <T extends KubeObject>(type: ResourceType, query: Query, options?: ListOptions) =>
    reviews.reflect<T>(type, query, options);
  return { ...client, reflect };
}

interface Watched {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly stop: AbortController;
}

class WatchReviews {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #rounds: ReviewRounds<Watched>;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#rounds = new ReviewRounds(clock, (open, signal) => {
      const groups = groupsOf(open, ({ namespace = '' }) => namespace);
      return inParallel(GROUPS_AT_ONCE, groups, (group) => this.#review(group, signal));
    });
  }

  async *reflect<T extends KubeObject>(
    type: ResourceType,
    query: Query,
    options: ListOptions = {},
  ): AsyncGenerator<ReflectorEvent<T>, void> {
    let hasBegun = false;
    do {
      const stop = new AbortController();
      try {
        for await (const event of this.#once<T>(type, query, options, stop)) {
          hasBegun = true;
          yield event;
        }
        if (!stop.signal.aborted) return;
      } catch (error) {
        if (!hasBegun || !isKubeError(error)) throw error;
        yield* this.#tryLater(error, options.signal);
      }
    } while (options.signal?.aborted !== true);
  }

  /** Ends when aborted, including by a refusal. */
  async *#once<T extends KubeObject>(
    type: ResourceType,
    query: Query,
    options: ListOptions,
    stop: AbortController,
  ): AsyncGenerator<ReflectorEvent<T>, void> {
    const { namespace, name } = query;
    const watched: Watched = { type, namespace, name, stop };
    const signal =
      options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    this.#rounds.add(watched);
    try {
      for await (const event of this.#client.reflect<T>(type, query, { ...options, signal })) {
        // The server checks each request while polling.
        if (event.type === 'state' && event.state === 'polling') this.#rounds.forget(watched);
        yield event;
      }
    } finally {
      this.#rounds.forget(watched);
    }
  }

  /** Throws nothing after the first snapshot: the reflector continues once the cluster allows it. */
  async *#tryLater(
    error: KubeError,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReflectorEvent<never>, void> {
    const isForbidden = isKubeError(error, 'forbidden');
    const policy = isForbidden ? WITHDRAWN_POLICY : RELIST_POLICY;
    const retryInMs = backoffMs(policy, 0, { atLeastMs: error.retryAfterMs });
    const state = { type: 'state', state: 'retrying', error, retryInMs } as const;
    yield isForbidden ? { ...state, isWithdrawn: true } : state;
    // Rejects only when nothing waits any more.
    await sleep(this.#clock, retryInMs, signal).catch(() => undefined);
  }

  /**
   * Reviews the watches of one namespace, or of the whole cluster; never rejects. Permission to list the pods of a
   * namespace stands for permission to read the rest of it: one review instead of one for each kind.
   */
  async #review(group: readonly Watched[], signal: AbortSignal): Promise<void> {
    const pods = group.find(({ type, namespace }) => namespace !== undefined && isType(type, PODS));
    if (pods !== undefined && (await this.#verdict({ ...pods, name: undefined }, signal)) === true) return;
    const alike = groupsOf(group, ({ type, name = '' }) => `${type.group}/${type.plural}/${name}`);
    for (const [first, ...others] of alike) {
      if (first === undefined || (await this.#verdict(first, signal)) !== false) continue;
      for (const { stop } of [first, ...others]) stop.abort();
    }
  }

  /** Undefined: the cluster gave no verdict. */
  #verdict({ type, namespace, name }: Watched, signal: AbortSignal): Promise<boolean | undefined> {
    const review = { verb: 'list', group: type.group, resource: type.plural, namespace, name };
    return verdictOn(this.#client, review, signal);
  }
}
