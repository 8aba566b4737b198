import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateInHelm } from '../../../../../test/support/oracles/helm-eval.ts';
import { readJson } from '../../json/read-json.ts';
import { MarshalError, writeJson } from '../../json/write-json.ts';
import type { FunctionCall } from '../../template/function.ts';
import { sprintf } from '../../value/print.ts';
import type { Value } from '../../value/value.ts';
import { FROM_TOML, TO_TOML } from './toml.ts';

const SEED = 20_261_121;
const CALL = { charge() {} } as unknown as FunctionCall;

const odd = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'a b',
  '',
  'é',
  '"',
  "'",
  '\n',
  '\t',
  '1',
  '\u0001',
  '\u007f',
  '<&>',
  '\\',
  '😀',
  '\u0085',
);
const text = fc.oneof(odd, fc.string({ maxLength: 5 }));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, 1e21, 1e6, 100, -0),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, fc.oneof({ weight: 9, arbitrary: tie('tree') }, fc.constant(null)), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));
const VALUES = fc.sample(fc.dictionary(text, tree, { maxKeys: 4, noNullPrototype: true }), {
  seed: SEED,
  numRuns: 2000,
});

// The TOML library of helm 3.17.2 writes floats without exponents.
it('writes TOML as helm 4.1.4 does', async () => {
  const theirs = await evaluateInHelm('4.1.4', 'toToml $case', VALUES);
  expect(VALUES.map((value) => TO_TOML.run(CALL, [readJson(JSON.stringify(value))]))).toEqual(theirs);
});

const piece = fc.constantFrom(
  'a',
  'b = 1',
  'c = "x"',
  '[t]',
  '[[u]]',
  '\n',
  '\n',
  '\n',
  'd.e = 2',
  'x = [1, 2]',
  'y = {z = 1}',
  "s = 'q'",
  'f = 1.5',
  'g = 1e3',
  'h = true',
  'i = 2020-01-01T00:00:00Z',
  'j = 2020-01-01',
  'k = """m\nn"""',
  '# c',
  '=',
  '"',
  '[',
  'o = 0x1F',
  'p = 1_000',
  ' ',
);
const TEXTS = fc.sample(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  { seed: SEED, numRuns: 2000 },
);

/** Almost TOML, from small parts: most of it is wrong somewhere. */
const small = fc.constantFrom(
  'a',
  'b',
  'c',
  '.',
  '=',
  ' = ',
  '1',
  '0',
  '2',
  '_',
  '-',
  '+',
  ':',
  'T',
  'Z',
  'e',
  'x',
  'o',
  'inf',
  'nan',
  '"',
  "'",
  '""',
  '""" ',
  "'''",
  '\\',
  '\\n',
  '\\u00e9',
  '\\q',
  '\\x4',
  '[',
  ']',
  '[[',
  ']]',
  '{',
  '}',
  ',',
  '\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  '#',
  'é',
  'true',
  'false',
  '\u0001',
  '\u007f',
  '1979-05-27',
  '07:32:00',
  'a = 1\n',
  'b.c = "x"\n',
  '[a]\n',
  '[[b]]\n',
  'c = {a = 1}\n',
  '[a.b]\n',
  'a = [1, 2]\n',
  'x = ',
  'y = ',
  'z.',
);
const NEARLY = fc.sample(
  fc.array(small, { maxLength: 9 }).map((pieces) => pieces.join('')),
  { seed: SEED, numRuns: 6000 },
);

// Helm 3.17.2 has an older library, which accepts less and has other messages.
it.each([
  ['texts that are TOML for the most part', TEXTS],
  ['texts that are nearly TOML', NEARLY],
])('reads %s as helm 4.1.4 does, in the words of its errors', async (_name, texts) => {
  const shown = 'printf "%s %v" (fromToml $case | toJson) (fromToml $case)';
  const theirs = await evaluateInHelm('4.1.4', shown, texts);
  const ours = texts.map((one) => {
    const value = FROM_TOML.run(CALL, [one]) as Value;
    return sprintf('%s %v', [jsonOrNothing(value), value]);
  });
  expect(ours.map((answer, at) => [texts[at], answer])).toEqual(
    theirs.map((answer, at) => [texts[at], answer]),
  );
});

/** Infinities have no JSON: toJson returns an empty text. */
function jsonOrNothing(value: Value): string {
  try {
    return writeJson(value);
  } catch (error) {
    if (error instanceof MarshalError) return '';
    throw error;
  }
}
