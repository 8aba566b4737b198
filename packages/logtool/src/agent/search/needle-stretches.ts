import { type CriEntry, readEntry } from '../../backend/cri-entry.ts';
import type { StreamName } from '../../backend/entry-lines.ts';
import { MAX_QUICK_BYTES } from '../../stream/match/find-text.ts';
import { literalOf } from '../../stream/match/pattern.ts';
import { requiredText } from '../../stream/match/required-text.ts';
import type { Stretches } from '../entries/file-entries.ts';

const LF = 10;
const BLANK = 32;
const COLON = 58;
const PARTIAL = 80;
const ESCAPE = 0x1b;
/** With more places than one in so many bytes, it takes less time to read everything. */
const BYTES_A_HIT = 512;

/**
 * Returns which parts of a file's bytes must be read to find the lines that a pattern matches: the entries that have the
 * longest text that it requires; those with colors, which may split it; and those of lines in several entries, which may
 * split it, too. Undefined: all of them, because the pattern requires no text. The pattern must be valid.
 */
export function needleStretches(
  pattern: string,
  ignoreCase: boolean,
  stream: StreamName | undefined,
): Stretches | undefined {
  const text = ignoreCase ? undefined : (literalOf(pattern) ?? requiredText(pattern));
  if (text === undefined || text === '') return undefined;
  const needle = Buffer.from(text).subarray(0, MAX_QUICK_BYTES);
  return (bytes) => stretchesIn(bytes, needle, stream);
}

function stretchesIn(bytes: Buffer, needle: Buffer, stream: StreamName | undefined): ReturnType<Stretches> {
  const hits = new Hits(bytes);
  hits.addAll(needle);
  hits.addAll(ESCAPE);
  if (!hits.isTooMany) addPartials(bytes, hits);
  if (hits.isTooMany) return [[0, bytes.length]];
  // What the window before ended with may go on in the first entry.
  const stretches: [number, number][] = [[0, bytes.indexOf(LF) + 1]];
  for (const hit of hits.sorted) {
    const last = stretches.at(-1)!;
    if (hit < last[1]) continue;
    const start = hit === 0 ? 0 : bytes.lastIndexOf(LF, hit - 1) + 1;
    const end = endOfLine(bytes, start, stream);
    if (start === last[1]) last[1] = end;
    else stretches.push([start, end]);
  }
  extendFirst(stretches, endOfLine(bytes, 0, stream));
  return stretches;
}

/** Makes the first stretch reach at least to an end. */
function extendFirst(stretches: [number, number][], end: number): void {
  const first = stretches[0]!;
  first[1] = Math.max(first[1], end);
  while (stretches[1] !== undefined && stretches[1][0] <= first[1])
    first[1] = Math.max(first[1], stretches.splice(1, 1)[0]![1]);
}

/** Returns where the line ends of which an entry begins there; at the end of the bytes, it may go on. */
function endOfLine(bytes: Buffer, start: number, stream: StreamName | undefined): number {
  for (let at = start; at < bytes.length; ) {
    const end = bytes.indexOf(LF, at);
    const entry = readEntry(bytes, at, end);
    // A line goes on after what is no entry, and after entries of the other stream.
    const isOwn = entry !== undefined && isOf(bytes, entry, stream);
    if (isOwn && !entry.isPartial) return end + 1;
    at = end + 1;
  }
  return bytes.length;
}

function isOf(bytes: Buffer, { stampEnd, tag }: CriEntry, stream: StreamName | undefined): boolean {
  return stream === undefined || bytes.toString('latin1', stampEnd + 1, tag - 1) === stream;
}

class Hits {
  readonly #bytes: Buffer;
  readonly #max: number;
  readonly #found: number[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#max = bytes.length / BYTES_A_HIT;
  }

  get isTooMany(): boolean {
    return this.#found.length > this.#max;
  }

  get sorted(): readonly number[] {
    return this.#found.sort((a, b) => a - b);
  }

  add(hit: number): void {
    this.#found.push(hit);
  }

  /** Adds one hit in each line. */
  addAll(needle: Buffer | number): void {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(needle); at !== -1 && !this.isTooMany; ) {
      this.add(at);
      const newline = bytes.indexOf(LF, at);
      at = newline === -1 ? -1 : bytes.indexOf(needle, newline);
    }
  }
}

/** Adds the entries that have the tag of a part of a line. */
function addPartials(bytes: Buffer, hits: Hits): void {
  const max = bytes.length / BYTES_A_HIT;
  let seen = 0;
  let at = bytes.indexOf(PARTIAL);
  // A single byte is found fastest, unless it is frequent.
  for (; at !== -1 && seen < max; at = bytes.indexOf(PARTIAL, at + 1), seen++) addIfPartial(bytes, at, hits);
  if (at === -1) return;
  for (const needle of TAGS) {
    for (
      let next = bytes.indexOf(needle, at - 1);
      next !== -1 && !hits.isTooMany;
      next = bytes.indexOf(needle, next + 1)
    )
      addIfPartial(bytes, next, hits);
  }
}

const TAGS = [Buffer.from('P '), Buffer.from('P:')];
/** `STAMP stdout P`: the tag is not farther from the beginning of its entry. */
const MAX_HEAD = 64;

function addIfPartial(bytes: Buffer, at: number, hits: Hits): void {
  const next = bytes[at + 1];
  if ((next !== BLANK && next !== COLON) || bytes[at - 1] !== BLANK) return;
  const start = bytes.lastIndexOf(LF, at) + 1;
  if (at - start > MAX_HEAD) return;
  const end = bytes.indexOf(LF, at);
  const entry = readEntry(bytes, start, end);
  if (entry?.tag === at && entry.isPartial) hits.add(start);
}
