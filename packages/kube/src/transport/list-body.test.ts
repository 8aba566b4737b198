import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeListBody } from './list-body.ts';

const REQUEST = { verb: 'list', resource: 'pods' } as const;

async function* cut(bytes: Buffer, chunkBytes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const next = at + Math.max(1, chunkBytes[n % Math.max(1, chunkBytes.length)] ?? bytes.length);
    yield bytes.subarray(at, next);
    at = next;
  }
}

/**
 * Returns the value of the whole text, rebuilt from the pieces that were decoded. Returns undefined if the text is
 * refused.
 */
async function decoded(text: string, chunkBytes: readonly number[]): Promise<unknown> {
  try {
    const { list, items } = await decodeListBody(cut(Buffer.from(text), chunkBytes), REQUEST, (item) => item);
    return items === undefined ? list : { ...(list as object), items };
  } catch (error) {
    expect(error).toMatchObject({ kind: 'protocol' });
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const value = fc.jsonValue();
const list = fc.record({
  before: fc.dictionary(fc.constantFrom('kind', 'metadata', 'a"b', 'items ', 'it', '\\'), value),
  items: fc.array(value, { maxLength: 5 }),
  after: fc.dictionary(fc.constantFrom('z', 'items\\', '"items"'), value),
  indent: fc.constantFrom(undefined, 2),
});
const chunks = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });

test('what is decoded piece by piece is what the whole text says, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(list, chunks, async ({ before, items, after, indent }, sizes) => {
      const text = JSON.stringify({ ...before, items, ...after }, undefined, indent);
      expect(await decoded(text, sizes)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('a text that was broken is accepted and refused as JSON is', async () => {
  const hit = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 3 }),
    by: fc.constantFrom('', ',', ']', '}', '"', '[', '{', ':', '\\', '1'),
  });
  await fc.assert(
    fc.asyncProperty(list, hit, chunks, async ({ before, items, after }, { at, length, by }, sizes) => {
      const text = JSON.stringify({ ...before, items, ...after });
      const from = at % text.length;
      const broken = text.slice(0, from) + by + text.slice(from + length);
      expect(await decoded(broken, sizes)).toEqual(parsed(broken));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '{"items":[1,]}',
  '{"items":[,1]}',
  '{"items":[1 2]}',
  '{"items":[[1}]}',
  '{"items":[1]',
  '{"items":[1',
])('%s is refused', async (text) => {
  expect(await decoded(text, [])).toBeUndefined();
});

test.each([
  '{"items":[1],"items":"a"}',
  '{"items":[1],"items":{"a":2},"z":3}',
  '{"items":"a","items":[1]}',
  '{"items":[1],"items":[2,3]}',
])('of %s the last items count', async (text) => {
  for (const sizes of [[], [1], [3]]) expect(await decoded(text, sizes)).toEqual(JSON.parse(text));
});

test.each([
  ['of items that are not an array', '{"items":{"a":[1,2]}}'],
  ['of a value named items further down', '{"metadata":{"items":[1,2]}}'],
  ['of an array', '[{"items":[1]}]'],
])('the text %s is left whole', async (_, text) => {
  const { items } = await decodeListBody(cut(Buffer.from(text), []), REQUEST, (item) => item);
  expect(items).toBeUndefined();
  expect(await decoded(text, [3])).toEqual(JSON.parse(text));
});

test('an item is decoded before the next one has come', async () => {
  const seen: unknown[] = [];
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"items":[{"a":1},');
    expect(seen).toEqual([{ a: 1 }]);
    yield Buffer.from('{"a":2}],"metadata":{}}');
  }
  const { list: around } = await decodeListBody(body(), REQUEST, (item) => seen.push(item));
  expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
  expect(around).toEqual({ items: [], metadata: {} });
});
