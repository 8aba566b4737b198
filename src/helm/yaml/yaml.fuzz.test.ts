import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES, SEED } from '../../../test/fuzz/seed.ts';
import { bytesToText } from '../value/bytes.ts';
import type { Value } from '../value/value.ts';
import { readYaml } from './read-yaml.ts';
import { writeYaml, writeYamlPretty } from './write-yaml.ts';
import { YamlError } from './yaml-error.ts';

const piece = fc.constantFrom(
  ...[
    'a',
    '1',
    '-',
    '- ',
    '? ',
    ': ',
    ':',
    '\n',
    '\n ',
    '\n  ',
    '\t',
    ' ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '#',
    '&a ',
    '*a',
    '!t ',
    '!!int ',
  ],
  ...[
    '|',
    '>',
    '|2-',
    '%YAML 1.1\n',
    '%TAG ! x\n',
    '---\n',
    '...\n',
    '<<',
    '\\',
    '\\x',
    '@',
    '`',
    '\r',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\0',
    '😀',
    '__proto__: ',
    '!<',
  ],
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytesToText) },
  { weight: 1, arbitrary: fc.tuple(piece, fc.nat({ max: 3000 })).map(([one, times]) => one.repeat(times)) },
);

it(`reads or refuses ${CASES} hostile texts, and reads what it writes (LOGTOOL_SEED=${SEED})`, () => {
  let read = 0;
  for (const one of fc.sample(text, { seed: SEED, numRuns: CASES })) {
    const value = readOrRefuse(one);
    if (value === undefined) continue;
    read++;
    expect(readYaml(writeYaml(value)), `LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`).toEqual(value);
  }
  expect(read).toBeGreaterThan(CASES / 50);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

function readOrRefuse(one: string): Value | undefined {
  try {
    return readYaml(one);
  } catch (error) {
    if (!(error instanceof YamlError))
      throw new Error(`LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`, { cause: error });
    return undefined;
  }
}

it('refuses values that contain themselves', () => {
  const map = new Map<string, Value>();
  map.set('inside', [map]);
  expect(() => writeYaml(map)).toThrow('encountered a cycle');
  expect(() => writeYamlPretty(map)).toThrow();
});

it('follows aliases only as far as go-yaml does', () => {
  const levels = Array.from(
    { length: 20 },
    (_, level) => `l${level + 1}: &l${level + 1} [${'*l'.concat(String(level), ',').repeat(9)}]`,
  );
  expect(() => readYaml(`l0: &l0 [x]\n${levels.join('\n')}`)).toThrow('document contains excessive aliasing');
});

it('refuses what is nested without measure, in every form', () => {
  for (const one of ['[', '{a: ', '- ', '? ', '{? ', '!!x [']) {
    expect(() => readYaml(one.repeat(100_000)), one).toThrow(YamlError);
  }
});
