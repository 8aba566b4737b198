import { setImmediate } from 'node:timers';
import { MAX_TURN_WORK } from './match-limits.ts';

/** Work after which the time is looked at. */
const CHECKED_WORK = 2 ** 18;
/** Matching that goes on for so long lets everything else have its turn. */
const TURN_MS = 5;

let done = 0;
let unchecked = 0;
let startMs = 0;
let rest: Promise<void> | undefined;

/**
 * Notes work (size of the patterns times bytes) that is about to be done on the main thread. Gives a promise where
 * everything else must have its turn first: whoever reads logs that are at hand would else never let go. Not only time
 * counts: many may ask before any of them has done its work.
 */
export function takeTurn(work: number): Promise<void> | undefined {
  if (isOver(work)) return waitForTurn(work);
  done += work;
  return undefined;
}

function isOver(work: number): boolean {
  if (rest !== undefined || done >= MAX_TURN_WORK) return true;
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
        done = 0;
        startMs = performance.now();
        resolve();
      });
    });
    await rest;
  } while (isOver(work));
  done += work;
}
