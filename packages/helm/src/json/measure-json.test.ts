import { expect, it } from 'vitest';
import { measureJson } from './measure-json.ts';

const measure = (text: string, maxValues = 1_000) => measureJson(Buffer.from(text), maxValues);

it.each([
  ['1', 1, 0],
  ['"a"', 1, 0],
  ['{}', 2, 1],
  ['[1,2,3]', 4, 1],
  ['{"a":[{},{}],"b":{"c":1}}', 8, 3],
  [' [ [ ] , [ ] ] ', 5, 2],
])('%s has at most as many values as are counted', (text, values, depth) => {
  expect(measure(text)).toEqual({ values, depth });
});

it.each(['"{[,"', '"\\"{[,"', '"\\\\\\"{,"', '"é{\u2028,"', '"{,', '"{,\\'])(
  'counts nothing inside of the string %s',
  (text) => {
    expect(measure(text)).toEqual({ values: 1, depth: 0 });
  },
);

it('continues after a string that ends with a backslash', () => {
  expect(measure('["\\\\",{}]')).toEqual({ values: 4, depth: 2 });
});

it('stops as soon as there are more values than the limit', () => {
  expect(measure(`[${'{},'.repeat(100)}1]`, 10).values).toBe(11);
});
