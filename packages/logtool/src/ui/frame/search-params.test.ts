import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { allOf, formatSearch, oneOf, parseSearch } from './search-params.ts';

test('a name that comes more than once is a list', () => {
  const params = parseSearch('?a=1&b=2&a=3');
  expect([allOf(params, 'a'), oneOf(params, 'a'), oneOf(params, 'b'), oneOf(params, 'c')]).toEqual([
    ['1', '3'],
    '1',
    '2',
    undefined,
  ]);
});

test('source arguments stay legible', () => {
  expect(formatSearch({ src: ['shop:deployments/web', 'a:pods/b c'] })).toBe(
    '?src=shop:deployments/web&src=a:pods/b+c',
  );
});

test('leaves out what is not text, and writes no question mark for nothing', () => {
  expect(formatSearch({ a: undefined, b: 3, c: [] })).toBe('');
});

test('names of object members are names like any other', () => {
  const params = parseSearch('?__proto__=x&constructor=y');
  expect(oneOf(params, '__proto__')).toBe('x');
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  expect(allOf(parseSearch(''), 'constructor')).toEqual([]);
});

test('reads back what it wrote', () => {
  const text = fc.string({ unit: codePoint }).map((value) => value.replace(/\p{Surrogate}/gu, '?'));
  fc.assert(
    fc.property(fc.uniqueArray(text), fc.array(text, { minLength: 2 }), (names, values) => {
      const params = Object.fromEntries(
        names.map((name, index) => [name, index % 2 === 0 ? values : (values[0] ?? '')]),
      );
      const back = parseSearch(formatSearch(params));
      for (const name of Object.keys(params)) expect(allOf(back, name)).toEqual(allOf(params, name));
    }),
  );
});
