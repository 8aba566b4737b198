import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../../../test/oracle/helm.ts';
import { parseConstraint, satisfies } from './constraint.ts';
import { parseVersion } from './version.ts';

const VERSIONS = [
  '0',
  '0.0.0',
  '0.0.3',
  '0.0.4',
  '0.2.3',
  '0.3.0',
  '1',
  '1.2',
  '1.2.3',
  'v1.2.3',
  '1.2.4',
  '1.3.0',
  '1.10.0',
  '2.0.0',
  '2.0.0-alpha',
  '2.0.0-alpha.1',
  '2.0.0-beta.2',
  '2.0.0-beta.11',
  '2.0.0-rc.1+build.5',
  '2.1.0+meta',
  '11.0.0',
  '11.1.1',
  '12.0.0',
  '1.2.3-0',
  '01.2.3',
  '18446744073709551615.0.0',
];
const CONSTRAINTS = [
  '*',
  'x',
  '1',
  '1.x',
  '1.2',
  '1.2.x',
  '1.2.*',
  '=1.2.3',
  'v1.2.3',
  '!=1.2.3',
  '!=1.2',
  '!=1',
  '!=1.2.x',
  '>1',
  '>1.2',
  '>1.2.3',
  '>=1',
  '>=1.2.3',
  '=>1.2.3',
  '<2',
  '<=1',
  '<=1.2',
  '<=1.2.3',
  '=<1.2.3',
  '~1',
  '~1.2',
  '~1.2.3',
  '~>1.2.3',
  '~0',
  '~0.0.0',
  '~2.0.0-alpha',
  '^1',
  '^1.2',
  '^1.2.3',
  '^0',
  '^0.0',
  '^0.0.3',
  '^0.2',
  '^0.2.3',
  '^2.0.0-0',
  '>=1.0.0-0',
  '>=1.0.0 <2.0.0',
  '>=1.0.0, <2.0.0',
  '>= 1.0.0 , < 2',
  '1.2 - 1.4',
  '1.0.0 - 2',
  '^1 || ^2',
  '^1||11.x',
  '<2.0.0 || >=11',
  '>1.x',
  '<=11',
  '>11',
  '>11.1',
  '~11.1',
  '!=11.x',
  '>=2.0.0-beta',
  '>2.0.0-alpha <2.0.0',
  '*-0',
  '>=1.2.3+build',
  '  1.2.3  ',
  '>=1.0.0 ',
  'x.x.x',
  '1.x.x',
  '>=0.0.0-0',
];
const BROKEN = [
  '',
  'latest',
  '>>1',
  '1.2.3.4',
  '>=1,',
  ',',
  '^',
  '1..2',
  '|| ',
  '1 ||',
  '>= 1.0.0 and <2',
  '-1',
  '1.2.3-',
  '1 - ',
];

/** What a real helm says of every pair, in one rendering. */
async function ask(version: (typeof HELM_VERSIONS)[number], pairs: readonly (readonly [string, string])[]) {
  const home = await mkdtemp(join(tmpdir(), 'logtool-semver-'));
  try {
    await mkdir(join(home, 'templates'));
    await writeFile(join(home, 'Chart.yaml'), 'apiVersion: v2\nname: ask\nversion: 0.1.0\n');
    const lines = pairs.map(
      ([range, text]) => `{{ semverCompare ${JSON.stringify(range)} ${JSON.stringify(text)} }}`,
    );
    await writeFile(join(home, 'templates/a.yaml'), `a: |\n${lines.map((line) => `  ${line}\n`).join('')}`);
    const { stdout, stderr } = await helm(version, ['template', 'r', home], { home });
    if (stderr !== '') return stderr;
    return stdout
      .toString()
      .split('\n')
      .filter((line) => /^ {2}/.test(line))
      .map((line) => line.trim());
  } finally {
    await rm(home, { recursive: true });
  }
}

/** Helm 3.17 has an older library, which judged pre-releases bound by bound: 4.1 is followed. */
const CHANGED_SINCE_3 = ['!=1.2.3', '>2.0.0-alpha <2.0.0'];

const pairs = CONSTRAINTS.flatMap((range) => VERSIONS.map((text) => [range, text] as const));

test.each(HELM_VERSIONS)('ranges hold what they hold in helm %s', async (version) => {
  const ours = pairs.map(([range, text]) => String(satisfies(parseVersion(text), parseConstraint(range))));
  const theirs = await ask(version, pairs);
  const differences = pairs.flatMap(([range, text], at) =>
    ours[at] === theirs[at] || (version === '3.17.2' && text.includes('-') && CHANGED_SINCE_3.includes(range))
      ? []
      : [`${range} of ${text}: ${ours[at]}, helm ${theirs[at]}`],
  );
  expect(differences).toEqual([]);
});

test.each(BROKEN)('%s is no range, in helm neither', async (range) => {
  expect(await ask('4.1.4', [[range, '1.2.3']])).toMatch(/improper constraint|error/i);
  expect(() => parseConstraint(range)).toThrow(/improper constraint/);
});

test.each(['', 'a', '1.2.3.4', '-1', '1.2.3-01', '1.2.3+', '99999999999999999999.0.0', 'v', '1.'])(
  '%s is no version',
  (text) => {
    expect(() => parseVersion(text)).toThrow();
  },
);

test('a range that could take long to read does not', () => {
  expect(() => parseConstraint(`${'1.'.repeat(400)}!`)).toThrow();
  expect(() => parseConstraint(`${'1 '.repeat(400)}!`)).toThrow();
  expect(() => parseConstraint(`1${'-a'.repeat(400)}!`)).toThrow();
});
