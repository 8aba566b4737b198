import { readFileSync } from 'node:fs';
import type { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';
import { expect, it } from 'vitest';
import { shown } from '../../../../test/support/helm/shown.ts';
import type { ValueMap } from '../value/value.ts';
import { mergeMaps, readUserValues, readValues, type ValueFlags } from './user-values.ts';

function refusal(flags: ValueFlags, files: Readonly<Record<string, string>> = {}): LogtoolError {
  try {
    readUserValues(flags, (path) => files[path] ?? readFileSync(path, 'utf8'));
  } catch (error) {
    return shown(error) as LogtoolError;
  }
  throw new Error('nothing was refused');
}

it('names the file that is missing, or is none of values', () => {
  const missing = refusal({ files: ['/no/such.yaml'] });
  expect(missing).toMatchObject({ code: 'values-file-unreadable', exit: 'usage' });
  expect(missing.what).toBe('/no/such.yaml cannot be read');
  const list = refusal({ files: ['list.yaml'] }, { 'list.yaml': '- a\n' });
  expect(list).toMatchObject({
    code: 'values-file-invalid',
    what: 'list.yaml is not a values file',
    exit: 'usage',
  });
  expect(list.why).toContain('cannot unmarshal array');
});

it('names the flag that cannot be read, and why', () => {
  const error = refusal({ typed: ['a.b=1', 'a=b,c'] });
  expect(error).toMatchObject({
    code: 'invalid-value-flag',
    what: '--set a=b,c cannot be read',
    exit: 'usage',
  });
  expect(error.why).toBe('key "c" has no value');
});

it('takes no key for a property of every object', () => {
  const values = readUserValues({ typed: ['__proto__.polluted=true,constructor.prototype.x=1'] }, () => '');
  expect([...values.keys()]).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('refuses a key of thousands of indexes, and what is nested as deep', () => {
  const indexes = (count: number) => refusal({ typed: [`a${'[0]'.repeat(count)}=1`] }).why;
  expect(indexes(101)).toBe('more than 100 indexes stand side by side');
  expect(indexes(40_000)).toBe('more than 100 indexes stand side by side');
  expect(readUserValues({ typed: [`a${'[0]'.repeat(100)}=1`] }, () => '').size).toBe(1);
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
  expect(refusal({ json: [`a=${deep}`] }).why).toBe('exceeded max depth');
  expect(refusal({ files: ['deep.yaml'] }, { 'deep.yaml': `a: ${deep}` }).why).toContain(
    'exceeded max depth',
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
