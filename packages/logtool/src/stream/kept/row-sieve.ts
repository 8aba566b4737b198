import type { FilterPlan } from '../../domain/filter.ts';
import type { LineMatcher, Needle } from '../../domain/search/line-matcher.ts';
import { NeedleSearch } from '../../domain/search/needle-search.ts';
import { MAX_QUICK_BYTES } from '../match/find-text.ts';
import { requiredText } from '../match/required-text.ts';
import { type KeptRows, ROW_FLAGS } from './kept-rows.ts';

/** If fewer than one record in this many is left, each is examined separately. */
const SPARSE = 16;

/** A sieve's verdict on a record. */
export const VERDICTS = { fails: 0, passes: 1, unsure: 2 } as const;

/** What all passing records have in common. */
export interface RowSieveOptions {
  /** What a search requires of a line. */
  readonly matchers: readonly LineMatcher[];
  /** A text that all messages passing another filter contain, if known. Undefined: there is no other filter. */
  readonly other: { readonly needle: Needle | undefined } | undefined;
}

/**
 * Returns a sieve for the patterns of a filter and for what a search requires of a line; for a record that is filtered
 * as a whole, it applies to each of its lines.
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
 * Judges the records of a block by its bytes, without creating record objects: this rejects most records of most
 * searches. The bytes prove nothing for a record with colors, nor for one beyond ASCII if the case does not matter.
 */
export class RowSieve {
  readonly #needs: readonly SoughtText[];
  readonly #refuses: readonly SoughtText[];
  /** Records that pass all of this are certain hits. */
  readonly #isExact: boolean;
  readonly #unsureFlags: number;

  constructor({ matchers, other }: RowSieveOptions) {
    const needs = matchers.flatMap((matcher) => matcher.needs);
    if (other?.needle !== undefined) needs.push(other.needle);
    const refuses = matchers.flatMap((matcher) => matcher.refuses);
    // Searching a long text examines the fewest bytes, and mostly leaves few records to the others.
    const beginnings = needs.map(beginningOf).sort((a, b) => b.text.length - a.text.length);
    this.#needs = beginnings.map(soughtText);
    this.#refuses = refuses.filter(isQuick).map(soughtText);
    const mustConfirm = other !== undefined || matchers.some((matcher) => matcher.mustConfirm);
    this.#isExact = !mustConfirm && needs.every(isQuick) && refuses.every(isQuick);
    // RE2 treats the Kelvin sign as a k if the case does not matter.
    const isFolded = other?.needle?.ignoreCase === true;
    this.#unsureFlags =
      ROW_FLAGS.escapes | (isFolded ? ROW_FLAGS.beyondAscii : 0) | (mustConfirm ? ROW_FLAGS.jsonEscapes : 0);
  }

  /** Whether judging the records of a block requires their messages. */
  get needsText(): boolean {
    return !this.#isExact || this.#needs.length > 0 || this.#refuses.length > 0;
  }

  /** Returns a verdict on each record of the interval, by its index in the block. */
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

/** Whether a text is quick to find. A long repetitive text would take long. */
function isQuick({ text }: Needle): boolean {
  return Buffer.byteLength(text, 'utf8') <= MAX_QUICK_BYTES;
}

function beginningOf(needle: Needle): Needle {
  if (isQuick(needle)) return needle;
  // A character has up to three bytes for each of its units, and is not split.
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

/**
 * Increments the records that contain a text, among those that contain the `done` previous texts. Returns their number.
 */
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
    // Otherwise it crosses the end of a message.
    const isInside = at + text.length <= starts[index + 1]!;
    if (isInside && found[index] === done) {
      found[index]!++;
      count++;
    }
    at = isInside ? starts[index + 1]! : at + 1;
  }
}

/** Does the same record by record: for when hardly any has the previous texts. */
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
