import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ariaChord, chordText, commandOf } from './chord.ts';
import { LIST_KEYS, PAGE_KEYS } from './key-tables.ts';
import { CONSOLE_KEYS, consoleChord, KEY_HELP, SEARCH_KEYS } from './log-keys.ts';

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

test('keys mean what the list of keys says, and those with Alt or Ctrl are left to the browser', () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
    commandOf(CONSOLE_KEYS, { ...plain, key, ...more });
  expect(press(' ')).toEqual({ do: 'pause' });
  expect(press('e')).toEqual({ do: 'find', what: 'error', direction: 'next' });
  expect(press('E', { shiftKey: true })).toEqual({ do: 'find', what: 'error', direction: 'previous' });
  expect(press('W', { shiftKey: true })).toEqual({ do: 'find', what: 'warn', direction: 'previous' });
  expect(press('ArrowDown', { shiftKey: true })).toEqual({ do: 'move', rows: 1, selects: true });
  expect(press('PageUp')).toEqual({ do: 'page', direction: -1 });
  expect(press('e', { ctrlKey: true })).toBeUndefined();
  expect(press('f', { metaKey: true })).toBeUndefined();
  expect(press('ArrowLeft', { altKey: true })).toBeUndefined();
  expect(press('constructor')).toBeUndefined();
});

test('a sign is the same key whether a keyboard needs Shift for it or not', () => {
  expect(commandOf(CONSOLE_KEYS, { ...plain, key: '/' })).toEqual({ do: 'search' });
  expect(commandOf(CONSOLE_KEYS, { ...plain, key: '/', shiftKey: true })).toEqual({ do: 'search' });
  expect(commandOf(PAGE_KEYS, { ...plain, key: '?', shiftKey: true })).toBe('keys');
  expect(commandOf(PAGE_KEYS, { ...plain, key: 'K', metaKey: true, shiftKey: true })).toBe('palette');
});

test('no key has two meanings in one place', () => {
  for (const lines of [PAGE_KEYS, LIST_KEYS, CONSOLE_KEYS, SEARCH_KEYS]) {
    const chords = lines.flatMap(({ keys, also = {} }) => [...Object.keys(keys), ...Object.keys(also)]);
    expect(chords).toEqual([...new Set(chords)]);
  }
});

test('tooltips name the key of the table', () => {
  expect(chordText(consoleChord('wrap'))).toBe('z');
  expect(ariaChord('Shift n')).toBe('Shift+n');
  expect(chordText('Ctrl k')).toBe('Ctrl K');
});

/** UPDATE_GOLDEN=1 rewrites the list of keys of docs/dashboard.md. */
test('docs/dashboard.md lists the keys of the page', () => {
  const path = join(import.meta.dirname, '../../../../../docs/dashboard.md');
  const text = readFileSync(path, 'utf8');
  const listed = KEY_HELP.map(({ title, lines }) => {
    const rows = lines.map(({ meaning, chords }) => [
      chords.map((c) => `\`${chordText(c)}\``).join(' '),
      meaning,
    ]);
    const width = (at: 0 | 1) => Math.max(...rows.map((row) => row[at]?.length ?? 0), 7);
    const line = (cells: readonly (string | undefined)[]) =>
      `| ${cells.map((cell = '', at) => cell.padEnd(width(at === 0 ? 0 : 1))).join(' | ')} |`;
    const rule = `| ${'-'.repeat(width(0))} | ${'-'.repeat(width(1))} |`;
    return [`### ${title}`, '', line(['key', 'meaning']), rule, ...rows.map(line)].join('\n');
  }).join('\n\n');
  const section = /## Keys\n\n[\s\S]*?(?=\n## |$)/;
  const wanted = text.replace(section, () => `## Keys\n\n${listed}\n`);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, wanted);
  else expect(text).toBe(wanted);
  expect(text).toMatch(section);
});
