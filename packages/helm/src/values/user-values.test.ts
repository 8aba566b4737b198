import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { ValueMap } from '../value/value.ts';
import { mergeMaps, readUserValues, readValues, type ValueFlags } from './user-values.ts';

function refusal(flags: ValueFlags, files: Readonly<Record<string, string>> = {}): unknown {
  try {
    readUserValues(flags, (path) => files[path] ?? readFileSync(path, 'utf8'));
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

it('names the file that is missing, or is none of values', () => {
  expect(refusal({ files: ['/no/such.yaml'] })).toEqual(
    helmFailed(
      'values-file-unreadable',
      { path: '/no/such.yaml', why: "ENOENT: no such file or directory, open '/no/such.yaml'" },
      'usage',
    ),
  );
  expect(refusal({ files: ['list.yaml'] }, { 'list.yaml': '- a\n' })).toEqual(
    helmFailed(
      'values-file-invalid',
      {
        path: 'list.yaml',
        why: 'cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
      },
      'usage',
    ),
  );
});

it('names the flag whose value is unreadable, and why', () => {
  expect(refusal({ typed: ['a.b=1', 'a=b,c'] })).toEqual(
    helmFailed('invalid-value-flag', { given: 'typed', text: 'a=b,c', why: 'key "c" has no value' }, 'usage'),
  );
});

it('takes no key for a property of every object', () => {
  const values = readUserValues({ typed: ['__proto__.polluted=true,constructor.prototype.x=1'] }, () => '');
  expect([...values.keys()]).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('refuses a key of thousands of indexes, and what is nested as deep', () => {
  const indexes = (count: number) => `a${'[0]'.repeat(count)}=1`;
  for (const text of [indexes(101), indexes(40_000)])
    expect(refusal({ typed: [text] })).toEqual(
      helmFailed(
        'invalid-value-flag',
        { given: 'typed', text, why: { problem: 'indexes', max: 100 } },
        'usage',
      ),
    );
  expect(readUserValues({ typed: [indexes(100)] }, () => '').size).toBe(1);
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
  expect(refusal({ json: [`a=${deep}`] })).toEqual(
    helmFailed(
      'invalid-value-flag',
      { given: 'json', text: `a=${deep}`, why: 'exceeded max depth' },
      'usage',
    ),
  );
  expect(refusal({ files: ['deep.yaml'] }, { 'deep.yaml': `a: ${deep}` })).toEqual(
    helmFailed(
      'values-file-invalid',
      {
        path: 'deep.yaml',
        why: 'cannot unmarshal yaml document: error converting YAML to JSON: yaml: exceeded max depth of 1000',
      },
      'usage',
    ),
  );
});

it('copies a table once, however many documents change it', () => {
  const owned = new Set<ValueMap>();
  const first: ValueMap = new Map([['table', new Map([['a', 'first']])]]);
  const next = (value: string): ValueMap => new Map([['table', new Map([[value, 'next']])]]);
  const merged = mergeMaps(first, next('b'), owned);
  const table = merged.get('table');
  expect(mergeMaps(merged, next('c'), owned)).toBe(merged);
  expect(merged.get('table')).toBe(table);
  expect(merged).toEqual(new Map([['table', new Map(Object.entries({ a: 'first', b: 'next', c: 'next' }))]]));
  expect(first).toEqual(new Map([['table', new Map([['a', 'first']])]]));
});

it("does not change an alias's value when a later document changes it", () => {
  const values = readValues('a: &x {one: 1}\nb: *x\n---\na: {two: 2}\n---\na: {three: 3}\n');
  expect(values.get('b')).toEqual(new Map([['one', 1]]));
  expect(values.get('a')).toEqual(new Map(Object.entries({ one: 1, two: 2, three: 3 })));
});
