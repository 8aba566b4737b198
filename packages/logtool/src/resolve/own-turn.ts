import { setImmediate } from 'node:timers';

/** Maximum number of pieces of work to do before everything else gets a turn. */
const MAX_AT_ONCE = 4;

let left = MAX_AT_ONCE;
let waiting: (() => void)[] = [];
let isDue = false;

/**
 * Waits until the event loop has a turn for one more piece of work. Without this, a request for hundreds of things at
 * once would delay all others. The first few start at once. The whole process shares one queue.
 */
export function ownTurn(): Promise<void> | undefined {
  if (!isDue) {
    isDue = true;
    setImmediate(nextTurn);
  }
  if (left > 0) {
    left--;
    return undefined;
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

function nextTurn(): void {
  const now = waiting.slice(0, MAX_AT_ONCE);
  waiting = waiting.slice(MAX_AT_ONCE);
  left = MAX_AT_ONCE - now.length;
  isDue = now.length > 0;
  if (isDue) setImmediate(nextTurn);
  for (const go of now) go();
}
