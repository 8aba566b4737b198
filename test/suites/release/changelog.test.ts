import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the changelog begins with what is unreleased, then the version of the package, and links each', () => {
  const text = read('CHANGELOG.md');
  const { version } = JSON.parse(read('package.json'));
  const headings = [...text.matchAll(/^## \[([^\]]+)\](?: - (\S+))?$/gm)];
  expect(headings.slice(0, 2).map(([, name]) => name)).toEqual(['Unreleased', version]);
  for (const [, name, date] of headings) {
    expect(text).toContain(`\n[${name}]: https://github.com/logtool/logtool/`);
    if (name !== 'Unreleased') expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
  // Keep a Changelog defines these kinds of change.
  const kinds = [...text.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind!);
  expect(kinds.filter((kind) => !/^(Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(kind))).toEqual(
    [],
  );
});
