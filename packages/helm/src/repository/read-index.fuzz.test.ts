import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/fuzz/code-point.ts';
import { CASES, SEED } from '../../../../test/support/fuzz/seed.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { HelmFailures } from '../failures.ts';
import { compareVersions, isVersion, parseVersion } from '../version/version.ts';
import { chooseVersion } from './choose-version.ts';
import { type RepositoryIndex, readIndex } from './read-index.ts';

const odd = fc.constantFrom(
  'null',
  '~',
  '[]',
  '{}',
  '1e400',
  '.nan',
  '0x1F',
  '!!binary gA==',
  '!!python/object:os.system x',
  '*a',
  '&a [*a]',
  '&b {<<: *b}',
  '"\\ud800"',
  '"\\0"',
  "'",
  '|\n  x',
  '>-\n  y',
  '2026-11-21T10:00:00Z',
  '2026-99-99T99:99:99Z',
  'yes',
  '../../etc/passwd',
  `"${'x'.repeat(5000)}"`,
  '['.repeat(3000),
  `${'{a: '.repeat(1500)}1${'}'.repeat(1500)}`,
);
const version = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1.0.0', '1.2', 'v3', '2.0.0-rc.1', '1.0.0+b') },
  fc.constantFrom('01.0.0-01', '99999999999999999999.0.0', '1.0.0-é', '-1', '1..2', '1.0.0\\n'),
  odd,
);
const key = fc.constantFrom(
  'name',
  'version',
  'urls',
  'digest',
  'created',
  'apiVersion',
  'dependencies',
  'maintainers',
  'annotations',
  'type',
  'removed',
  '__proto__',
  'constructor',
  'NAME',
  'unheardOf',
  '<<',
  '? [a]',
);
const field = fc.oneof(
  version.map((text) => `version: ${text}`),
  fc.tuple(key, odd).map(([name, value]) => `${name}: ${value}`),
  fc.constantFrom(
    'urls: [a.tgz, null, 1]',
    'digest: zz',
    'dependencies: [{name: a}, {name: a}]',
    'dependencies: [null]',
    'maintainers: [{name: a, __proto__: {polluted: true}}]',
    'annotations: {__proto__: x, constructor: y}',
  ),
);
const entry = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(version, fc.array(field, { maxLength: 3 }))
      .map(([text, more]) => `{${[`name: web`, `version: ${text}`, ...more].join(', ')}}`),
  },
  odd,
);
const chart = fc.constantFrom('web', '__proto__', 'constructor', 'toString', 'a/b', '""', '1', '~', '*a');
const list = fc.oneof(
  { weight: 9, arbitrary: fc.array(entry, { maxLength: 4 }).map((each) => `[${each.join(', ')}]`) },
  odd,
);
const entries = fc
  .array(fc.tuple(chart, list), { maxLength: 3 })
  .map((charts) => charts.map(([name, versions]) => `  ${name}: ${versions}\n`).join(''));
/** Mostly valid, so that the reader examines the rest. */
const start = fc.oneof(
  { weight: 6, arbitrary: fc.constant('apiVersion: v1\n') },
  fc.constantFrom('', 'apiVersion: [v1]\n', 'extra: 1\n'),
);
const yaml = fc.tuple(start, entries).map(([start, rest]) => `${start}entries:\n${rest}`);
const json = fc
  .tuple(
    fc.dictionary(fc.constantFrom('web', '__proto__', 'x'), fc.array(fc.jsonValue(), { maxLength: 3 })),
    fc.jsonValue(),
  )
  .map(([charts, name]) =>
    JSON.stringify({
      apiVersion: 'v1',
      entries: {
        ...charts,
        web: [
          { name: 'web', version: '1.0.0' },
          { name, version: '1.0.0' },
        ],
      },
    }),
  );
/** A text with a part removed, duplicated or replaced. */
const damaged = fc
  .tuple(yaml, fc.nat(200), fc.nat(20), fc.oneof(odd, fc.string({ maxLength: 5, unit: codePoint })))
  .map(([text, at, length, instead]) => text.slice(0, at) + instead + text.slice(at + length));
const text = fc.oneof({ weight: 3, arbitrary: yaml }, json, { weight: 2, arbitrary: damaged });

it(`reads or refuses ${CASES} hostile indexes (LOGTOOL_SEED=${SEED})`, () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(text, (index) => {
      const outcome = outcomeOf(index);
      if (outcome === undefined) refused++;
      else {
        read++;
        checkIndex(outcome);
      }
      if ('polluted' in {} || Object.keys(Object.prototype).length > 0) throw new Error('prototype polluted');
    }),
    { seed: SEED, numRuns: CASES },
  );
  expect(read).toBeGreaterThan(CASES / 20);
  expect(refused).toBeGreaterThan(CASES / 20);
});

it('shows the beginning of a time that is none, however long it is', () => {
  const index = `apiVersion: v1\nentries:\n  web: [{name: web, version: 1.0.0, created: "${'x'.repeat(5000)}"}]\n`;
  expect(outcomeOf(index)).toBeUndefined();
});

function outcomeOf(index: string): RepositoryIndex | undefined {
  try {
    return readIndex(index, 'test');
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'repository-index-invalid') throw error;
    checkProblem(error.data as HelmFailures['repository-index-invalid']);
    return undefined;
  }
}

/** Checks that the report on an index is not empty, and is short, whatever the index contains. */
function checkProblem({ source, ...problem }: HelmFailures['repository-index-invalid']): void {
  expect(source).toBe('test');
  switch (problem.problem) {
    case 'content':
      expect(problem.why.length).toBeGreaterThan(0);
      expect(problem.why.length).toBeLessThan(1000);
      break;
    case 'time':
      expect(problem.text.length).toBeGreaterThan(0);
      expect(problem.text.length).toBeLessThan(1000);
      break;
    case 'values':
      expect(problem.max).toBeGreaterThan(0);
      break;
    case 'nesting':
      break;
  }
}

function checkIndex(index: RepositoryIndex): void {
  for (const [name, versions] of index.charts) {
    for (const one of versions) {
      expect(isVersion(one.metadata.version)).toBe(true);
      expect(one.metadata.name).not.toMatch(/\//);
      expect(one.urls.every((url) => typeof url === 'string')).toBe(true);
      expect(typeof one.digest).toBe('string');
      // A range with a pre-release accepts every version, or another version with the same rank.
      expect(versions).toContain(chooseVersion(index, 'test', name, one.metadata.version));
    }
    const order = versions.map(({ metadata }) => parseVersion(metadata.version));
    expect(order.every((one, at) => at === 0 || compareVersions(order[at - 1]!, one) >= 0)).toBe(true);
  }
}

it('refuses an index of 50 MiB that has nothing but values before it fills the memory', () => {
  const index = `apiVersion: v1\nentries:\n  a: [${'[],'.repeat(16 * 1024 * 1024)}]\n`;
  expect(() => readIndex(index, 'test')).toThrow(
    helmFailed('repository-index-invalid', { source: 'test', problem: 'values', max: 3_000_000 }),
  );
});

it('says what it left out, and why', () => {
  const index = 'apiVersion: v1\nentries:\n  "a\\e[31m":\n  - {name: a, version: "\\e[2J"}\n  - null\n';
  const chart = 'a\u001b[31m';
  expect(readIndex(index, 'test').notices).toEqual([
    {
      chart,
      version: '\u001b[2J',
      why: 'validation: chart.metadata.version "\\u001b[2J" is invalid',
    },
    { chart, version: '', why: 'empty entry' },
  ]);
});
