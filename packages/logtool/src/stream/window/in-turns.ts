import type { Frame } from '../../domain/frame.ts';

/**
 * Runs a task for each item, at most `limit` at once, and yields results as they come. The first failure ends it, once
 * the tasks under way have settled.
 */
export async function* inTurns<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<{ readonly id: number; readonly result: Result }>>();
  let next = 0;
  try {
    while (next < items.length || running.size > 0) {
      while (next < items.length && running.size < Math.max(1, limit)) {
        const id = next++;
        running.set(
          id,
          task(items[id]!).then((result) => ({ id, result })),
        );
      }
      const { id, result } = await Promise.race(running.values());
      running.delete(id);
      yield result;
    }
  } finally {
    await Promise.allSettled(running.values());
  }
}

/** Said before containers are read in turns, for whoever waits for their first record. */
export function turnsAhead(limit: number, total: number): Frame {
  const text = `reading ${limit} of ${total} containers at a time, in turns; --max-log-requests=${total} reads all at once`;
  return { type: 'progress', text, done: 0, total };
}
