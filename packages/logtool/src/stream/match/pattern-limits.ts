import { filterFailure, type PatternSize } from '../../domain/patterns/filter-failures.ts';
import { patternSize } from '../../domain/patterns/pattern-size.ts';
import { MAX_QUICK_BYTES } from './find-text.ts';
import { MAX_MAIN_SIZE, MAX_PERSON_SIZE, MAX_QUERY_SIZE } from './match-limits.ts';
import type { PatternSet } from './match-messages.ts';
import { literalOf } from './pattern.ts';

/**
 * Returns the cost of a pattern, in instructions; text without operators is searched as bytes and is not compiled: see
 * sizeOfTexts.
 */
export function sizeOf(pattern: string, ignoreCase: boolean): number {
  return !ignoreCase && literalOf(pattern) !== undefined ? 0 : patternSize(pattern, ignoreCase);
}

/**
 * Returns the maximum cost of searching texts, as instructions: about eight bytes of a text take the time of one. A
 * small number of short texts costs nothing.
 */
export function sizeOfTexts({ include, also, excludes }: PatternSet): number {
  const bytes = [include?.text ?? '', ...[...also, ...excludes].map(({ text }) => text)]
    .map((text) => Math.min(Buffer.byteLength(text), MAX_QUICK_BYTES))
    .reduce((sum, length) => sum + length, 0);
  return bytes <= MAX_QUICK_BYTES ? 0 : Math.ceil(bytes / 8);
}

/** Returns the size and its limit if patterns of this size are refused; otherwise undefined. */
export function oversize(size: number): PatternSize | undefined {
  return size <= MAX_QUERY_SIZE ? undefined : { size, limit: MAX_QUERY_SIZE };
}

/** Returns the size of all patterns of a query. Throws the usage error `pattern-too-large`. */
export function checkQuerySize(patterns: readonly string[], ignoreCase: boolean): number {
  const size = patterns.reduce((sum, pattern) => sum + sizeOf(pattern, ignoreCase), 0);
  const tooLarge = oversize(size);
  if (tooLarge === undefined) return size;
  throw filterFailure('pattern-too-large', tooLarge, { exit: 'usage' });
}

interface OpenSizes {
  all: number;
  main: number;
}

const openSizes = new Map<string, OpenSizes>();

/**
 * Counts the patterns of a query as open for a person, until the signal is aborted. Returns whether the main thread
 * takes them. Throws `too-many-patterns` above the limit.
 */
export function holdSize(person: string, size: number, signal: AbortSignal | undefined): boolean {
  if (size === 0 || signal === undefined || signal.aborted) return size <= MAX_MAIN_SIZE;
  const open = openSizes.get(person) ?? { all: 0, main: 0 };
  if (open.all + size > MAX_PERSON_SIZE)
    throw filterFailure('too-many-patterns', { size: open.all + size, limit: MAX_PERSON_SIZE });
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
