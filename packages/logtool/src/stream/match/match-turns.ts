import { setImmediate } from 'node:timers';
import { MAX_TURN_WORK } from './match-limits.ts';

/** Work after which to check the time. */
const CHECKED_WORK = 2 ** 18;
/** After matching for this long, everything else gets its turn. */
const TURN_MS = 5;

let unchecked = 0;
let startMs = 0;
let rest: Promise<void> | undefined;
/** Work in this turn that was granted to waiting callers, and that they may not have done yet. */
let granted = 0;

/**
 * Records work (size of the patterns times bytes) before it is done on the main thread. Returns a promise if everything
 * else must have its turn first: a reader of logs that are already in memory would otherwise never yield. Without one,
 * do the work at once.
 */
export function takeTurn(work: number): Promise<void> | undefined {
  return isOver(work) ? waitForTurn(work) : undefined;
}

function isOver(work: number): boolean {
  if (rest !== undefined) return true;
  unchecked += work;
  if (unchecked < CHECKED_WORK) return false;
  unchecked = 0;
  return performance.now() - startMs >= TURN_MS;
}

async function waitForTurn(work: number): Promise<void> {
  do {
    rest ??= new Promise((resolve) => {
      setImmediate(() => {
        rest = undefined;
        granted = 0;
        startMs = performance.now();
        resolve();
      });
    });
    await rest;
    // The first always gets its turn. Many may wait for the same one, and time passes only with their work.
  } while (granted > 0 && (granted >= MAX_TURN_WORK || isOver(work)));
  granted += work;
}
