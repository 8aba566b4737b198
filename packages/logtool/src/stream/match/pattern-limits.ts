import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { patternSize } from '../../domain/patterns/pattern-size.ts';
import { MAX_QUICK_BYTES } from './find-text.ts';
import { MAX_MAIN_SIZE, MAX_PERSON_SIZE, MAX_QUERY_SIZE } from './match-limits.ts';
import type { PatternSet } from './match-messages.ts';
import { literalOf } from './pattern.ts';

/** What a pattern costs, in instructions; text without operators is searched as bytes and is not compiled: see sizeOfTexts. */
export function sizeOf(pattern: string, ignoreCase: boolean): number {
  return !ignoreCase && literalOf(pattern) !== undefined ? 0 : patternSize(pattern, ignoreCase);
}

/**
 * What searching texts takes at worst, as instructions: about eight bytes of a text take the time of one. Few short
 * texts cost nothing.
 */
export function sizeOfTexts({ include, excludes }: PatternSet): number {
  const bytes = [include?.text ?? '', ...excludes.map(({ text }) => text)]
    .map((text) => Math.min(Buffer.byteLength(text), MAX_QUICK_BYTES))
    .reduce((sum, length) => sum + length, 0);
  return bytes <= MAX_QUICK_BYTES ? 0 : Math.ceil(bytes / 8);
}

export const SMALLER = 'use smaller counts in {n,m}, fewer classes such as \\pL, or fewer patterns';

/** Why patterns of this size are refused; undefined where they are not. */
export function whyTooLarge(size: number): string | undefined {
  if (size <= MAX_QUERY_SIZE) return undefined;
  return `compiled, the patterns have about ${inText(size)} instructions; a query may have ${inText(MAX_QUERY_SIZE)}`;
}

/** The size of all patterns of a query. Throws the usage error `pattern-too-large`. */
export function checkQuerySize(patterns: readonly string[], ignoreCase: boolean): number {
  const size = patterns.reduce((sum, pattern) => sum + sizeOf(pattern, ignoreCase), 0);
  const why = whyTooLarge(size);
  if (why === undefined) return size;
  throw usageError({
    code: 'pattern-too-large',
    what: 'the patterns of the filter are too large',
    why,
    next: SMALLER,
  });
}

interface OpenSizes {
  all: number;
  main: number;
}

const openSizes = new Map<string, OpenSizes>();

/**
 * Counts the patterns of a query among those that a person has open, until the signal is aborted. Returns whether the
 * main thread takes them. Throws `too-many-patterns` where they are too many.
 */
export function holdSize(person: string, size: number, signal: AbortSignal | undefined): boolean {
  if (size === 0 || signal === undefined || signal.aborted) return size <= MAX_MAIN_SIZE;
  const open = openSizes.get(person) ?? { all: 0, main: 0 };
  if (open.all + size > MAX_PERSON_SIZE) throw tooMany(open.all + size);
  const isMain = open.main + size <= MAX_MAIN_SIZE;
  openSizes.set(person, open);
  open.all += size;
  if (isMain) open.main += size;
  const release = () => {
    open.all -= size;
    if (isMain) open.main -= size;
    if (open.all === 0) openSizes.delete(person);
  };
  signal.addEventListener('abort', release, { once: true });
  return isMain;
}

function tooMany(size: number): LogtoolError {
  return new LogtoolError({
    code: 'too-many-patterns',
    what: 'the patterns of your open queries are too large',
    why: `compiled, they have about ${inText(size)} instructions together; one person may have ${inText(MAX_PERSON_SIZE)}`,
    next: 'close some views, or use smaller patterns',
  });
}

function inText(count: number): string {
  return count.toLocaleString('en');
}
