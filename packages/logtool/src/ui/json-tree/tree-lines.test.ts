import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readsLike, valuesAt } from '../../domain/search/json-path.ts';
import { structureLine } from '../../domain/structured/structure-line.ts';
import { facetFilterOf } from '../console/url/view-plan.ts';
import { fieldChange } from './search-change.ts';
import { fieldOf, parseTreeLine, type TreeLine, treeLines } from './tree-lines.ts';

function linesOf(text: string, toggled: readonly string[] = []): readonly TreeLine[] {
  const parsed = parseTreeLine(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return treeLines(parsed, new Set(toggled));
}
const shown = (lines: readonly TreeLine[]) => lines.map(({ depth, label, text }) => [depth, label, text]);

test('scalars are shown with their kinds, small objects open', () => {
  const lines = linesOf('{"msg":"up","ms":1003,"ok":true,"no":null,"req":{"id":"7"}}');
  expect(shown(lines)).toEqual([
    [0, 'msg', 'up'],
    [0, 'ms', '1003'],
    [0, 'ok', 'true'],
    [0, 'no', 'null'],
    [0, 'req', '{1}'],
    [1, 'id', '7'],
  ]);
  expect(lines.map(({ kind }) => kind)).toEqual(['text', 'number', 'literal', 'literal', 'object', 'text']);
  expect(lines.at(-1)?.filter).toEqual({ path: 'req.id', value: '7' });
  expect(lines.at(-1)?.column).toBe('req.id');
});

test('what is toggled closes and opens', () => {
  const text = '{"req":{"headers":{"host":"a"}}}';
  expect(shown(linesOf(text))).toEqual([
    [0, 'req', '{1}'],
    [1, 'headers', '{1}'],
  ]);
  expect(linesOf(text, ['/req'])).toHaveLength(1);
  expect(linesOf(text, ['/req/headers']).at(-1)?.filter).toEqual({ path: 'req.headers.host', value: 'a' });
});

test('items of a list are filtered by the path of the list and are no columns', () => {
  const line = linesOf('{"tags":["a","b"]}').at(-1);
  expect(line).toMatchObject({ label: '[1]', filter: { path: 'tags', value: 'b' } });
  expect(line).not.toHaveProperty('column');
});

describe('hostile lines', () => {
  test('names of the prototype are names', () => {
    const lines = linesOf('{"__proto__":{"polluted":"yes","n":1.50},"constructor":"x","toString":1}');
    expect(lines.map(({ label }) => label)).toEqual([
      '__proto__',
      'polluted',
      'n',
      'constructor',
      'toString',
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('nesting of any depth neither fails nor opens by itself', () => {
    const deep = `{"a":${'['.repeat(200_000)}1.50${']'.repeat(200_000)}}`;
    const parsed = parseTreeLine(deep);
    if ('value' in parsed) expect(treeLines(parsed, new Set()).length).toBeLessThan(5);
    else expect(parsed.fault).toMatch(/JSON|long/);
  });

  test('many keys are shown in parts, long texts cut', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])));
    const lines = linesOf(many);
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toMatchObject({ kind: 'more', text: '800 more' });
    expect(linesOf(many, ['/…'])).toHaveLength(1_000);
    const [long] = linesOf(JSON.stringify({ long: 'x'.repeat(10_000) }));
    expect(long?.text).toHaveLength(2_001);
    expect(long?.value).toHaveLength(10_000);
    expect(long?.filter).toBeUndefined();
  });

  test('reports a line that is no object, or too long', () => {
    expect(parseTreeLine('{"a":')).toHaveProperty('fault');
    expect(parseTreeLine('7')).toHaveProperty('fault');
    expect(parseTreeLine(`{"a":"${'x'.repeat(1_000_001)}"}`)).toHaveProperty('fault');
  });
});

test('shows numbers as written', () => {
  const lines = linesOf('{"id":12345678901234567890,"price":1.50,"list":[1.0]}');
  expect(lines.map(({ text }) => text)).toEqual(['12345678901234567890', '1.50', '[1]', '1.0']);
  expect(lines.map(({ value }) => value)).toEqual(['12345678901234567890', '1.50', '[1.0]', '1.0']);
  expect(lines[0]?.filter?.value).toBe('12345678901234567890');
});

test('a name that a link cannot say has no filter', () => {
  const lines = linesOf('{"a=b":"1","":"2","!c":"3","d":{"!e":"4"}}');
  expect(lines.map(({ filter }) => filter?.path)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'd.!e',
  ]);
});

test('every filter that a tree offers finds the line that it came from', () => {
  const key = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('a.b', 'a', '__proto__', '[0]', '!x'));
  const { value } = fc.letrec((tie) => ({
    value: fc.dictionary(
      key,
      fc.oneof({ depthSize: 'small' }, fc.string(), fc.double(), fc.boolean(), tie('value')),
      { maxKeys: 4 },
    ),
  }));
  fc.assert(
    fc.property(value, (object) => {
      const text = JSON.stringify(object);
      const all = new Set<string>();
      const parsed = parseTreeLine(text);
      if (!('value' in parsed)) throw new Error(parsed.fault);
      for (const line of treeLines(parsed, all)) {
        if (line.filter === undefined) continue;
        const [field] = facetFilterOf({ ctx: '', src: [], ...fieldChange({}, line.filter, false) }).fields;
        const found = valuesAt(JSON.parse(text), field?.path ?? '');
        expect(found.some((each) => readsLike(each, field?.value ?? '', true, text))).toBe(true);
      }
    }),
  );
});

test('every filter that a field of a row offers finds the line that it came from', () => {
  const key = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom('a.b', 'a', 'a.', '__proto__', '[0]', '!x'),
  );
  const scalar = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(key, scalar, { maxKeys: 3 }),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), (object) => {
      const line = JSON.stringify(object);
      for (const field of structureLine(line, undefined)?.fields ?? []) {
        const { filter } = fieldOf(line, field, true);
        if (filter === undefined) continue;
        const [asked] = facetFilterOf({ ctx: '', src: [], ...fieldChange({}, filter, false) }).fields;
        const found = valuesAt(JSON.parse(line), asked?.path ?? '');
        expect(found.some((each) => readsLike(each, asked?.value ?? '', true, line))).toBe(true);
      }
    }),
  );
});

test('a field of a row has what the tree has of it', () => {
  const offered = (line: string) =>
    Object.fromEntries(
      (structureLine(line, undefined)?.fields ?? []).map((field) => [
        field.key,
        fieldOf(line, field, line.startsWith('{')),
      ]),
    );
  expect(offered('{"msg":"x","req":{"id":"80c6"},"n":1234,"ok":true,"list":[1]}')).toEqual({
    'req.id': {
      label: 'req.id',
      value: '80c6',
      filter: { path: 'req.id', value: '80c6' },
      sought: '80c6',
      column: 'req.id',
    },
    n: { label: 'n', value: '1234', filter: { path: 'n', value: '1234' }, sought: '1234', column: 'n' },
    ok: { label: 'ok', value: 'true', filter: { path: 'ok', value: 'true' }, column: 'ok' },
    list: { label: 'list', value: '[1]', column: 'list' },
  });
  expect(offered('opened pool.max=60 node=db-0')).toEqual({
    'pool.max': {
      label: 'pool.max',
      value: '60',
      filter: { path: 'pool.max', value: '60' },
      column: 'pool.max',
    },
    node: {
      label: 'node',
      value: 'db-0',
      filter: { path: 'node', value: 'db-0' },
      sought: 'db-0',
      column: 'node',
    },
  });
});
