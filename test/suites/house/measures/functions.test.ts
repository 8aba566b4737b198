import { expect, test } from 'vitest';
import { cyclesOf } from './cycles.ts';
import { functionsOf } from './functions.ts';
import { specifiersOf } from './source-files.ts';

const measured = (text: string) =>
  functionsOf('one.ts', text).map(({ name, lines, depth }) => [name, lines, depth]);

test('functions have the names that they are found by', () => {
  const text = [
    'function first() {}',
    'const second = () => 1;',
    'class House { #door() {} get roof() { return 1 } window = () => 2; }',
    'const table = { fourth() {}, fifth: () => 3 };',
    '[1].map((one) => one);',
    'function outer() { return [2].map((one) => one) }',
  ].join('\n');
  expect(functionsOf('one.ts', text).map(({ name }) => name)).toEqual([
    'first',
    'second',
    'House.#door',
    'House.roof',
    'House.window',
    'fourth',
    'fifth',
    '()',
    'outer',
    'outer()',
  ]);
});

test('the function that lists the tests of a describe is known', () => {
  const text = [
    "describe('a', () => { test('b', () => {}) });",
    "describe.each([1])('c', (one) => {});",
    'describe.skip.each`x`(() => {});',
    'object.describe(() => {});',
  ].join('\n');
  expect(functionsOf('one.ts', text).map(({ isSuite }) => isSuite)).toEqual([true, false, true, true, false]);
});

test('depth counts statements in statements, not else if, and restarts in each function', () => {
  expect(
    measured('function f(a) { if (a) { for (;;) { try { a() } catch {} } } else if (a) { while (a) a() } }'),
  ).toEqual([['f', 1, 3]]);
  expect(measured('function f(a) {\n if (a) {\n  a(() => {\n   if (a) a()\n  })\n }\n}')).toEqual([
    ['f', 7, 1],
    ['f()', 3, 1],
  ]);
});

test('files that lead to each other are one cycle, those on the way to it are not', () => {
  const imports = new Map(
    Object.entries({
      a: ['b', 'elsewhere'],
      b: ['c'],
      c: ['b', 'd'],
      d: [],
      e: ['f'],
      f: ['g'],
      g: ['e', 'a'],
    }),
  );
  expect(cyclesOf(imports)).toEqual([
    ['b', 'c'],
    ['e', 'f', 'g'],
  ]);
});

test('every way to import a file counts, also of only a type', () => {
  const text = [
    "import { a } from './a.ts';",
    "export { b } from './b.ts';",
    "const c = await import('./c.ts');",
    "let d: import('./d.ts').D;",
    "let e: typeof import('./e.ts');",
  ].join('\n');
  expect([...specifiersOf('one.ts', text)].sort()).toEqual([
    './a.ts',
    './b.ts',
    './c.ts',
    './d.ts',
    './e.ts',
  ]);
});
