import { createHash } from 'node:crypto';

/** A digest of the lines of a program that prints records, whatever surrounds their time and message. */
export interface RecordsDigest {
  /** A digest of all records, independent of their order. */
  readonly sum: string;
  /** Whether all records are in the order of time. */
  readonly isInOrder: boolean;
  /** The last ones in time, in order. */
  readonly latest: readonly string[];
}

/** The prefix of a program's lines: the first group matches the time, the rest after the match is the message. */
export const PREFIX = {
  logtool: /^(\S+) {2}/,
  kubectl: /^(?:\[\S+\] )?(\S+) /,
  stern: /^\S+ \S+ (\S+) /,
} as const;

const KEPT = 10;

/** Reads lines one after the other. */
export class RecordsReader {
  readonly #prefix: RegExp;
  readonly #sums = new Uint32Array(4);
  #latest: { readonly at: string; readonly record: string }[] = [];
  #last = '';
  #isInOrder = true;

  constructor(prefix: RegExp) {
    this.#prefix = prefix;
  }

  /** Reads a line as Latin-1 text, to preserve its bytes. */
  take(line: string): void {
    const found = this.#prefix.exec(line);
    const at = utcOf(found?.[1] ?? '');
    const record = `${at} ${line.slice(found?.[0].length ?? 0)}`;
    const hash = createHash('sha1').update(record, 'latin1').digest();
    for (let index = 0; index < this.#sums.length; index++)
      this.#sums[index] = (this.#sums[index] ?? 0) + hash.readUInt32LE(index * 4);
    if (at < this.#last) this.#isInOrder = false;
    this.#last = at;
    const latest = this.#latest;
    if (latest.length === KEPT && at < (latest[0]?.at ?? '')) return;
    let index = latest.length;
    while (index > 0 && at < (latest[index - 1]?.at ?? '')) index--;
    latest.splice(index, 0, { at, record });
    if (latest.length > KEPT) latest.shift();
  }

  end(): RecordsDigest {
    const latest = this.#latest.map(({ record }) => record);
    return { sum: this.#sums.join(' '), isInOrder: this.#isInOrder, latest };
  }
}

/** Returns a time with nanoseconds in UTC, so that texts sort by time; returns other texts unchanged. */
function utcOf(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return text;
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}`;
}
