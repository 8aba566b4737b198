import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES, SEED } from '../../../../test/support/fuzz/seed.ts';
import { writeJson } from '../json/write-json.ts';
import { bytesToText } from '../value/bytes.ts';
import type { Value } from '../value/value.ts';
import { readYaml } from './read-yaml.ts';
import { writeYaml, writeYamlPretty } from './write/write-yaml.ts';
import { YamlError } from './yaml-error.ts';

/** The longest quoted key that go-yaml recognizes; an unquoted key may be longer by the quotes. */
const MAX_QUOTED_KEY = 1024;

/** Go-yaml writes this key without quotes, even if it was read with quotes, and then treats it as a merge. */
const MERGE_KEY = '<<';

const piece = fc.constantFrom(
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
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytesToText) },
  { weight: 1, arbitrary: fc.tuple(piece, fc.nat({ max: 3000 })).map(([one, times]) => one.repeat(times)) },
);

it(`reads or refuses ${CASES} hostile texts, and reads what it writes (LOGTOOL_SEED=${SEED})`, () => {
  let read = 0;
  for (const one of fc.sample(text, { seed: SEED, numRuns: CASES })) {
    const value = readOrRefuse(one);
    if (value === undefined) continue;
    read++;
    const note = `LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`;
    const keys = keysOf(value);
    if (keys.some((key) => [...writeJson(key)].length > MAX_QUOTED_KEY)) {
      expect(() => writeYaml(value), note).toThrow(YamlError);
    } else if (keys.includes(MERGE_KEY)) {
      expect(writeYaml(value), note).toContain(`${MERGE_KEY}:`);
    } else {
      expect(readYaml(writeYaml(value)), note).toEqual(value);
    }
  }
  expect(read).toBeGreaterThan(CASES / 50);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

/** Returns the keys of all mappings in a value. */
function keysOf(value: Value): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([key, one]) => [key, ...keysOf(one)]);
}

function readOrRefuse(one: string): Value | undefined {
  try {
    return readYaml(one);
  } catch (error) {
    if (!(error instanceof YamlError))
      throw new Error(`LOGTOOL_SEED=${SEED}: ${JSON.stringify(one)}`, { cause: error });
    return undefined;
  }
}

it('reads the longest key without quotes, and refuses to write it as its quoted form is refused', () => {
  const longest = 'k'.repeat(1024);
  expect(readYaml(`${longest}: 1`)).toBeInstanceOf(Map);
  expect(() => readYaml(`"${longest}": 1`)).toThrow(YamlError);
  expect(() => writeYaml(new Map([[longest, true]]))).toThrow(YamlError);
});

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

it.each([998, 999, 1_000])(
  'reads again what it writes of %i sequences in each other, or refuses both',
  (depth) => {
    for (const one of ['- ', '- - ', '{a: ', '? ', 'a:\n- ']) {
      const text = one.startsWith('{') ? `${one.repeat(depth)}${'}'.repeat(depth)}` : one.repeat(depth);
      const value = readOrRefuse(text);
      if (value !== undefined) expect(readYaml(writeYaml(value)), one).toEqual(value);
    }
  },
);

it('refuses what is nested without measure, in every form', () => {
  for (const one of ['[', '{a: ', '- ', '? ', '{? ', '!!x [']) {
    expect(() => readYaml(one.repeat(100_000)), one).toThrow(YamlError);
  }
});
