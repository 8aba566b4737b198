import fc from 'fast-check';
import { expect, test } from 'vitest';
import { structureLine } from '../../../../domain/structured/structure-line.ts';
import { layOut } from './line-layout.ts';

type Hits = readonly (readonly [number, number])[];

function laidOut(line: string, hits: Hits = [], limit = 1_000) {
  const structured = structureLine(line, undefined);
  if (structured === undefined) throw new Error(`text: ${line}`);
  const layout = layOut(line, structured, hits, limit);
  const segments = [layout.message, ...layout.fields.flatMap(({ key, value }) => [key, value])].flat();
  return {
    ...layout,
    text: segments.map(({ text }) => text).join(''),
    marked: segments.filter(({ hit }) => hit !== undefined).map(({ text }) => text),
  };
}

/** The positions of a text in a line. */
function hitsOf(line: string, text: string): Hits {
  const hits: [number, number][] = [];
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + text.length)) {
    hits.push([at, at + text.length]);
  }
  return hits;
}

test('marks hits in keys, values and the message, in whatever order they are shown', () => {
  const line = '{"a.max":60,"msg":"max of \\"max\\"","http":{"max":"x"}}';
  const { text, marked, hitsIn } = laidOut(line, hitsOf(line, 'max'));
  expect(text).toBe('max of "max"a.max=60http.max=x');
  expect(marked).toEqual(['max', 'max', 'max', 'max']);
  expect(hitsIn).toEqual([]);
});

test('names the key of a hit that is not shown, and what stands around keys', () => {
  const line = '{"time":"2026-11-21T10:00:00Z","msg":"x","b":1}';
  expect(laidOut(line, hitsOf(line, '11-21')).hitsIn).toEqual(['time']);
  expect(laidOut(line, hitsOf(line, ',')).hitsIn).toEqual(['']);
  expect(laidOut(line, hitsOf(line, '"b":1')).hitsIn).toEqual([]);
});

test('an id is whole only when a hit is in it', () => {
  const line = '{"msg":"x","id":"80c6a1f23b9c4d5e7a08b2d94c6e15f1"}';
  expect(laidOut(line).text).toBe('xid=80c6…f1');
  expect(laidOut(line, hitsOf(line, 'a1f23b9c')).marked).toEqual(['a1f23b9c']);
});

test('shows no more than the limit, and how much is left', () => {
  const line = JSON.stringify({ msg: 'x'.repeat(50), a: '😀'.repeat(50), b: 'y'.repeat(90) });
  const { text, left } = laidOut(line, [], 101);
  expect(text.length).toBeLessThanOrEqual(110);
  expect(text).not.toMatch(/[\ud800-\udbff]$/);
  expect(left).toBeGreaterThan(100);
});

test('every hit is marked or named, whatever it is', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constantFrom('80c6a1f23b9c4d5e7a08b2d94c6e15f1', 'a b'),
  );
  const line = fc
    .dictionary(fc.constantFrom('time', 'msg', 'level', 'a', 'b.c', 'error'), value, {
      minKeys: 1,
      maxKeys: 5,
    })
    .map((fields) => JSON.stringify(fields))
    // One of columns alone is shown as written: its hits are where they are.
    .filter((text) => structureLine(text, undefined) !== undefined);
  fc.assert(
    fc.property(line, fc.nat(100), fc.integer({ min: 1, max: 9 }), (text, from, length) => {
      fc.pre(from + length <= text.length);
      const { marked, hitsIn } = laidOut(text, [[from, from + length]], 10_000);
      expect(marked.length + hitsIn.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
