import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { EventStore, MAX_EVENTS } from './event-store.ts';
import { Scope } from './scope.ts';

function event(index: number, regarding: object): KubeObject {
  const at = new Date(Date.parse('2026-11-21T10:00:00Z') + index * 1000).toISOString();
  const metadata = { name: `e${index}`, namespace: 'shop', uid: `e${index}`, resourceVersion: '1' };
  return { metadata, regarding, reason: 'BackOff', deprecatedFirstTimestamp: at } as unknown as KubeObject;
}

function scopeOf(uid: string): Scope {
  const scope = new Scope();
  scope.addPod({ metadata: { name: uid, namespace: 'shop', uid, resourceVersion: '1' } });
  return scope;
}

const POD = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' };

test('of more events than are kept the oldest are let go', () => {
  const store = new EventStore(scopeOf('web-1'));
  for (let index = 0; index < 25_000; index++) store.put(event((index * 7_919) % 25_000, POD));
  const facts = store.matching();
  expect(facts).toHaveLength(MAX_EVENTS);
  expect(store.isCut).toBe(true);
  const oldest = Math.min(...facts.map(({ at }) => at.seconds));
  expect(oldest).toBe(Date.parse('2026-11-21T10:00:00Z') / 1000 + 25_000 - MAX_EVENTS);
});

test('the oldest event is known, whatever it is about', () => {
  const store = new EventStore(scopeOf('web-1'));
  expect(store.oldest()).toBeUndefined();
  store.put(event(9, POD));
  store.put(event(3, { ...POD, name: 'other', uid: 'other' }));
  expect(store.oldest()).toEqual({ seconds: Date.parse('2026-11-21T10:00:03Z') / 1000, nanos: 0 });
});

test('ten thousand events are all kept', () => {
  const store = new EventStore(scopeOf('web-1'));
  for (let index = 0; index < MAX_EVENTS; index++) store.put(event(index, POD));
  expect(store.matching()).toHaveLength(MAX_EVENTS);
  expect(store.isCut).toBe(false);
});

test('an event about another object is none of ours, one about a pod of an owner in view is', () => {
  const scope = new Scope();
  scope.addUid('set');
  const store = new EventStore(scope);
  const set = { kind: 'ReplicaSet', namespace: 'shop', name: 'web', uid: 'set' };
  store.put(event(0, POD));
  store.put(event(1, { ...POD, name: 'other', uid: 'other' }));
  expect(store.matching()).toEqual([]);
  const made = { ...event(2, set), reason: 'SuccessfulCreate', note: 'Created pod: web-1' };
  store.put(made as KubeObject);
  expect(store.matching().map(({ subject }) => subject.name)).toEqual(['web-1', 'web']);
});
