import { expect, test } from 'vitest';
import { countedText } from './facet-row.tsx';

test.each([
  [{ count: 1, noun: 'event' }, ' event'],
  [{ count: 1 }, ' line'],
  [{ count: 0 }, ' lines'],
  [{ count: 0, isPartial: true }, ' or more lines'],
  [{ count: 1, isPartial: true }, ' or more lines'],
  [{ count: 3, isSample: true }, ' lines of the sample'],
  [{ count: 1, state: 'excluded' }, ' line, excluded'],
] as const)('screen readers read %j as "N%s"', (row, text) => {
  expect(countedText({ state: undefined, ...row })).toBe(text);
});
