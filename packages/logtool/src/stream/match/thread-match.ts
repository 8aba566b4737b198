import { MAX_JOB_WORK } from './match-limits.ts';
import type { Messages, PatternSet } from './match-messages.ts';
import { MatchPool } from './match-pool.ts';

/** The user of a match: jobs of one person wait for one another, not for those of others. */
export interface MatchUse {
  /** Empty: the only person. */
  readonly person: string;
  /** Ends the current work, and releases the data of the query. */
  readonly signal: AbortSignal | undefined;
}

let pool: MatchPool | undefined;

/** Patterns of one query in the matching threads. */
export class ThreadMatch {
  /** Maximum bytes of a message to match. */
  readonly maxBytes: number;
  readonly #use: MatchUse;
  readonly #pool: MatchPool;
  readonly #id: number;
  readonly #set: PatternSet;

  /** `size`: of all patterns of the set. */
  constructor(set: PatternSet, size: number, use: MatchUse) {
    pool ??= new MatchPool();
    this.maxBytes = Math.floor(MAX_JOB_WORK / size);
    this.#use = use;
    this.#pool = pool;
    this.#set = set;
    this.#id = pool.newSet();
    use.signal?.addEventListener('abort', () => this.#pool.forget(this.#id), { once: true });
  }

  /** Compiles the set. Throws usage errors for invalid patterns. */
  async compile(): Promise<void> {
    await this.#run(undefined);
  }

  /** Tests messages, including their colors, in as many jobs as needed: true for each that passes. */
  async test(messages: readonly Uint8Array[]): Promise<readonly boolean[]> {
    const passed: boolean[] = [];
    for (let from = 0; from < messages.length; ) {
      let to = from;
      let bytes = 0;
      while (to < messages.length && (to === from || bytes + this.#length(messages[to]!) <= this.maxBytes)) {
        bytes += this.#length(messages[to]!);
        to++;
      }
      const answer = await this.#run(this.#copied(messages.slice(from, to), bytes));
      for (let index = 0; index < to - from; index++) passed.push(answer?.[index] === 1);
      from = to;
    }
    return passed;
  }

  #run(messages: Messages | undefined): Promise<Uint8Array | undefined> {
    const { person, signal } = this.#use;
    return this.#pool.run({ id: this.#id, set: this.#set, person }, messages, signal);
  }

  #length({ length }: Uint8Array): number {
    return Math.min(length, this.maxBytes);
  }

  #copied(messages: readonly Uint8Array[], total: number): Messages {
    const bytes = new Uint8Array(total);
    const ends = new Uint32Array(messages.length);
    let at = 0;
    for (const [index, message] of messages.entries()) {
      bytes.set(message.subarray(0, this.maxBytes), at);
      at += this.#length(message);
      ends[index] = at;
    }
    return { bytes, ends };
  }
}
