import type { Clock } from './clock.ts';

/**
 * Runs a task for each item, at most `limit` at once; returns the results in the order of the items. Rejects with the
 * first failure, after the running tasks have settled.
 */
export async function inParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const indexed = items.map((item, index) => ({ item, index }));
  for await (const _ of asTheyCome(limit, indexed, async ({ item, index }) => {
    results[index] = await task(item);
  }));
  return results;
}

/**
 * Runs a task for each item, at most `limit` at once, and yields results as they complete. Ends at the first failure,
 * or when the consumer leaves, after the running tasks have settled.
 */
export async function* asTheyCome<Item, Result>(
  limit: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running = new Map<number, Promise<{ readonly id: number; readonly result: Result }>>();
  const start = (item: Item, id: number) =>
    running.set(
      id,
      task(item).then((result) => ({ id, result })),
    );
  const waiting = items.entries();
  try {
    for (;;) {
      while (running.size < Math.max(1, limit)) {
        const next = waiting.next();
        if (next.done === true) break;
        const [id, item] = next.value;
        start(item, id);
      }
      if (running.size === 0) return;
      const { id, result } = await Promise.race(running.values());
      running.delete(id);
      yield result;
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}

/** Marks that the wait took longer than `afterMs`. */
export const LATE = Symbol('late');

interface Patience {
  readonly clock: Clock;
  /** Undefined: no limit. */
  readonly afterMs: number | undefined;
  /** Ends what the items wait for, if the consumer leaves early. */
  readonly stop: () => void;
}

/** Yields items as they arrive, and `LATE` once if some are still missing after that time. */
export async function* orLate<T>(
  items: AsyncGenerator<T, void, undefined>,
  { clock, afterMs, stop }: Patience,
): AsyncGenerator<T | typeof LATE, void, undefined> {
  if (afterMs === undefined) {
    yield* items;
    return;
  }
  let cancel = () => {};
  let over: Promise<typeof LATE> | undefined = new Promise((resolve) => {
    cancel = clock.after(afterMs, () => resolve(LATE));
  });
  let next: Promise<IteratorResult<T, void>> | undefined;
  let isDone = false;
  try {
    for (;;) {
      next ??= items.next();
      const step = over === undefined ? await next : await Promise.race([next, over]);
      if (step === LATE) {
        over = undefined;
        yield LATE;
        continue;
      }
      next = undefined;
      isDone = step.done === true;
      if (step.done === true) return;
      yield step.value;
    }
  } catch (error) {
    isDone = true;
    throw error;
  } finally {
    cancel();
    if (!isDone) {
      stop();
      // The stopped item fails, and nobody needs it.
      await next?.catch(() => undefined);
      await items.return();
    }
  }
}
