import { caretUnder } from '../domain/caret.ts';
import type { FilterFailures, PatternSize } from '../domain/patterns/filter-failures.ts';
import type { Messages } from './message.ts';
import { unknownMemberText } from './unknown-code.ts';

/** Returns the messages of a filter. `useText`: the reader's name for a pattern of that use. */
export function filterMessages(
  useText: (use: FilterFailures['bad-pattern']['use']) => string,
): Messages<FilterFailures> {
  return {
    'bad-pattern': (data) => ({
      what: `${useText(data.use)} is not a valid regular expression`,
      why: faultText(data),
      next: PATTERN_SYNTAX,
    }),
    'pattern-too-large': (size) => ({
      what: 'the patterns of the filter are too large',
      why: querySizeText(size),
      next: SMALLER_PATTERNS,
    }),
    'too-many-patterns': (size) => ({
      what: 'the patterns of your open queries are too large',
      why: personSizeText(size),
      next: 'close some views, or use smaller patterns',
    }),
    'match-failed': (data) => ({
      what: 'the filter failed',
      why: matchFailedText(data),
      next: 'use fewer or simpler patterns',
    }),
    'match-too-slow': (data) => ({
      what: 'the filter takes too long',
      why: tooSlowText(data),
      next: 'use fewer or simpler patterns',
    }),
  };
}

/** Returns where and why a pattern is wrong, with a caret under the position. */
function faultText({ pattern, fault }: FilterFailures['bad-pattern']): string {
  return `${fault.why}:\n${caretUnder(pattern, fault.index)}`;
}

const PATTERN_SYNTAX =
  'the syntax is that of RE2 (no look-around, no back-references); a backslash makes a character literal';
export const SMALLER_PATTERNS = 'use smaller counts in {n,m}, fewer classes such as \\pL, or fewer patterns';

export function querySizeText({ size, limit }: PatternSize): string {
  return `the compiled patterns have about ${numberText(size)} instructions; a query may have ${numberText(limit)}`;
}

function personSizeText({ size, limit }: PatternSize): string {
  return `the compiled patterns have about ${numberText(size)} instructions together; one person may have ${numberText(limit)}`;
}

function matchFailedText(data: FilterFailures['match-failed']): string {
  switch (data.reason) {
    case 'memory':
      return `matching its patterns takes more than ${data.limitMib} MiB of memory`;
    case 'error':
      return data.why;
    case 'ended':
      return 'its thread ended';
    default:
      return unknownMemberText(data satisfies never, 'reason');
  }
}

function tooSlowText({ limitMs }: FilterFailures['match-too-slow']): string {
  return `matching a few lines took more than ${limitMs / 1000} s`;
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
