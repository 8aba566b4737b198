import { type LogtoolError, usageError } from '../../domain/errors.ts';
import { patternSize } from '../../domain/pattern-size.ts';
import { literalOf } from './pattern.ts';

/** Size (patternSize) of all patterns of one query together. */
export const MAX_QUERY_SIZE = 10_000;

/** What a pattern costs, in instructions; text without operators is searched as bytes and costs nothing. */
export function sizeOf(pattern: string, ignoreCase: boolean): number {
  return !ignoreCase && literalOf(pattern) !== undefined ? 0 : patternSize(pattern, ignoreCase);
}

export const SMALLER = 'use smaller counts in {n,m}, fewer classes such as \\pL, or fewer patterns';

export function whyTooLarge(size: number): string {
  return `compiled, the patterns have about ${size.toLocaleString('en')} instructions; a query may have ${MAX_QUERY_SIZE.toLocaleString('en')}`;
}

/** The size of all patterns of a query. Throws the usage error `pattern-too-large`. */
export function checkQuerySize(patterns: readonly string[], ignoreCase: boolean): number {
  const size = patterns.reduce((sum, pattern) => sum + sizeOf(pattern, ignoreCase), 0);
  if (size > MAX_QUERY_SIZE) throw tooLarge(size);
  return size;
}

function tooLarge(size: number): LogtoolError {
  return usageError({
    code: 'pattern-too-large',
    what: 'the patterns of the filter are too large',
    why: whyTooLarge(size),
    next: SMALLER,
  });
}
