import { expect, it } from 'vitest';
import { templateInHelm } from '../../../../test/support/oracles/helm-template.ts';
import { issuesOf, schemaIssues } from '../../test/support/issues-of.ts';
import type { Chart } from '../chart/chart.ts';
import { readValues } from '../values/user-values.ts';
import { validateValues } from './validate-values.ts';

function chart(schema: unknown, dependencies: readonly Chart[] = [], name = 'chart'): Chart {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return {
    metadata: { apiVersion: 'v2', name, version: '1.0.0' },
    templates: [],
    values: new Map(),
    files: [],
    dependencies,
    ...(schema !== undefined && { schema: Buffer.from(text) }),
  };
}

async function refusal(
  schema: unknown,
  values: string,
  dependencies: readonly Chart[] = [],
): Promise<string> {
  try {
    await validateValues(chart(schema, dependencies), readValues(values));
    return '';
  } catch (thrown) {
    return issuesOf(thrown).join('\n');
  }
}

/** Returns the problem of the only chart. */
async function problemOf(schema: unknown, values: string): Promise<unknown> {
  try {
    await validateValues(chart(schema), readValues(values));
  } catch (thrown) {
    const [issue, ...others] = schemaIssues(thrown);
    expect([issue?.chart, others]).toEqual(['chart', []]);
    return issue?.problem;
  }
  throw new Error('nothing was refused');
}

const properties = (rules: object, more: object = {}) => ({ properties: { a: rules }, ...more });

const CASES: readonly (readonly [object, string])[] = [
  [properties({ type: 'string' }), 'a: 1'],
  [properties({ type: ['string', 'boolean'] }), 'a: [1]'],
  [properties({ type: 'integer' }), 'a: 1.5'],
  [properties({ type: 'string' }), 'a: null'],
  [{ required: ['a', 'b'] }, 'c: 1'],
  [{ required: ['b'] }, 'c: 1'],
  [properties({ minimum: 5 }), 'a: 1'],
  [properties({ maximum: 5 }), 'a: 9'],
  [properties({ exclusiveMinimum: 5 }), 'a: 5'],
  [properties({ multipleOf: 2 }), 'a: 5'],
  [properties({ minLength: 3 }), 'a: éé'],
  [properties({ maxLength: 1 }), 'a: éé'],
  [properties({ maxItems: 1 }), 'a: [1, 2]'],
  [properties({ minItems: 1 }), 'a: []'],
  [properties({ minProperties: 1 }), 'a: {}'],
  [properties({ maxProperties: 1 }), 'a: {b: 1, c: 2}'],
  [properties({ enum: ['x', 'y', 1] }), 'a: z'],
  [properties({ const: 'x' }), 'a: z'],
  [properties({ pattern: '^[a-z]+$' }), 'a: "1"'],
  [properties({ enum: ["it's", 'a"b', 'é\n'] }), 'a: "\\t\\u0001"'],
  [properties({ additionalProperties: false }), 'a: {b: 1}'],
  [properties({ uniqueItems: true }), 'a: [1, 2, 1]'],
  [properties({ not: { type: 'string' } }), 'a: x'],
  [
    properties(
      {},
      { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { type: 'boolean' } } },
    ),
    'a: x',
  ],
  [
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { a: { minimum: 1, exclusiveMinimum: true } },
    },
    'a: 1',
  ],
  [
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      properties: { a: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'number' } },
    },
    'a: x',
  ],
  [{ properties: { a: { properties: { 'x/y~z': { type: 'number' } } } } }, 'a: {x/y~z: b}'],
];

it.each(CASES)('says of %j with %j what helm 4 says', async (schema, values) => {
  const result = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': values,
    'values.schema.json': JSON.stringify(schema),
  });
  expect(result.exitCode).not.toBe(0);
  const lines = result.stderr.split('\n').filter((line) => line.startsWith('- at'));
  expect(await refusal(schema, values)).toBe(`chart:\n${lines.join('\n')}`);
});

it.each(['anyOf', 'oneOf'])('says of %s what helm 4 says, and why', async (keyword) => {
  const schema = properties({ [keyword]: [{ type: 'string' }, { type: 'boolean' }] });
  const result = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': 'a: 1',
    'values.schema.json': JSON.stringify(schema),
  });
  const theirs = result.stderr.split('\n').filter((line) => line.trim().startsWith('- at'));
  // Helm indents its lines below the first one.
  const ours = (await refusal(schema, 'a: 1')).split('\n').slice(1);
  expect(ours.sort()).toEqual(theirs.map((line) => line.trim()).sort());
});

it('takes values that fit, and values without a schema', async () => {
  expect(await refusal({ properties: { a: { type: 'integer' } } }, 'a: 1')).toBe('');
  expect(await refusal(undefined, 'a: 1')).toBe('');
  expect(await refusal(true, 'a: 1')).toBe('');
  expect(
    await refusal(
      { $schema: 'http://json-schema.org/draft-04/schema#', properties: { id: { type: 'string' } } },
      'id: x',
    ),
  ).toBe('');
});

it('checks the values of sub-charts against their own schemas', async () => {
  const sub = chart({ required: ['age'] }, [], 'sub');
  expect(await refusal(undefined, 'sub: {name: x}', [sub])).toBe("sub:\n- at '': missing property 'age'");
  expect(await refusal(undefined, 'sub: 1', [sub])).toBe(
    'sub:\ninvalid type for values: expected object (map), got float64',
  );
  expect(await refusal(undefined, 'other: 1', [sub])).toBe('');
});

it.each(['https://example.com/s.json', 'http://127.0.0.1:1/s.json', 'file:///etc/passwd', 'other.json'])(
  'never follows a reference to %s',
  async ($ref) => {
    expect(await problemOf({ properties: { a: { $ref } } }, 'a: 1')).toEqual({
      of: 'reference',
      reference: expect.stringContaining($ref),
    });
  },
);

it.each([
  { properties: { a: { $ref: 'urn:example:x' } }, required: ['b'] },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: { a: { $ref: 'urn:x:y#' }, c: { $ref: 'urn:x:z' } },
    required: ['b'],
  },
])('accepts %j, of which a name without a place is a part, as helm 4 does', async (schema) => {
  const result = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': 'a: 1',
    'values.schema.json': JSON.stringify(schema),
  });
  const lines = result.stderr.split('\n').filter((line) => line.startsWith('- at'));
  expect(lines).toEqual(["- at '': missing property 'b'"]);
  expect(await refusal(schema, 'a: 1')).toBe(`chart:\n${lines.join('\n')}`);
});

const invalid = (why: string | RegExp) => ({ of: 'invalid', why: expect.stringMatching(why) });
it.each([
  ['{', invalid(/^unexpected end of JSON input$/)],
  ['[]', { of: 'schema-type' }],
  [{ type: 'strin' }, invalid(/^schema is invalid: /)],
  [{ $schema: 'https://example.com/own' }, { of: 'draft', draft: '"https://example.com/own"' }],
  [{ properties: { a: { pattern: '(?=x)' } } }, invalid(/pattern|regex|Perl|invalid/i)],
  [{ $ref: '#' }, { of: 'endless' }],
])('says what is wrong with schema %j', async (schema, problem) => {
  expect(await problemOf(schema, 'a: x')).toEqual(problem);
});

it('names fifty places, and how many more there are', async () => {
  const names = Array.from({ length: 53 }, (_, at) => `v${at}`);
  const schema = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
  const problem = await problemOf(schema, names.map((name) => `${name}: 1\n`).join(''));
  const lines = names.slice(0, 50).map((name) => `- at '/${name}': got number, want string`);
  expect(problem).toEqual({ of: 'values', lines, more: 3 });
});

it('is not taken in by names of what every object has', async () => {
  expect(await refusal({ required: ['constructor', '__proto__', 'toString'] }, 'a: 1')).toMatch(
    /missing properties/,
  );
  expect(
    await refusal({ properties: { ['__proto__']: { type: 'string' } } }, '__proto__: {polluted: true}'),
  ).not.toContain('Error');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('matches a pattern that would take a backtracking engine forever', async () => {
  const schema = { properties: { a: { pattern: '^(a+)+$' } } };
  expect(await refusal(schema, `a: ${'a'.repeat(5000)}b`)).toContain('does not match pattern');
});
