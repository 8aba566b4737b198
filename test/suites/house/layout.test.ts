import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crowdedMethods } from './measures/crowded-methods.ts';
import { literalSpreads } from './measures/literal-spreads.ts';
import { ROOT } from './measures/source-files.ts';

const FOLDERS = ['packages', 'test', 'scripts', 'bench'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/node_modules|(?:^|\/)dist\//.test(name))
    .map((name) => `${folder}/${name}`),
);

const linesOf = (offsets: readonly number[], text: string) =>
  offsets.map((offset) => text.slice(0, offset).split('\n').length);

/** Returns each finding with its line. */
function findings(measure: (path: string, text: string) => readonly number[]): readonly string[] {
  return files.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return linesOf(measure(path, text), text).map((line) => `${path}:${line}`);
  });
}

test('a method of several lines without a blank line before or after it is found', () => {
  const text = [
    'class House {',
    '  #door = 1;',
    '  open() {',
    '  }',
    '  // Shuts it.',
    '  close() {',
    '  }',
    '',
    '  get a() { return 1; }',
    '  get b() { return 2; }',
    '  c() {',
    '  }',
    '  window = 1;',
    '}',
  ].join('\n');
  expect(linesOf(crowdedMethods('a.ts', text), text)).toEqual([3, 6, 11, 13]);
});

test('methods of an object need a blank line between them, its other properties need none', () => {
  const text = ['const a = {', '  one: 1,', '  two() {', '  },', '  three() {', '  },', '  four,', '};'].join(
    '\n',
  );
  expect(linesOf(crowdedMethods('a.ts', text), text)).toEqual([5]);
});

test('blank lines separate methods', { timeout: 120_000 }, () => {
  expect(findings(crowdedMethods)).toEqual([]);
});

test('a spread of entries that are written right there is found', () => {
  const text = [
    'const a = [',
    "  ...['b', 'c'],",
    "  ...(['d'] as const),",
    '  ...others,',
    '  ...others.map((one) => [one]),',
    '];',
    'f(...[1, 2]);',
    'const b = { ...{ c: 1 }, ...(d ? { e: 1 } : {}) };',
  ].join('\n');
  expect(linesOf(literalSpreads('a.ts', text), text)).toEqual([2, 3, 7, 8]);
});

test('no entries are spread only to share a line', { timeout: 120_000 }, () => {
  expect(findings(literalSpreads)).toEqual([]);
});

test('a test is named after the file beside it, or says that it is of a behavior', () => {
  const all = new Set(files);
  const isNamed = (path: string) => {
    const [, folder, name] = /^(.*\/)([^/]+?)(?:\.(?:fuzz|parity|property))?\.test\.tsx?$/.exec(path) ?? [];
    return (
      name?.startsWith('behaviour-') === true ||
      all.has(`${folder}${name}.ts`) ||
      all.has(`${folder}${name}.tsx`)
    );
  };
  const besideCode = files.filter((path) => /^packages\/\w+\/src\/.*\.test\.tsx?$/.test(path));
  expect(besideCode.length).toBeGreaterThan(400);
  expect(besideCode.filter((path) => !isNamed(path))).toEqual([]);
});
