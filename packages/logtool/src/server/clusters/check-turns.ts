import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure, type TurnRefusal } from '../failures.ts';

/** Maximum of simultaneous token checks, so that guessing tokens does not burden the cluster. */
export const CHECKS_AT_ONCE = 32;
/** Share of these for people who are not signed in; the rest is reserved for signed-in people. */
const MAX_FROM_ADDRESSES = 28;
/** Share for addresses without a recent wrong token. */
const MAX_FROM_GOOD = 24;
/** Share for all addresses together that recently sent wrong tokens. */
const MAX_FROM_FAILED = 16;
/** Limit for one address, which may be a proxy for many people. */
export const MAX_OF_ADDRESS = 16;
/** Limit for one signed-in person. */
const MAX_OF_PERSON = 4;
/** Maximum waiting checks of one person or one address: enough for a burst from a proxy full of people. */
export const MAX_WAITING_OF_ONE = 128;
/** Maximum waiting checks of all addresses together, and of all signed-in people: the two have separate room. */
export const MAX_WAITING = 1_024;
/** Maximum wait for a turn. */
export const WAIT_MS = 20_000;
/** How long an address counts as one that sent a wrong token. */
export const FAILED_MS = 60_000;
/** Maximum number of such addresses. */
const MAX_REMEMBERED = 10_000;

/** The origin of a token check. */
export interface Asker {
  /** The person whose session the request carries, or whose stream needs it. */
  readonly person?: string | undefined;
  /** Address that the request comes from, as limits count it; a proxy's address if one is in between. */
  readonly address: string;
  /** A connection has one turn at a time, so that pipelined requests cannot bypass the limits. */
  readonly connection?: object | undefined;
  /** Aborted when nothing waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

type Rank = 'person' | 'good' | 'failed';
/** In order of priority. */
const RANKS: readonly Rank[] = ['person', 'good', 'failed'];

/** The running and waiting checks of one person or one address. */
interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Runs checks in turns: first those of signed-in people, then those of addresses that sent no wrong token
 * recently, then all others; within a rank, the one with the fewest running goes first. Only failures count
 * against an address, successes never do: behind a proxy, one attacker slows others down but locks nobody
 * out.
 */
export class CheckTurns {
  readonly #clock: Clock;
  /** By key; the one served last comes last. */
  readonly #lanes = new Map<string, Lane>();
  readonly #running: Record<Rank, number> = { person: 0, good: 0, failed: 0 };
  /** Until when an address counts as one that failed. */
  readonly #failed = new Map<string, number>();
  readonly #connections = new Set<object>();
  /** Number of waiting checks of signed-in people, and of addresses. */
  readonly #waiting = { person: 0, address: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs the work in its turn. Throws CodedError `too-many-sign-ins`, the signal's reason, and what the work throws.
   */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const { connection } = asker;
    if (connection !== undefined && this.#connections.has(connection)) throw tooMany({ why: 'connection' });
    if (connection !== undefined) this.#connections.add(connection);
    try {
      const end = await this.#turn(asker);
      try {
        return await work();
      } finally {
        end();
      }
    } finally {
      if (connection !== undefined) this.#connections.delete(connection);
    }
  }

  /** Records a wrong token. A signed-in person may mistype without affecting others. */
  failed({ person, address }: Asker): void {
    if (person !== undefined) return;
    this.#failed.delete(address);
    this.#failed.set(address, this.#clock.now() + FAILED_MS);
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > MAX_REMEMBERED && oldest !== undefined) this.#failed.delete(oldest);
  }

  #turn(asker: Asker): Promise<() => void> {
    const { signal } = asker;
    const key = keyOf(asker);
    const kind = asker.person === undefined ? 'address' : 'person';
    const ofOne = this.#lanes.get(key)?.waiting.size ?? 0;
    if (ofOne >= MAX_WAITING_OF_ONE)
      throw tooMany({ why: 'waiting-of-one', limit: MAX_WAITING_OF_ONE, kind });
    if (this.#waiting[kind] >= MAX_WAITING) throw tooMany({ why: 'waiting', limit: MAX_WAITING });
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const lane = this.#lanes.get(key) ?? { running: 0, waiting: new Set() };
      this.#lanes.set(key, lane);
      const leave = () => {
        lane.waiting.delete(start);
        this.#waiting[kind]--;
        cancel();
        signal?.removeEventListener('abort', giveUp);
      };
      const start = () => {
        leave();
        resolve(this.#begin(key, lane));
      };
      const stop = (reason: unknown) => {
        leave();
        this.#forgetIdle(key, lane);
        reject(reason);
      };
      const giveUp = () => stop(signal?.reason);
      const cancel = this.#clock.after(WAIT_MS, () => stop(tooMany({ why: 'no-turn', limitMs: WAIT_MS })));
      signal?.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(start);
      this.#waiting[kind]++;
      this.#serve();
    });
  }

  #begin(key: string, lane: Lane): () => void {
    const rank = this.#rankOf(key);
    this.#running[rank]++;
    lane.running++;
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    return () => {
      this.#running[rank]--;
      lane.running--;
      this.#forgetIdle(key, lane);
      this.#serve();
    };
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) next();
  }

  /** Returns the next in turn; undefined if no waiting check may begin. */
  #next(): (() => void) | undefined {
    if (this.#waiting.person + this.#waiting.address === 0) return undefined;
    for (const rank of RANKS) {
      const lane = this.#hasRoom(rank) ? this.#idlestLane(rank) : undefined;
      const [first] = lane?.waiting ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** Returns the next waiting client of a rank that may run one more; among several, the one served longest ago. */
  #idlestLane(rank: Rank): Lane | undefined {
    const most = rank === 'person' ? MAX_OF_PERSON : MAX_OF_ADDRESS;
    let found: Lane | undefined;
    for (const [key, lane] of this.#lanes) {
      if (lane.waiting.size === 0 || lane.running >= most || this.#rankOf(key) !== rank) continue;
      if (found === undefined || lane.running < found.running) found = lane;
    }
    return found;
  }

  #hasRoom(rank: Rank): boolean {
    const { person, good, failed } = this.#running;
    if (person + good + failed >= CHECKS_AT_ONCE) return false;
    if (rank === 'person') return true;
    if (good + failed >= MAX_FROM_ADDRESSES) return false;
    return rank === 'good' ? good < MAX_FROM_GOOD : failed < MAX_FROM_FAILED;
  }

  #rankOf(key: string): Rank {
    if (key.startsWith(PERSON)) return 'person';
    const address = key.slice(ADDRESS.length);
    const untilMs = this.#failed.get(address);
    if (untilMs === undefined) return 'good';
    if (untilMs > this.#clock.now()) return 'failed';
    this.#failed.delete(address);
    return 'good';
  }

  #forgetIdle(key: string, { running, waiting }: Lane): void {
    if (running === 0 && waiting.size === 0) this.#lanes.delete(key);
  }
}

const PERSON = 'person ';
const ADDRESS = 'address ';

function keyOf({ person, address }: Asker): string {
  return person === undefined ? ADDRESS + address : PERSON + person;
}

function tooMany(reason: TurnRefusal): CodedError {
  return serverFailure('too-many-sign-ins', { checksAtOnce: CHECKS_AT_ONCE, reason });
}
