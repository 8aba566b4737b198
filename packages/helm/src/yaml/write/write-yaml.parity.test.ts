import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HELM_VERSIONS } from '../../../../../test/support/oracles/helm.ts';
import { evaluateInHelm } from '../../../../../test/support/oracles/helm-eval.ts';
import { readJson } from '../../json/read-json.ts';
import type { Value } from '../../value/value.ts';
import { GO_YAML_2, GO_YAML_3 } from './dialect.ts';
import { keyOrder } from './key-order.ts';
import { writeYaml, writeYamlPretty } from './write-yaml.ts';

const SAMPLES = [
  'yes',
  'No',
  'on',
  'null',
  '~',
  'true',
  '<<',
  '.inf',
  '-.INF',
  '.nan',
  '0x1F',
  '0b11',
  '0o17',
  '017',
  '08',
  '1_000',
]
  .concat([
    '1e3',
    '1.',
    '.5',
    '+.5',
    '-',
    '--',
    '---',
    '...',
    '--- a',
    '?',
    '? a',
    ':',
    'a:',
    'a: b',
    'a #b',
    '#a',
    '1:30',
    '190:20:30.15',
  ])
  .concat([
    '2001-01-01',
    '2001-1-1',
    '2001-02-30',
    '2001-01-01T00:00:00Z',
    '2001-01-01 10:00:00',
    '2001-01-01t1:2:3.4+01:00',
    '=',
    '1e400',
  ])
  .concat([
    '9223372036854775808',
    '18446744073709551616',
    '-9223372036854775809',
    '- a',
    '-a',
    '[a]',
    '{a}',
    '@a',
    '`a`',
    '%a',
    '!a',
    '&a',
    '*a',
  ])
  .concat([
    "'",
    '"',
    '\\',
    'a\tb',
    '\t',
    '\n',
    '\n\n',
    ' \n',
    'a\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a \nb',
    'a\n b',
    'a\r\nb',
    'a\u2028b',
    'a\u2028 b',
    '\u2029',
  ])
  .concat([
    '\u0085',
    'a\u0085b',
    'a \u0085 b',
    '\u0085\u0085a',
    '\ufeffabc',
    'a\ufeffb',
    '\u007f',
    '\u009f',
    '\ufffe',
    '😀',
    'a😀b',
    '\u00a0',
    '\u0000',
    '\u001b',
    '\b\f\v',
  ])
  .concat([
    'é'.repeat(70),
    'a '.repeat(60),
    'ab  '.repeat(40),
    `${'x'.repeat(90)} y z`,
    `"${'q '.repeat(60)}`,
    `'${'q '.repeat(60)}"`,
    `é: ${'w '.repeat(60)}`,
  ])
  .concat([
    '<a>&b',
    'k'.repeat(127),
    'k'.repeat(128),
    'k'.repeat(129),
    'é'.repeat(65),
    'k '.repeat(100),
    'k'.repeat(1019),
    'k'.repeat(1020),
    'k'.repeat(1021),
    'k'.repeat(1022),
    'k'.repeat(1023),
    'k'.repeat(1030),
    '\u0001'.repeat(170),
  ]);

const alphabet = fc.constantFrom(
  ...'abcXYZ019 .-_:#,?[]{}&*!|>\'"%@`~=<+/\\\n\t\r',
  '  ',
  ': ',
  ' #',
  '\n ',
  ' \n',
  '\u0085',
  '\u2028',
  'é',
  '中',
  '😀',
  '\ufeff',
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(alphabet, { maxLength: 12 }).map((pieces) => pieces.join('')) },
  {
    weight: 1,
    arbitrary: fc.array(alphabet, { minLength: 60, maxLength: 160 }).map((pieces) => pieces.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom('a', 'bc', 'def', "it's", '"q"', 'é', 'word:', '#x'), {
        minLength: 10,
        maxLength: 60,
      })
      .map((pieces) => pieces.join(' ')),
  },
  { weight: 2, arbitrary: fc.constantFrom(...SAMPLES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[-+]?[0-9_.:eExb]{1,12}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ab01.]{1,6}$/) },
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e6, 1e20, 1e21, 1.5e-7, -0, 2 ** 63, -(2 ** 63), 1e19, 2 ** 53),
);
const scalar = fc.oneof({ weight: 4, arbitrary: text }, number, fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

const SEED = 20_261_121;
const CASES: readonly unknown[] = [
  ...SAMPLES,
  ...SAMPLES.map((sample) => ({ [sample]: [sample, { k: sample }] })),
  ...fc.sample(text, { seed: SEED, numRuns: 3000 }),
  ...fc.sample(tree, { seed: SEED, numRuns: 3000 }).filter(hasOneOrder),
];

/** For some keys the natural order is cyclic (9] < 11 < 1e3 < 9]), and Helm's output varies between runs. */
function hasOneOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const isOrdered = [GO_YAML_2, GO_YAML_3].every((dialect) => {
    const sorted = [...keys].sort((a, b) => keyOrder(a, b, dialect));
    return sorted.every((key, index) =>
      sorted.slice(index + 1).every((later) => keyOrder(key, later, dialect) < 0),
    );
  });
  return isOrdered && Object.values(value).every(hasOneOrder);
}

it.each(HELM_VERSIONS)('writes YAML as helm %s does, byte for byte', async (version) => {
  const theirs = await evaluateInHelm(version, 'toYaml $case', CASES);
  expect(differences(theirs, writeYaml)).toEqual([]);
});

it.each(HELM_VERSIONS)('writes pretty YAML as helm %s does, byte for byte', async (version) => {
  const theirs = await evaluateInHelm(version, 'toYamlPretty $case', CASES);
  expect(differences(theirs, writeYamlPretty)).toEqual([]);
});

/** Returns the first few differences. */
function differences(theirs: readonly string[], write: (value: Value) => string): unknown[] {
  expect(theirs).toHaveLength(CASES.length);
  const all = CASES.flatMap((value, index) => {
    const ours = orNothing(() => write(readJson(JSON.stringify(value))).replace(/\n$/, ''));
    return ours === theirs[index] ? [] : [{ value: JSON.stringify(value), ours, theirs: theirs[index] }];
  });
  return all.slice(0, 10);
}

/** Helm writes an empty text for a value that YAML cannot represent. */
function orNothing(write: () => string): string {
  try {
    return write();
  } catch {
    return '';
  }
}
