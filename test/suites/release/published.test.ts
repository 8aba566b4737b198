import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { absoluteLinks, publishedManifest, relativeTargets } from '../../../scripts/release/published.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const OTHER = { version: '1.2.3', repository: { url: 'git+https://forge.example/a/b.git' } };

test('every link and picture of README.md that is relative names a file of the repository', () => {
  const targets = relativeTargets(README);
  expect(targets).toContain('LICENSE');
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('the published README.md has no relative link or picture', () => {
  expect(relativeTargets(absoluteLinks(README, MANIFEST))).toEqual([]);
});

test.each([
  ['a [page](docs/cli.md#logs) of', 'a [page](https://forge.example/a/b/blob/v1.2.3/docs/cli.md#logs) of'],
  ['[`code`](./src/a.ts)', '[`code`](https://forge.example/a/b/blob/v1.2.3/src/a.ts)'],
  [
    '[![A](docs/a.png "title")](docs/a.md)',
    '[![A](https://forge.example/a/b/raw/v1.2.3/docs/a.png "title")](https://forge.example/a/b/blob/v1.2.3/docs/a.md)',
  ],
  ['<img alt="x" src="docs/a.svg">', '<img alt="x" src="https://forge.example/a/b/raw/v1.2.3/docs/a.svg">'],
  ['[a]: docs/a.md', '[a]: https://forge.example/a/b/blob/v1.2.3/docs/a.md'],
])('a relative target leads to the repository at the tag of the version: %s', (text, expected) => {
  expect(absoluteLinks(text, OTHER)).toBe(expected);
});

test.each([
  '[Node.js](https://nodejs.org) and [above](#use)',
  '[mail](mailto:a@b.example)',
  'in `a code that\ngoes on ](there)` and\n```sh\nx [a](b)\n```\n',
])('leaves a link to no file of the repository unchanged: %j', (text) => {
  expect(absoluteLinks(text, OTHER)).toBe(text);
});

test('the published manifest names no script, no list of files and nothing that only a clone installs', () => {
  const published = publishedManifest(MANIFEST);
  expect(Object.keys(published).sort()).toEqual([
    'bin',
    'bugs',
    'description',
    'engines',
    'homepage',
    'keywords',
    'license',
    'man',
    'name',
    'repository',
    'type',
    'version',
  ]);
});
