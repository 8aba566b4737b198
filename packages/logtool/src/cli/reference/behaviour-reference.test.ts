import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../commands/commands.ts';
import { type Flag, isOnByDefault } from '../flags/flag.ts';
import { FLAGS } from '../flags/table.ts';
import { manPage } from './man-page.ts';
import { markdownReference } from './markdown.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

it('docs/cli.md matches the table of flags; npm run docs rewrites it', () => {
  expect(read('docs/cli.md')).toBe(markdownReference());
});

it('docs/logtool.1 matches the table of flags; npm run docs rewrites it', () => {
  expect(read('docs/logtool.1')).toBe(manPage(version));
});

/** Whether a command has the flag that help names. */
function isShown({ commands }: Flag): boolean {
  return commands === 'all' || COMMANDS.some(({ name }) => commands.includes(name));
}

it('both name every command and every flag that help names', () => {
  const plain = manPage(version).replaceAll('\\-', '-');
  for (const text of [markdownReference(), plain]) {
    for (const { name } of COMMANDS) expect(text).toContain(`logtool ${name}`);
    for (const flag of FLAGS.filter(isShown))
      expect(text).toContain(isOnByDefault(flag) ? `--no-${flag.name}` : `--${flag.name}`);
  }
});

it('no line of the manual page is a request that is not meant', () => {
  const requests = manPage(version)
    .split('\n')
    .filter((line) => /^[.']/.test(line))
    .map((line) => line.split(' ')[0]);
  expect(new Set(requests)).toEqual(new Set(['.TH', '.SH', '.SS', '.TP', '.PP', '.br', '.BR']));
});

it('outside tables no bar has a backslash before it: code shows both', () => {
  const prose = markdownReference()
    .split('\n')
    .filter((line) => !line.startsWith('|') && line.includes('\\|'));
  expect(prose).toEqual([]);
});

it('says of a flag of every command where its letter or its name is taken', () => {
  const line = (head: string) => markdownReference().match(new RegExp(`^\\| \`${head}\` .*$`, 'gm'));
  expect(line('-h, --help')).toEqual([expect.stringContaining('in logtool logs -h is --head')]);
  expect(line('-V, --version')).toEqual([
    expect.stringContaining(
      'in logtool cluster install and logtool cluster upgrade --version is another flag',
    ),
  ]);
});

it('guides name the number of records that logs prints by default, as the table of flags has it', () => {
  const guides = ['README.md', 'docs/cli.md', 'docs/recipes.md', 'docs/troubleshooting.md']
    .map(read)
    .join('');
  const named = (end: string) =>
    [...guides.matchAll(new RegExp(`\\bthe ${end} (\\d+) records\\b`, 'g'))].map(([, count]) =>
      Number(count),
    );
  for (const [end, flag] of [
    ['last', 'tail'],
    ['first', 'head'],
  ] as const) {
    expect(named(end).length).toBeGreaterThan(0);
    expect(new Set(named(end))).toEqual(new Set([FLAGS.find(({ name }) => name === flag)?.default]));
  }
});
