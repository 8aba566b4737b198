import { setImmediate } from 'node:timers';

/** Pieces of work that are done before everything else has its turn. */
const MAX_AT_ONCE = 4;

let left = MAX_AT_ONCE;
let waiting: (() => void)[] = [];
let isDue = false;

/**
 * Waits until the event loop has a turn for one more piece of work: a request for hundreds of things at once
 * would otherwise delay all others. A few get theirs at once. The whole process waits in one line.
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
