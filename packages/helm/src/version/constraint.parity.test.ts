import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateInHelm } from '../../../../test/support/oracles/helm-eval.ts';
import { parseConstraint, satisfies } from './constraint.ts';
import { parseVersion } from './version.ts';

const number = fc.constantFrom('0', '1', '2', '3', '10', '01');
const wild = fc.oneof({ weight: 4, arbitrary: number }, fc.constantFrom('x', 'X', '*'));
const ends = fc.constantFrom('-alpha', '-alpha.1', '-alpha.10', '-1', '-0', '+build', '-rc.1+b');
const suffix = fc.oneof({ weight: 5, arbitrary: fc.constant('') }, ends);
const dotted = (number: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('', 'v'), fc.array(number, { minLength: 1, maxLength: 3 }), suffix)
    .map(([prefix, pieces, end]) => prefix + pieces.join('.') + end);
const operator = fc.constantFrom('', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '~', '~>', '^');
const single = fc.tuple(operator, fc.constantFrom('', ' '), dotted(wild)).map((pieces) => pieces.join(''));
const range = fc.tuple(dotted(wild), dotted(wild)).map((versions) => versions.join(' - '));
const constraint = fc
  .array(fc.oneof({ weight: 6, arbitrary: single }, range), { minLength: 1, maxLength: 3 })
  .chain((versions) =>
    fc.constantFrom(' ', ', ', ',', ' || ', '||', '  ').map((separator) => versions.join(separator)),
  );

const CASES = fc
  .sample(fc.tuple(dotted(number), constraint), { seed: 7, numRuns: 6000 })
  .filter(([, text]) => isValid(text));

// Helm 3.17.2 has an older library with other rules for pre-releases.
it('fits versions to constraints as helm 4.1.4 does', async () => {
  expect(CASES.length).toBeGreaterThan(3000);
  const theirs = await evaluateInHelm(
    '4.1.4',
    'semverCompare (index $case 1) (index $case 0) | toString',
    CASES,
  );
  expect(theirs).toHaveLength(CASES.length);
  const differing = CASES.flatMap(([version, text], index) => {
    const ours = String(satisfies(parseVersion(version), parseConstraint(text)));
    return ours === theirs[index] ? [] : [{ version, constraint: text, ours, theirs: theirs[index] }];
  });
  expect(differing.slice(0, 10)).toEqual([]);
});

function isValid(text: string): boolean {
  try {
    parseConstraint(text);
    return true;
  } catch {
    return false;
  }
}

it.each([
  '',
  ' ',
  '1.2.3.4',
  '>1.2.3 <',
  'abc',
  '1 -2',
  '1,,2',
  '== 1',
  '1 & 2',
  '1|2',
  `>${' '.repeat(5000)}1`,
])('refuses %j', (text) => {
  expect(() => parseConstraint(text)).toThrow(/constraint/);
});

it('reads a long constraint that is wrong at its end at once', () => {
  expect(() => parseConstraint(`${'1  '.repeat(1300)}!`)).toThrow('improper constraint');
});
