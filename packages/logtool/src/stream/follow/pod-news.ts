import { backoffMs } from '@logtool/kube/src/backoff.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import type { ReadContext } from '../read-context.ts';

/** How often a container that waits to start is looked at, if no event says that it did. */
const LONGEST_POLL_MS = 10_000;

/** What was asked for and what is told of it by events come so far apart at most. */
const LATEST_NEWS_MS = 2_000;

/** Events about one container, counted so that none is missed between a look and a wait. */
export class PodNews {
  #count = 0;
  #polls = 0;
  #wakeUp: (() => void) | undefined;
  #isOver = false;
  #onOver: (() => void) | undefined;

  get count(): number {
    return this.#count;
  }

  /** Something happened to the container, or it ended: its log may be gone soon. */
  came(isOver: boolean): void {
    this.#count++;
    this.#isOver = isOver;
    this.#wakeUp?.();
    if (isOver) this.#onOver?.();
  }

  /** Waits, at the longest until there is news that the container ended, or not at all where there was since `count`. */
  async unlessOver(
    context: ReadContext,
    count: number,
    wait: (context: ReadContext) => Promise<void>,
  ): Promise<void> {
    if (this.#isOver && this.#count !== count) return;
    const over = new AbortController();
    this.#onOver = () => over.abort();
    try {
      await wait({ ...context, signal: AbortSignal.any([context.signal, over.signal]) });
    } catch (error) {
      if (context.signal.aborted || !over.signal.aborted) throw error;
    } finally {
      this.#onOver = undefined;
    }
  }

  /** Resolves when something is true that news brings about, or when that should have come. */
  async until(context: ReadContext, isTrue: () => boolean): Promise<void> {
    const endMs = context.clock.steady() + LATEST_NEWS_MS;
    for (let leftMs = LATEST_NEWS_MS; leftMs > 0 && !isTrue(); leftMs = endMs - context.clock.steady())
      await this.wait(context, this.#count, leftMs);
  }

  /** Resolves when there was news since `count`, at the latest when it is time to look by oneself, or after `mostMs`. */
  async wait(context: ReadContext, count: number, mostMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#count !== count) return;
    const { signal, clock, random } = context;
    const waitMs = backoffMs(this.#polls++, { firstMs: 1_000, maxMs: LONGEST_POLL_MS, random });
    const done = new AbortController();
    this.#wakeUp = () => {
      this.#polls = 0;
      done.abort();
    };
    try {
      await sleep(clock, Math.min(waitMs, mostMs), AbortSignal.any([signal, done.signal]));
    } catch {
      if (signal.aborted) throw signal.reason;
    } finally {
      this.#wakeUp = undefined;
    }
  }
}
