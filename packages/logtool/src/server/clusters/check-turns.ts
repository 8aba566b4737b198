import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure, type TurnRefusal } from '../failures.ts';

/** Tokens that are checked at once, so that guessing tokens does not burden the cluster. */
export const CHECKS_AT_ONCE = 32;
/** Of those, for people who are not signed in: the others are kept for those who are. */
const MAX_FROM_ADDRESSES = 28;
/** For addresses that sent no wrong token lately. */
const MAX_FROM_GOOD = 24;
/** For all addresses together that sent wrong tokens lately. */
const MAX_FROM_FAILED = 16;
/** For one address, which may be a proxy for many people. */
export const MAX_OF_ADDRESS = 16;
/** For one person who is signed in. */
const MAX_OF_PERSON = 4;
/** Waiting for their turn, of one person or one address: what a proxy full of people sends in a burst. */
export const MAX_WAITING_OF_ONE = 128;
/** Waiting for their turn, of all addresses together, and of all people who are signed in: neither takes room from the other. */
export const MAX_WAITING = 1_024;
/** How long one waits. */
export const WAIT_MS = 20_000;
/** How long an address counts as one that sent a wrong token. */
export const FAILED_MS = 60_000;
/** Addresses with that record. */
const MAX_REMEMBERED = 10_000;

/** Who wants a token checked. */
export interface Asker {
  /** The person whose session the request carries, or whose stream it is for. */
  readonly person?: string | undefined;
  /** Where the request comes from, as limits count it; of a proxy, where one stands between. */
  readonly address: string;
  /** Has one turn at a time: requests that are sent without waiting for answers are no way around the limits. */
  readonly connection?: object | undefined;
  /** Aborted when nothing waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

type Rank = 'person' | 'good' | 'failed';
/** The first of them is served first. */
const RANKS: readonly Rank[] = ['person', 'good', 'failed'];

/** What one person, or one address, has running and waiting. */
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
  /** By key; the one that was served last stands last. */
  readonly #lanes = new Map<string, Lane>();
  readonly #running: Record<Rank, number> = { person: 0, good: 0, failed: 0 };
  /** Until when an address counts as one that failed. */
  readonly #failed = new Map<string, number>();
  readonly #connections = new Set<object>();
  /** Of people who are signed in, and of addresses. */
  readonly #waiting = { person: 0, address: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws CodedError `too-many-sign-ins`, the signal's reason, and what the work throws. */
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

  /** A token was wrong. A signed-in person may mistype without affecting others. */
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

  /** The next in turn; undefined if no waiting one may begin. */
  #next(): (() => void) | undefined {
    if (this.#waiting.person + this.#waiting.address === 0) return undefined;
    for (const rank of RANKS) {
      const lane = this.#hasRoom(rank) ? this.#idlestLane(rank) : undefined;
      const [first] = lane?.waiting ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** The next waiting client of a rank that may run one more; of several, the one served longest ago. */
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
