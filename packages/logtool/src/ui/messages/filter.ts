import { filterMessages } from '../../messages/filter.ts';

const PATTERNS = {
  grep: 'the filter',
  exclude: 'the filter of lines left out',
  highlight: 'the pattern to highlight',
} as const;

export const FILTER_MESSAGES = filterMessages((use) => PATTERNS[use]);
