import { expect, it } from 'vitest';
import { templateInHelm } from '../../../../test/support/oracles/helm-template.ts';
import { issuesOf } from '../../test/support/issues-of.ts';
import { readValues } from '../values/user-values.ts';
import { validateValues } from './validate-values.ts';

/** Returns logtool's message about the values of a chart; `undefined` if they match. */
async function ours(schema: unknown, values: string): Promise<string | undefined> {
  try {
    await validateValues(
      {
        metadata: { apiVersion: 'v2', name: 'chart', version: '1.0.0' },
        templates: [],
        values: new Map(),
        files: [],
        dependencies: [],
        schema: Buffer.from(JSON.stringify(schema)),
      },
      readValues(values),
    );
    return undefined;
  } catch (thrown) {
    return issuesOf(thrown).join('\n');
  }
}

/** Returns the real Helm's message. */
async function theirs(schema: unknown, values: string): Promise<string | undefined> {
  const { exitCode, stderr } = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': values,
    'values.schema.json': JSON.stringify(schema),
  });
  if (exitCode === 0) return undefined;
  return `chart:\n${stderr
    .split('\n')
    .filter((line) => line.startsWith('- at'))
    .join('\n')}`;
}

/** Helm reports properties in no fixed order. */
const lines = (text: string | undefined) => text?.split('\n').sort();

const OBJECTS = '[{x: 1}, {x: 2}]';
const LONG = Array.from({ length: 30 }, (_, index) => `{x: ${index}}`).join(', ');
const unique = (values: string): [object, string] => [{ uniqueItems: true }, values];
const one = (wanted: unknown, values: string): [object, string] => [{ const: wanted }, values];
const some = (wanted: unknown, values: string): [object, string] => [{ enum: wanted }, values];
const NESTED = { a: [1, { b: null }], c: 'x' };

it.each([
  unique(OBJECTS),
  unique('[{x: 1}, {x: 1.0}]'),
  unique('[{x: 1, y: [2, {}]}, 5, {y: [2, {}], x: 1}]'),
  unique('[{x: 1}, {x: "1"}, {x: true}, {x: null}, {x: []}, {x: {}}, {}, [], null, "", 0, false]'),
  unique('[{valueOf: 1, constructor: 2, toString: 3}, {valueOf: 1, constructor: 2, toString: 4}]'),
  unique('[{valueOf: 1, constructor: 2, toString: 3}, {toString: 3, valueOf: 1, constructor: 2}]'),
  unique('[{a: 1, b: 2}, {a: 1}, {"a\\":1,b": 2}]'),
  unique('[1, 2, 2, 1, 1]'),
  unique('[1, "1", 1.0]'),
  unique('[0, -0.0]'),
  unique('[[1, 2], [2, 1], [1, 2, 3], [[1, 2]], [1, [2]]]'),
  unique('[[1, 2], [1.0, 2.0]]'),
  unique(`[${LONG}]`),
  unique(`[${LONG}, {x: 7}, {x: 3}]`),
  unique('{x: 1}'),
  unique('[]'),
  [{ uniqueItems: false }, '[{x: 1}, {x: 1}]'],
  [{ items: { uniqueItems: true } }, '[[{x: 1}, {x: 2}], [{x: 1}, {x: 1}]]'],
  [{ uniqueItems: true, maxItems: 1, items: { type: 'object' } }, '[1, 1]'],
  one(NESTED, '{c: x, a: [1.0, {b: null}]}'),
  one(NESTED, '{c: x, a: [1, {b: 0}]}'),
  one({}, '{}'),
  one({}, '[]'),
  one([], '[]'),
  one([1, 2], '[2, 1]'),
  one(1, '1.0'),
  one(1.5, '1.5'),
  one(1, '"1"'),
  one(null, 'null'),
  one(null, 'false'),
  one('x', '{x: 1}'),
  some([NESTED, 1], '{a: [1, {b: null}], c: x}'),
  some([NESTED, 1], '1.0'),
  some([NESTED, 1], '{a: [1, {b: null}]}'),
  some([[1], [2]], '[3]'),
  some([[1], [2]], '[2]'),
  some([1, 'x', null], '{x: 1}'),
  some(['x'], 'y'),
  some([{ valueOf: 1 }, { constructor: 1 }], '{constructor: 1}'),
])('judges by %j the value %s as helm does', async (rules, value) => {
  const schema = { properties: { a: rules } };
  const values = `a: ${value}`;
  expect(await ours(schema, values)).toEqual(await theirs(schema, values));
});

it.each([
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
])('compares objects by %s too', async ($schema) => {
  const schema = { $schema, properties: { a: { uniqueItems: true }, b: { enum: [{ x: 1 }] } } };
  for (const values of [`a: ${OBJECTS}\nb: {x: 1}`, 'a: [{x: 1}, {x: 1}]\nb: {x: 2}'])
    expect(lines(await ours(schema, values))).toEqual(lines(await theirs(schema, values)));
});

it('compares each value of a long list once', async () => {
  const list = Array.from({ length: 50_000 }, (_, index) => `{x: ${index}}`).join(', ');
  expect(await ours({ properties: { a: { uniqueItems: true } } }, `a: [${list}]`)).toBeUndefined();
});
