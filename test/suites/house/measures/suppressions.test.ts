import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allFiles, ROOT } from './source-files.ts';
import { suppressedMeasures } from './suppressions.ts';

test.each([
  'lint/complexity/noExcessiveCognitiveComplexity: it is long',
  'lint/complexity/noExcessiveLinesPerFunction: it is long',
  'lint/nursery/noExcessiveLinesPerFile: it is long',
  'lint/a11y/noAutofocus lint/complexity/noExcessiveCognitiveComplexity: both',
  'lint/complexity: all of them',
  'lint: everything',
])('silences a measure: %s', (rules) => {
  for (const kind of ['biome-ignore', 'biome-ignore-all', 'biome-ignore-start'])
    expect(suppressedMeasures(`\n// ${kind} ${rules}`)).toHaveLength(1);
  expect(suppressedMeasures(`<b>{/* biome-ignore ${rules} */}</b>`)).toHaveLength(1);
});

test.each([
  'lint/a11y/noAutofocus: the one thing to do',
  'lint/complexity/useLiteralKeys: as the other names',
  'lint/a11y: a drawing',
  'format: a table',
])('silences no measure: %s', (rules) => {
  expect(suppressedMeasures(`// biome-ignore ${rules}`)).toEqual([]);
});

test('no comment silences a measure', () => {
  const bad = allFiles()
    .filter(({ path }) => !path.startsWith('test/suites/house/measures/'))
    .flatMap(({ path, text }) =>
      suppressedMeasures(text).map((offset) => `${path}:${text.slice(0, offset).split('\n').length}`),
    );
  expect(bad).toEqual([]);
});

test('the configuration of Biome leaves out no source file', () => {
  const { overrides, files } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  expect(overrides).toBeUndefined();
  expect(files.includes.filter((glob: string) => /^!.*(?:packages|src)/.test(glob))).toEqual([]);
});
