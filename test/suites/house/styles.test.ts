import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stylesIn } from './measures/style-classes.ts';

/*
 * Classes are global to the page: rows are styled by their surroundings (list, console, theme), which CSS
 * modules would prevent. These rules give the same guarantee as modules: no sheet styles another component's
 * elements by accident.
 */
const UI = join(import.meta.dirname, '../../../packages/logtool/src/ui');
const files = readdirSync(UI, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const sheets = files
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, ...stylesIn(readFileSync(join(UI, name), 'utf8')) }));

test('classes in a sheet are found, and those that it styles everywhere', () => {
  const { everywhere, named } = stylesIn(`
    @import "./other.css";
    /* .old { color: red; } */
    .row:hover, .cell[data-x="1"]::before { color: red; }
    .row .time, .line > .level, .open.row { color: red; }
    @media (width < 400px) { .wide:not(.tall) { width: 1.5px; } .narrow { color: red; } }
  `);
  expect([...everywhere].sort()).toEqual(['cell', 'narrow', 'row']);
  expect([...named].sort()).toEqual([
    'cell',
    'level',
    'line',
    'narrow',
    'open',
    'row',
    'tall',
    'time',
    'wide',
  ]);
});

test('a class is styled everywhere by the sheets of one folder', () => {
  const folders = new Map<string, Set<string>>();
  for (const { name, everywhere } of sheets)
    for (const one of everywhere) folders.set(one, (folders.get(one) ?? new Set()).add(dirname(name)));
  expect(folders.size).toBeGreaterThan(100);
  expect([...folders].filter(([, found]) => found.size > 1)).toEqual([]);
});

test('a class that a sheet names is one that the page gives to an element', () => {
  const sources = files.filter((name) => /\.(?:tsx?|html)$/.test(name) && !/\.test\./.test(name));
  const text = sources.map((name) => readFileSync(join(UI, name), 'utf8')).join('\n');
  const found = new Set(text.match(/[A-Za-z_][\w-]*/g));
  /** The code contains `ansi-fg-1` as `ansi-fg-${color}`. */
  const isComputed = (name: string) =>
    [...name.matchAll(/-/g)].some(({ index }) => text.includes(`${name.slice(0, index + 1)}\${`));
  const unused = sheets.flatMap(({ named }) =>
    [...named].filter((one) => !found.has(one) && !isComputed(one)),
  );
  expect(unused).toEqual([]);
});
