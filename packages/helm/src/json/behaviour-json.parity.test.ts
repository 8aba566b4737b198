import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/fuzz/code-point.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';
import { evaluateInHelm } from '../../../../test/support/oracles/helm-eval.ts';
import type { Value } from '../value/value.ts';
import { readJson, readJsonArray, readJsonMap } from './read-json.ts';
import { writeJson } from './write-json.ts';

const SEED = 20_261_121;
const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('<a>&b', '\u2028\u2029', '\b\f\v\0', '\u007f', '/', '😀'),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 1e21, 1e20, 1e-6, 1e-7, -0),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const VALUES = fc.sample(tree, { seed: SEED, numRuns: 2000 });

it.each(HELM_VERSIONS)('writes JSON as helm %s does, in each of its three styles', async (version) => {
  const expression = 'print (toJson $case) "\\n" (toRawJson $case) "\\n" (toPrettyJson $case)';
  const theirs = await evaluateInHelm(version, expression, VALUES);
  const ours = VALUES.map((value) => {
    const one = readJson(JSON.stringify(value));
    return [writeJson(one), writeJson(one, { escapeHtml: false }), writeJson(one, { indent: '  ' })].join(
      '\n',
    );
  });
  expect(theirs).toEqual(ours);
});

const piece = fc.constantFrom(
  ...'{}[],:"\\ -0123.eE+tfn',
  'true',
  'false',
  'null',
  '"a"',
  '"b":',
  '\\u00e9',
  '\\q',
  '\n',
  '\t',
  '\u0001',
  'é',
  '😀',
  "'",
  '1.',
  '1e',
  '"\\u12',
);
const TEXTS = [
  '',
  ' ',
  'null',
  '1 2',
  '{} x',
  '{"a" 1}',
  '{"a":1,}',
  '[1,]',
  '{a:1}',
  'tru',
  'nule',
  '01',
  '-',
  '1.x',
  '"\u0000"',
  "'",
  '"\\ud800"',
  '\u00a0',
  '\u00ad',
  ...fc.sample(
    fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
    { seed: SEED, numRuns: 4000 },
  ),
];

it.each(HELM_VERSIONS)('reads JSON as helm %s does, errors included', async (version) => {
  const theirs = await evaluateInHelm(version, 'list (fromJson $case) (fromJsonArray $case) | toJson', TEXTS);
  const differing = TEXTS.flatMap((one, index) => {
    // Go decodes null to null; logtool's value is empty.
    if (one.trim() === 'null') return [];
    const ours = writeJson([
      orError(
        () => readJsonMap(one),
        (message) => new Map([['Error', message]]),
      ),
      orError(
        () => readJsonArray(one),
        (message) => [message],
      ),
    ]);
    return ours === theirs[index] ? [] : [{ text: one, ours, theirs: theirs[index] }];
  });
  expect(differing.slice(0, 10)).toEqual([]);
});

function orError(read: () => Value, failed: (message: string) => Value): Value {
  try {
    return read();
  } catch (error) {
    return failed((error as Error).message);
  }
}
