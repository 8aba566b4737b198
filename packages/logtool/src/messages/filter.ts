import { caretUnder } from '../domain/caret.ts';
import type { FilterFailures, PatternSize } from '../domain/patterns/filter-failures.ts';

/** Where and why a pattern is wrong, with a caret under the place. */
export function faultText({ pattern, fault }: FilterFailures['bad-pattern']): string {
  return `${fault.why}:\n${caretUnder(pattern, fault.index)}`;
}

export const PATTERN_SYNTAX =
  'the syntax is that of RE2 (no look-around, no back-references); a backslash makes a character literal';
export const SMALLER_PATTERNS = 'use smaller counts in {n,m}, fewer classes such as \\pL, or fewer patterns';

export function querySizeText({ size, limit }: PatternSize): string {
  return `compiled, the patterns have about ${numberText(size)} instructions; a query may have ${numberText(limit)}`;
}

export function personSizeText({ size, limit }: PatternSize): string {
  return `compiled, they have about ${numberText(size)} instructions together; one person may have ${numberText(limit)}`;
}

export function matchFailedText(data: FilterFailures['match-failed']): string {
  return data.reason === 'memory'
    ? `matching its patterns takes more than ${data.limitMib} MiB of memory`
    : data.why;
}

export function tooSlowText({ limitMs }: FilterFailures['match-too-slow']): string {
  return `matching a few lines took more than ${limitMs / 1000} s`;
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
