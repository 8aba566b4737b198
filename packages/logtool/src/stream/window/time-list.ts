import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord, Run } from '../../domain/record.ts';

/** Each chunk is twice as long as the previous one: a search may read a thousand runs with a few lines each. */
const FIRST_CHUNK_RECORDS = 64;
const MAX_CHUNK_RECORDS = 65_536;

interface Chunk {
  /** Nanoseconds since 1970. */
  readonly times: BigInt64Array;
  readonly seqs: Uint32Array;
}

/**
 * Times and sequence numbers of unseen records of a run, twelve bytes each: the count of a cursor covers all records at
 * its time, and that time is known only at the end of a search.
 */
export class TimeList {
  readonly #chunks: Chunk[] = [];
  /** Number of records in the last chunk. */
  #inLast = 0;
  #source: Run | undefined;

  add({ at, seq, run }: LogRecord): void {
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || this.#inLast === chunk.seqs.length) {
      const records = Math.min(MAX_CHUNK_RECORDS, (chunk?.seqs.length ?? FIRST_CHUNK_RECORDS / 2) * 2);
      chunk = { times: new BigInt64Array(records), seqs: new Uint32Array(records) };
      this.#chunks.push(chunk);
      this.#inLast = 0;
    }
    const index = this.#inLast++;
    chunk.times[index] = nanosOf(at);
    chunk.seqs[index] = seq;
    this.#source ??= run;
  }

  /** Returns the records at these times, without their messages. */
  at(times: readonly Timestamp[], message: Uint8Array): LogRecord[] {
    const found: LogRecord[] = [];
    const wanted = new Map(times.map((at) => [nanosOf(at), at]));
    const only = wanted.size === 1 ? wanted.keys().next().value : undefined;
    this.#each((nanos, seq) => {
      if (only !== undefined && nanos !== only) return;
      const at = wanted.get(nanos);
      if (at !== undefined) found.push({ run: this.#source!, at, seq, message, partial: false, late: false });
    });
    return found;
  }

  #each(fetched: (nanos: bigint, seq: number) => void): void {
    for (const [index, { times, seqs }] of this.#chunks.entries()) {
      const end = index === this.#chunks.length - 1 ? this.#inLast : seqs.length;
      for (let offset = 0; offset < end; offset++) fetched(times[offset]!, seqs[offset]!);
    }
  }
}

function nanosOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}
