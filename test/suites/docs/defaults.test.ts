import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultOf } from '../../../packages/logtool/src/cli/flags/table.ts';
import { ROOT } from './markdown.ts';

/** How texts state a flag's default, with the value from the flag table. */
const STATED: readonly (readonly [flag: string, stated: RegExp, value: unknown])[] = [
  ['logs --tail', /\blast (\d+) records\b/g, defaultOf('logs', 'tail')],
  ['logs --head', /\bfirst (\d+) records\b/g, defaultOf('logs', 'head')],
  ['serve --port', /\b(?:localhost:|port-forward \S.* )(\d+)\b/g, defaultOf('serve', 'port')],
];

const PAGES = [
  'README.md',
  'charts/logtool/templates/NOTES.txt',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/**
 * Returns the numbers in prose with their lines; skips lines that set the flag, which state their own number.
 */
function statedIn(text: string, stated: RegExp, flag: string): readonly (readonly [number, string])[] {
  const option = flag.split(' ')[1] ?? '';
  return text.split('\n').flatMap((line, index) => {
    const numbers = line.includes(`${option}=`) ? [] : [...line.matchAll(stated)];
    return numbers.map(([, number = '']) => [index + 1, number] as const);
  });
}

test('a default in prose is found, but not the number of a flag that is set', () => {
  const text = 'a # the last 10 records\nb --tail=20 # the last 20 records';
  expect(statedIn(text, /\blast (\d+) records\b/g, 'logs --tail')).toEqual([[1, '10']]);
});

test.each(STATED)('documents state the default of %s as the table of flags has it', (flag, stated, value) => {
  const found = PAGES.flatMap((page) =>
    statedIn(readFileSync(join(ROOT, page), 'utf8'), stated, flag).map(([line, number]) => ({
      where: `${page}:${line}`,
      number,
    })),
  );
  expect(found).not.toEqual([]);
  expect(found.filter(({ number }) => number !== String(value))).toEqual([]);
});
