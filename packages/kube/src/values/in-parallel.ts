/**
 * Runs a task for each item, at most `limit` at once; returns the results in the order of the items. The first failure
 * rejects it, once the tasks under way have settled.
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
 * Runs a task for each item, at most `limit` at once, and yields results as they come. The first failure ends it, once
 * the tasks under way have settled; so does a consumer that leaves.
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
