import type { FilterPlan } from '../../domain/filter.ts';
import type { LineMatcher, Needle } from '../../domain/search/line-matcher.ts';
import { NeedleSearch } from '../../domain/search/needle-search.ts';
import { MAX_QUICK_BYTES } from '../match/find-text.ts';
import { requiredText } from '../match/required-text.ts';
import { type KeptRows, ROW_FLAGS } from './kept-rows.ts';

/** One record in so many is examined by itself. */
const SPARSE = 16;

/** What a sieve says of a record. */
export const VERDICTS = { fails: 0, passes: 1, unsure: 2 } as const;

/** What the records that pass a filter have in common. */
export interface RowSieveOptions {
  /** What a search asks of a line. */
  readonly matchers: readonly LineMatcher[];
  /** What all messages hold that another filter lets pass, as far as it is known. Undefined: there is no other filter. */
  readonly other: { readonly needle: Needle | undefined } | undefined;
}

/**
 * What the patterns of a filter, and what a search looks for in a line, ask of a record's bytes; of a record that is
 * filtered as a whole, of those of each of its lines.
 */
export function sieveOf(filter: FilterPlan, matchers: readonly LineMatcher[]): RowSieve {
  const hasPatterns = filter.grep !== undefined || filter.exclude.length > 0;
  return new RowSieve({ matchers, other: hasPatterns ? { needle: needleOf(filter) } : undefined });
}

function needleOf({ grep, ignoreCase }: FilterPlan): Needle | undefined {
  const text = grep === undefined ? undefined : requiredText(grep);
  if (text === undefined || !ignoreCase) return text === undefined ? undefined : { text, ignoreCase };
  return /^[\x00-\x7f]*$/.test(text) ? { text: text.toLowerCase(), ignoreCase } : undefined;
}

interface SoughtText {
  indexIn(bytes: Buffer, from: number, end: number): number;
  readonly length: number;
}

/**
 * Judges the records of a block by its bytes, without making records of them: most records of most searches fail so.
 * Of a record with colors, and of one beyond ASCII where the case does not matter, the bytes say nothing.
 */
export class RowSieve {
  readonly #needs: readonly SoughtText[];
  readonly #refuses: readonly SoughtText[];
  /** Records that pass all of this are found, without another question. */
  readonly #isExact: boolean;
  readonly #unsureFlags: number;

  constructor({ matchers, other }: RowSieveOptions) {
    const needs = matchers.flatMap((matcher) => matcher.needs);
    if (other?.needle !== undefined) needs.push(other.needle);
    const refuses = matchers.flatMap((matcher) => matcher.refuses);
    // Of a long text the fewest bytes are examined, and mostly it leaves little to the others.
    const beginnings = needs.map(beginningOf).sort((a, b) => b.text.length - a.text.length);
    this.#needs = beginnings.map(soughtText);
    this.#refuses = refuses.filter(isQuick).map(soughtText);
    const mustConfirm = other !== undefined || matchers.some((matcher) => matcher.mustConfirm);
    this.#isExact = !mustConfirm && needs.every(isQuick) && refuses.every(isQuick);
    // RE2 takes the Kelvin sign for a k where the case does not matter.
    const isFolded = other?.needle?.ignoreCase === true;
    this.#unsureFlags =
      ROW_FLAGS.escapes | (isFolded ? ROW_FLAGS.beyondAscii : 0) | (mustConfirm ? ROW_FLAGS.jsonEscapes : 0);
  }

  /** Whether it takes the messages of a block to judge its records. */
  get needsText(): boolean {
    return !this.#isExact || this.#needs.length > 0 || this.#refuses.length > 0;
  }

  /** A verdict on each record of the interval, by its index in the block. */
  judge(rows: KeptRows): Uint8Array {
    const { first, end } = rows;
    const verdicts = new Uint8Array(rows.facts.count);
    verdicts.fill(this.#isExact ? VERDICTS.passes : VERDICTS.unsure, first, end);
    if (this.#needs.length > 0 || this.#refuses.length > 0) this.#judgeTexts(rows, verdicts);
    return verdicts;
  }

  #judgeTexts(rows: KeptRows, verdicts: Uint8Array): void {
    const { first, end } = rows;
    const found = new Uint8Array(rows.facts.count);
    let left = end - first;
    for (const [done, text] of this.#needs.entries()) {
      const isSparse = left * SPARSE < end - first;
      left = (isSparse ? markEach : mark)(rows, text, found, done);
    }
    const refused = new Uint8Array(rows.facts.count);
    for (const text of this.#refuses) mark(rows, text, refused, 0);
    const { flags } = rows.facts;
    for (let index = first; index < end; index++) {
      if ((flags[index]! & this.#unsureFlags) !== 0) verdicts[index] = VERDICTS.unsure;
      else if (found[index] !== this.#needs.length || refused[index] !== 0) verdicts[index] = VERDICTS.fails;
    }
  }
}

/** A long text that repeats itself would take long to find. */
function isQuick({ text }: Needle): boolean {
  return Buffer.byteLength(text, 'utf8') <= MAX_QUICK_BYTES;
}

function beginningOf(needle: Needle): Needle {
  if (isQuick(needle)) return needle;
  // A character has up to three bytes for each of its units, and is not cut in two.
  const text = Array.from(needle.text.slice(0, MAX_QUICK_BYTES / 4))
    .slice(0, -1)
    .join('');
  return { ...needle, text };
}

function soughtText(needle: Needle): SoughtText {
  if (needle.ignoreCase) return new NeedleSearch(needle);
  const bytes = Buffer.from(needle.text, 'utf8');
  return {
    length: bytes.length,
    indexIn: (text, from) => text.indexOf(bytes, from),
  };
}

/** Counts up the records that hold a text, of those with `done` texts before it. Returns how many. */
function mark(rows: KeptRows, text: SoughtText, found: Uint8Array, done: number): number {
  const { starts, first, end } = rows;
  const bytes = rows.text!;
  const endByte = starts[end]!;
  let index = first;
  let count = 0;
  for (let at = starts[first]!; ; ) {
    at = text.indexIn(bytes, at, endByte);
    if (at === -1 || at >= endByte) return count;
    while (starts[index + 1]! <= at) index++;
    // Else it lies across the end of a message.
    const isInside = at + text.length <= starts[index + 1]!;
    if (isInside && found[index] === done) {
      found[index]!++;
      count++;
    }
    at = isInside ? starts[index + 1]! : at + 1;
  }
}

/** The same, record by record: for when hardly any has the texts before it. */
function markEach(rows: KeptRows, text: SoughtText, found: Uint8Array, done: number): number {
  let count = 0;
  for (let index = rows.first; index < rows.end; index++) {
    if (found[index] !== done) continue;
    const message = rows.messageAt(index);
    if (text.indexIn(message, 0, message.length) === -1) continue;
    found[index]!++;
    count++;
  }
  return count;
}
