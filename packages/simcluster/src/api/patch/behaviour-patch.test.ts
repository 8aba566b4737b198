import { describe, expect, test } from 'vitest';
import { findType } from '../schema/find-type.ts';
import { ANY } from '../schema/shape.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

describe('JSON patch', () => {
  test('add, replace, remove, move, copy and test do as RFC 6902 says', () => {
    const document = { a: [1, 2], b: { c: 'x' } };
    const patch = [
      { op: 'test', path: '/b/c', value: 'x' },
      { op: 'add', path: '/a/1', value: 9 },
      { op: 'add', path: '/a/-', value: 3 },
      { op: 'replace', path: '/b/c', value: 'y' },
      { op: 'copy', from: '/b', path: '/d' },
      { op: 'move', from: '/b/c', path: '/e~1f' },
      { op: 'remove', path: '/a/0' },
    ];
    expect(applyJsonPatch(document, patch)).toEqual({ a: [9, 2, 3], b: {}, d: { c: 'y' }, 'e/f': 'y' });
    expect(document).toEqual({ a: [1, 2], b: { c: 'x' } });
  });

  test.each([
    [{ op: 'remove', path: '/missing' }],
    [{ op: 'test', path: '/a', value: 2 }],
    [{ op: 'replace', path: '/b/c', value: 1 }],
    [{ op: 'jump', path: '/a' }],
    [{ op: 'add', path: 'a', value: 1 }],
  ])('refuses %j', (operation) => {
    expect(() => applyJsonPatch({ a: 1 }, [operation])).toThrow(expect.objectContaining({ code: 422 }));
  });

  test('a field named __proto__ is data', () => {
    const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('merge patch', () => {
  test('null removes, objects are merged, lists are replaced', () => {
    const before = { a: 1, b: { c: 1, d: 2 }, e: [1, 2] };
    const patch = { a: null, b: { c: 3 }, e: [9], f: { g: null, h: 1 } };
    expect(applyMergePatch(before, patch)).toEqual({ b: { c: 3, d: 2 }, e: [9], f: { h: 1 } });
  });

  test('a field named __proto__ is data', () => {
    applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('strategic merge patch', () => {
  const before = {
    spec: {
      containers: [
        { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: 'b:1' },
      ],
    },
    metadata: { finalizers: ['one'] },
  };

  const patchPod = (patch: unknown) => applyStrategicPatch(before, patch, findType('core.Pod') ?? ANY);

  test('lists of containers and variables are merged by name', () => {
    const patch = { spec: { containers: [{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] }] } };
    expect(patchPod(patch)).toMatchObject({
      spec: {
        containers: [
          {
            name: 'a',
            image: 'a:2',
            env: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '2' },
            ],
          },
          { name: 'b', image: 'b:1' },
        ],
      },
    });
  });

  test('directives delete, replace and order', () => {
    const removed = patchPod({ spec: { containers: [{ name: 'a', $patch: 'delete' }] } });
    expect(removed).toMatchObject({ spec: { containers: [{ name: 'b' }] } });
    const replaced = patchPod({
      spec: { containers: [{ $patch: 'replace' }, { name: 'c', image: 'c:1' }] },
    });
    expect(replaced).toMatchObject({ spec: { containers: [{ name: 'c', image: 'c:1' }] } });
    const ordered = patchPod({
      spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
    }) as typeof before;
    expect(ordered.spec.containers.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('finalizers are a set', () => {
    const added = patchPod({ metadata: { finalizers: ['two', 'one'] } });
    expect(added).toMatchObject({ metadata: { finalizers: ['one', 'two'] } });
    const gone = patchPod({
      metadata: { '$deleteFromPrimitiveList/finalizers': ['one'] },
    });
    expect(gone).toMatchObject({ metadata: { finalizers: [] } });
  });
});
