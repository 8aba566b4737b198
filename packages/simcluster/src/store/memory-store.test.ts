import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { createStore } from './memory-store.ts';
import type { StoreEvent } from './store.ts';

const clock = new FakeClock(Date.UTC(2026, 10, 21, 10));
const pod = (name: string, namespace = 'shop') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
});

test('create fills in identity and version, and copies and freezes what it was given', () => {
  const store = createStore({ clock, newUid: () => 'uid-1' });
  const given = { ...pod('a'), spec: { containers: [{ name: 'main' }] } };
  const stored = store.create('pods', given);
  given.spec.containers.push({ name: 'late' });
  expect(stored).toMatchObject({
    metadata: { uid: 'uid-1', creationTimestamp: '2026-11-21T10:00:00Z', resourceVersion: '2' },
    spec: { containers: [{ name: 'main' }] },
  });
  expect(() => {
    stored.metadata.name = 'b';
  }).toThrow(TypeError);
});

test('a name that is taken is 409', () => {
  const store = createStore({ clock });
  store.create('deployments.apps', pod('a'));
  expect(() => store.create('deployments.apps', pod('a'))).toThrow(
    expect.objectContaining({ code: 409, message: 'deployments.apps "a" already exists' }),
  );
});

test('lists are in the order of namespace and name, and a returned list does not change', () => {
  const store = createStore({ clock });
  for (const [name, namespace] of [
    ['b', 'shop'],
    ['a', 'shop'],
    ['z', 'lab'],
  ] as const) {
    store.create('pods', pod(name, namespace));
  }
  const before = store.list('pods');
  store.remove('pods', 'shop', 'a');
  store.update('pods', 'shop', 'b', (object) => {
    object.metadata.labels = { new: 'yes' };
    return undefined;
  });
  expect(before.map(({ metadata }) => metadata.name)).toEqual(['z', 'a', 'b']);
  expect(before[2]?.metadata.labels).toBeUndefined();
  expect(store.list('pods', 'shop').map(({ metadata }) => metadata.labels)).toEqual([{ new: 'yes' }]);
});

test('an update that returns false changes neither object nor version', () => {
  const store = createStore({ clock });
  const created = store.create('pods', pod('a'));
  const after = store.update('pods', 'shop', 'a', (object) => {
    object.metadata.labels = { lost: 'yes' };
    return false;
  });
  expect(after).toBe(created);
  expect(store.resourceVersion).toBe(Number(created.metadata.resourceVersion));
});

test('events carry the object before and after, for subscribers and in history', () => {
  const store = createStore({ clock });
  const start = store.resourceVersion;
  const seen: StoreEvent[] = [];
  const end = store.subscribe('pods', (event) => seen.push(event));
  store.create('pods', pod('a'));
  store.create('services', pod('a'));
  store.update('pods', 'shop', 'a', () => undefined);
  store.remove('pods', 'shop', 'a');
  end();
  store.create('pods', pod('b'));
  expect(seen.map(({ type, before }) => [type, before?.metadata.resourceVersion])).toEqual([
    ['ADDED', undefined],
    ['MODIFIED', '2'],
    ['DELETED', '4'],
  ]);
  expect(seen[2]?.object.metadata.resourceVersion).toBe('5');
  expect(store.since('pods', start)?.slice(0, 3)).toEqual(seen);
});

test('reports compacted history as gone, by hand and when there is too much of it', () => {
  const store = createStore({ clock, historyEvents: 4 });
  store.create('pods', pod('a'));
  const version = store.resourceVersion;
  store.compact();
  expect(store.since('pods', version)).toEqual([]);
  expect(store.since('pods', version - 1)).toBeUndefined();
  for (let turn = 0; turn < 10; turn++) store.update('pods', 'shop', 'a', () => undefined);
  expect(store.since('pods', version)).toBeUndefined();
  expect(store.since('pods', store.resourceVersion - 2)).toHaveLength(2);
});

test('an index finds objects by their values, as they come, change and go', () => {
  const store = createStore({ clock });
  store.create('pods', { ...pod('b'), spec: { nodeName: 'n1' } });
  const byNode = store.index('pods', 'node', ({ spec }) =>
    spec === undefined ? [] : [String(spec.nodeName)],
  );
  const on = (node: string) => byNode.of(node).map(({ metadata }) => metadata.name);
  store.create('pods', { ...pod('a'), spec: { nodeName: 'n1' } });
  store.create('pods', pod('homeless'));
  expect(on('n1')).toEqual(['a', 'b']);
  store.update('pods', 'shop', 'b', (object) => {
    object.spec = { nodeName: 'n2' };
    return undefined;
  });
  expect([on('n1'), on('n2')]).toEqual([['a'], ['b']]);
  expect(byNode.of('n2')[0]).toBe(store.get('pods', 'shop', 'b'));
  store.remove('pods', 'shop', 'a');
  expect([on('n1'), byNode.count('n1'), byNode.count('n2')]).toEqual([[], 0, 1]);
});

test('a replaced object shares what did not change, and only the present state can be replaced', () => {
  const store = createStore({ clock });
  const before = store.create('pods', { ...pod('a'), spec: { containers: [] } });
  const after = store.replace('pods', before, { status: { phase: 'Running' } });
  expect(after).toMatchObject({ metadata: { resourceVersion: '3' }, status: { phase: 'Running' } });
  expect(after.spec).toBe(before.spec);
  expect(before.metadata.resourceVersion).toBe('2');
  expect(Object.isFrozen(after.status)).toBe(true);
  expect(() => store.replace('pods', before, { status: {} })).toThrow('has changed since');
});

test('namespaces are in the order of their keys, where a slash ends the name', () => {
  const store = createStore({ clock });
  for (const namespace of ['a', 'a-b', 'a0']) store.create('pods', pod('x', namespace));
  expect(store.list('pods').map(({ metadata }) => metadata.namespace)).toEqual(['a-b', 'a', 'a0']);
});
