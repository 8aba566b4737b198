import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyJson, freezeJson, sameJson } from './json-value.ts';

test('a copy is equal and shares nothing that could change', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copyJson(freezeJson(structuredClone(value)), false);
      expect(copy).toEqual(value);
      expect(typeof copy !== 'object' || copy === null || !Object.isFrozen(copy)).toBe(true);
    }),
  );
});

test('a copy that may share keeps what is frozen and copies the rest', () => {
  const frozen = freezeJson({ deep: { list: [1] } });
  const open = { changing: [1] };
  const copy = copyJson({ frozen, open }, true) as { frozen: unknown; open: unknown };
  expect(copy.frozen).toBe(frozen);
  expect(copy.open).toEqual(open);
  expect(copy.open).not.toBe(open);
});

test('a field named __proto__ stays a field', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":true}}'), false) as Record<string, unknown>;
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(copy.polluted).toBeUndefined();
});

test('values are the same when their JSON with sorted keys is', () => {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  const small = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(sameJson(a, JSON.parse(sorted(a)))).toBe(true);
      expect(sameJson(a, b)).toBe(sorted(a) === sorted(b));
    }),
  );
  expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  expect(sameJson({ a: 1, b: undefined }, { a: 1, b: null })).toBe(false);
});
