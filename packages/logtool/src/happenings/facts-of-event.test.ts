import { readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readEvent, slimEvent } from './facts-of-event.ts';

const RECORDED = new URL('../../../../test/recorded/list/', import.meta.url);

function recorded(name: string): readonly KubeObject[] {
  return JSON.parse(JSON.parse(readFileSync(new URL(`${name}.json`, RECORDED), 'utf8')).response.body).items;
}

test('an event is the same fact in both APIs', () => {
  const core = recorded('events').slice(0, 3).map(readEvent);
  expect(recorded('eventsk8s').map(readEvent)).toEqual(core);
  expect(core).toHaveLength(3);
});

test('an event of the scheduler has microseconds, one of the kubelet whole seconds and its container', () => {
  const [scheduled, pulled] = recorded('events').map((event) => readEvent(event).fact);
  expect(scheduled).toMatchObject({
    precision: 'us',
    at: { nanos: 772_556_000 },
    count: 1,
    until: undefined,
  });
  expect(pulled).toMatchObject({
    precision: 's',
    at: { nanos: 0 },
    subject: { kind: 'Pod', container: 'agent' },
  });
});

test('a series has its count and its first and last time', () => {
  const backOff = recorded('events').find((event) => readEvent(event).fact.count === 21);
  expect(backOff && readEvent(backOff).fact).toMatchObject({
    reason: 'BackOff',
    at: { seconds: Date.parse('2026-11-21T01:52:06Z') / 1000 },
    until: { seconds: Date.parse('2026-11-21T01:57:19Z') / 1000 },
    data: { controller: 'kubelet', type: 'Normal' },
  });
});

test('a series of the newer API lasts until its last observation', () => {
  const metadata = { name: 'x', uid: 'x', resourceVersion: '1' };
  const event = {
    metadata,
    eventTime: '2026-11-21T02:00:00.000001Z',
    series: { count: 7, lastObservedTime: '2026-11-21T02:05:00.000002Z' },
  };
  expect(readEvent(event as KubeObject).fact).toMatchObject({
    count: 7,
    precision: 'us',
    until: { nanos: 2_000 },
  });
});

test('a kubelet reports its node', () => {
  const nodes = recorded('events').map((event) => readEvent(event).fact.data);
  expect(nodes).toContainEqual({ controller: 'kubelet', type: 'Normal', node: expect.stringMatching(/\S/) });
});

test('a controller names the pod that it made', () => {
  const made = recorded('events').flatMap((event) => readEvent(event).made?.name ?? []);
  expect(made).toEqual(['agent-kh82p']);
});

test('an event with only its kept fields is the same fact, in less than two thirds of the size', () => {
  const events = recorded('events');
  const slim = events.map(slimEvent);
  expect(slim.map(readEvent)).toEqual(events.map(readEvent));
  expect(JSON.stringify(slim).length).toBeLessThan(JSON.stringify(events).length * (2 / 3));
});

test('an event without anything that is needed is a fact all the same', () => {
  const bare = readEvent({
    metadata: { name: 'x', uid: 'x', resourceVersion: '' },
    series: 3,
  } as unknown as KubeObject);
  expect(bare.fact).toMatchObject({ count: 1, reason: '', subject: { kind: '', uid: '' } });
});

test.each([
  ['Created pod: web-7d9f-x2x9p', { kind: 'Pod', name: 'web-7d9f-x2x9p' }],
  ['Created job nightly-29922464', { kind: 'Job', name: 'nightly-29922464' }],
  ['create Pod db-1 in StatefulSet db successful', { kind: 'Pod', name: 'db-1' }],
  ['Created pod: two words', undefined],
  ['Deleted pod: web-7d9f-x2x9p', { kind: 'Pod', name: 'web-7d9f-x2x9p' }, 'SuccessfulDelete'],
  [
    'Scaled down replica set web-7d9f from 2 to 0',
    { kind: 'ReplicaSet', name: 'web-7d9f' },
    'ScalingReplicaSet',
  ],
  ['Scaled down replica set web-7d9f from 2 to 0', undefined, 'SuccessfulDelete'],
])('a controller that writes "%s" names %o as its own', (note, made, reason = 'SuccessfulCreate') => {
  const event = { metadata: { name: 'e', uid: 'e', resourceVersion: '1' }, reason, note };
  expect(readEvent(event as unknown as KubeObject).made).toEqual(made);
});

test('an event that its controller combined from similar ones names what it made', () => {
  const object = recorded('events').find((event) => readEvent(event).made !== undefined) as KubeObject;
  const { fact, made } = readEvent(object);
  const message = `(combined from similar events): ${fact.message}`;
  const combined = readEvent({ ...object, message } as KubeObject);
  expect(combined.made).toEqual(made);
  expect(combined.fact.message).toBe(message);
});
