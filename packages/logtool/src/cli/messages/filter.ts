import type { FilterFailures } from '../../domain/patterns/filter-failures.ts';
import {
  faultText,
  matchFailedText,
  PATTERN_SYNTAX,
  personSizeText,
  querySizeText,
  SMALLER_PATTERNS,
  tooSlowText,
} from '../../messages/filter.ts';
import type { Messages } from './message.ts';

export const FILTER_MESSAGES: Messages<FilterFailures> = {
  'bad-pattern': (data) => ({
    what: `--${data.use} is not a valid regular expression`,
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
