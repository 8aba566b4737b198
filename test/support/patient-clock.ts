import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';

/**
 * The machine's clock, with time limits ten times as long, so that a busy machine reads as much as a fast one. A node
 * that does not answer still runs into a limit. `now`: the time of day, in ms since the epoch.
 */
export function patientClock(now: () => number = systemClock.now): Clock {
  return {
    now,
    steady: () => systemClock.steady() / 10,
    after: (delayMs, callback) => systemClock.after(10 * delayMs, callback),
  };
}
