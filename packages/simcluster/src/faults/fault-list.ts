import type { Fault } from './fault.ts';

const WATCH_ONLY: readonly Fault['kind'][] = ['drop-watch', 'expire-watch'];

interface Armed {
  readonly fault: Fault;
  readonly pattern: RegExp | undefined;
  seen: number;
  hits: number;
}

/** The faults that wait for requests. */
export interface FaultList {
  inject(fault: Fault): void;
  clear(): void;
  readonly hits: number;
  /** Returns the faults that affect this request (`METHOD path?query`) and counts them. Some affect only watches. */
  take(request: string, isWatch: boolean): readonly Fault[];
  /** Calls back with every injected fault, because it may apply to running watches. */
  onInject(callback: (fault: Fault) => void): void;
  /** Counts a fault that took effect outside of take(). */
  countHit(fault: Fault): void;
}

/** Makes a list. Its inject() throws a SyntaxError for a pattern that is not a regular expression. */
export function createFaultList(): FaultList {
  let armed: Armed[] = [];
  let hits = 0;
  const callbacks: ((fault: Fault) => void)[] = [];
  const hit = (entry: Armed) => {
    entry.hits += 1;
    hits += 1;
  };
  const isSpent = ({ fault, hits: count }: Armed) => fault.times !== undefined && count >= fault.times;
  return {
    inject(fault) {
      const pattern = fault.match === undefined ? undefined : new RegExp(fault.match);
      armed.push({ fault, pattern, seen: 0, hits: 0 });
      for (const callback of callbacks) callback(fault);
    },

    clear() {
      armed = [];
    },

    get hits() {
      return hits;
    },

    take(request, isWatch) {
      const found: Fault[] = [];
      for (const entry of armed) {
        if (isSpent(entry) || entry.pattern?.test(request) === false) continue;
        if (!isWatch && WATCH_ONLY.includes(entry.fault.kind)) continue;
        entry.seen += 1;
        if (entry.seen <= (entry.fault.skip ?? 0)) continue;
        hit(entry);
        found.push(entry.fault);
      }
      armed = armed.filter((entry) => !isSpent(entry));
      return found;
    },

    onInject(callback) {
      callbacks.push(callback);
    },

    countHit(fault) {
      const entry = armed.find((candidate) => candidate.fault === fault);
      if (entry !== undefined) hit(entry);
      armed = armed.filter((candidate) => !isSpent(candidate));
    },
  };
}
