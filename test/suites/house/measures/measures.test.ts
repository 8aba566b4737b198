import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { complexFunctions } from './complexity.ts';
import { cyclesOf } from './cycles.ts';
import { functionsOf } from './functions.ts';
import { allFiles, isTest, styleSheets } from './source-files.ts';

/* Measures what makes code hard to maintain, in the product, its tests, the benchmark and the scripts. */

const MAX_COMPLEXITY = 15;
const MAX_LINES = 60;
const MAX_DEPTH = 4;
const MAX_FILES = 25;
const MAX_SHEET_LINES = 300;

const files = allFiles();
const sheets = styleSheets();
/** Tests do not count among the files of a folder: a suite has as many as it needs. */
const isOfTests = (path: string) => /\.test\.tsx?$/.test(path);
const functions = files.flatMap(({ path, text }) =>
  functionsOf(path, text).map((one) => ({ ...one, path, text })),
);

type Found = Record<string, number | string>;

/** What exceeds each measure's limit, by the measure's name. */
const MEASURES: Readonly<Record<string, () => Found | Promise<Found>>> = {
  [`functions of a cognitive complexity above ${MAX_COMPLEXITY}`]: async () => {
    return numbers((await complexFunctions()).map(({ complexity, ...where }) => [nameAt(where), complexity]));
  },
  [`functions of more than ${MAX_LINES} lines`]: () =>
    numbers(
      functions
        .filter(({ lines, isSuite }) => lines > MAX_LINES && !isSuite)
        .map(({ path, name, lines }) => [`${path} ${name}`, lines]),
    ),
  [`functions with statements more than ${MAX_DEPTH} deep in each other`]: () =>
    numbers(
      functions
        .filter(({ depth }) => depth > MAX_DEPTH)
        .map(({ path, name, depth }) => [`${path} ${name}`, depth]),
    ),
  [`folders of more than ${MAX_FILES} files`]: () => {
    const counts = new Map<string, number>();
    for (const { path } of [...files.filter(({ path }) => !isOfTests(path)), ...sheets])
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    return numbers([...counts].filter(([, count]) => count > MAX_FILES));
  },
  [`style sheets of more than ${MAX_SHEET_LINES} lines`]: () =>
    numbers(
      sheets
        .map(({ path, text }) => [path, text.split('\n').length - 1] as const)
        .filter(([, lines]) => lines > MAX_SHEET_LINES),
    ),
  'cycles of imports, those of types included': () => {
    const cycles = cyclesOf(new Map(files.map(({ path, imports }) => [path, imports])));
    return Object.fromEntries(cycles.map(([first = '', ...others]) => [first, others.join(', ')]));
  },
};

/** Rooms whose folders import each other one way, with the least number of their folders. */
const LAYERED_ROOMS = [
  // The engine reads a run, filters records, spills, makes windows and follows.
  ['packages/logtool/src/stream/', 6],
  // Values and words, the worker, the parts of a page, the pages, and the frame that opens them.
  ['packages/logtool/src/ui/', 30],
] as const;

test.each(LAYERED_ROOMS)('the folders of %s import each other one way', (room, least) => {
  const imports = new Map<string, Set<string>>();
  for (const file of files.filter(({ path }) => path.startsWith(room) && !isTest(path))) {
    const own = imports.get(dirname(file.path)) ?? new Set();
    imports.set(dirname(file.path), own);
    for (const target of file.imports.filter((path) => path.startsWith(room))) own.add(dirname(target));
  }
  expect(imports.size).toBeGreaterThanOrEqual(least);
  const cycles = cyclesOf(new Map([...imports].map(([folder, targets]) => [folder, [...targets]])));
  expect(cycles).toEqual([]);
});

test('every file of the engine is in the folder of a stage', () => {
  const room = 'packages/logtool/src/stream';
  expect(files.filter(({ path }) => dirname(path) === room)).toEqual([]);
});

function nameAt(where: { readonly path: string; readonly line: number; readonly column: number }): string {
  const { path, line, column } = where;
  const inFile = functions.filter((one) => one.path === path);
  const before = (inFile[0]?.text ?? '').split('\n').slice(0, line - 1);
  const offset = before.join('\n').length + column;
  const around = inFile.filter(({ start, end }) => start <= offset && offset < end);
  return `${path} ${around.at(-1)?.name ?? `line ${line}`}`;
}

/** Sorts by name, and by number; numbers further functions with the same name: `parse`, `parse (2)`. */
function numbers(pairs: readonly (readonly [string, number])[]): Record<string, number> {
  const seen = new Map<string, number>();
  const sorted = [...pairs].sort(([a, x], [b, y]) => (a === b ? y - x : a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, value]) => {
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return [count === 1 ? name : `${name} (${count})`, value];
    }),
  );
}

test('functions with the same name are counted separately', () => {
  const found = numbers([
    ['a', 17],
    ['b', 16],
    ['a', 19],
  ]);
  expect(found).toEqual({ a: 19, 'a (2)': 17, b: 16 });
});

test('the style sheets of the page are measured', () => {
  expect(sheets.length).toBeGreaterThan(50);
});

test.each(Object.entries(MEASURES))('there are no %s', async (_name, measure) => {
  expect(await measure()).toEqual({});
});
