import type { ReflectorEvent } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { Agents } from './agents.ts';

interface Row {
  readonly name: string;
  readonly node?: string;
  readonly ip?: string;
  readonly phase?: string;
  readonly ends?: true;
  readonly created?: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

function pod({ name, node, ip, phase = 'Running', ends, created = '2026-11-21T10:00:00Z', ports }: Row) {
  return {
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: created,
      ...(ends === undefined ? {} : { deletionTimestamp: created }),
    },
    spec: { nodeName: node, containers: [{ ports }] },
    status: { phase, podIP: ip },
  };
}
type Event = ReflectorEvent<ReturnType<typeof pod>>;

async function agentsOf(...events: readonly Event[]): Promise<Agents> {
  const agents = new Agents({
    client: fakeClient({
      async *reflect() {
        yield* events;
      },
    }),
    clock: new FakeClock(),
    namespace: 'logtool',
    labelSelector: 'app=agent',
    onUnknown: (error) => expect.unreachable(String(error)),
  });
  const over = new AbortController();
  let changes = 0;
  const seen = new Promise<void>((resolve) => {
    agents.onChange(() => {
      changes++;
      if (changes === events.length) resolve();
    });
  });
  const followed = agents.follow(over.signal);
  await seen;
  over.abort();
  await followed;
  return agents;
}
const snapshot = (...rows: readonly Row[]): Event => ({ type: 'snapshot', objects: rows.map(pod) });

test('an agent is found by its node, at the port that its pod names', async () => {
  const agents = await agentsOf(
    snapshot(
      { name: 'a', node: 'node-1', ip: '10.0.0.1' },
      {
        name: 'b',
        node: 'node-2',
        ip: '10.0.0.2',
        ports: [
          { name: 'other', containerPort: 1 },
          { name: 'agent', containerPort: 9000 },
        ],
      },
      { name: 'c', node: 'node-3' },
      { name: 'd', node: 'node-4', ip: '10.0.0.4', phase: 'Failed' },
      { name: 'e', ip: '10.0.0.5' },
    ),
  );
  expect(agents.all()).toEqual([
    { node: 'node-1', host: '10.0.0.1', port: 7501 },
    { node: 'node-2', host: '10.0.0.2', port: 9000 },
  ]);
  expect(agents.of('node-2')?.host).toBe('10.0.0.2');
  expect(agents.of('node-3')).toBeUndefined();
});

test('of two agents of a node, the one that stays counts, then the newer', async () => {
  const agents = await agentsOf(
    snapshot(
      { name: 'ends', node: 'node-1', ip: '10.0.0.1', ends: true, created: '2026-11-21T12:00:00Z' },
      { name: 'stays', node: 'node-1', ip: '10.0.0.2' },
      { name: 'old', node: 'node-2', ip: '10.0.0.3' },
      { name: 'new', node: 'node-2', ip: '10.0.0.4', created: '2026-11-21T11:00:00Z' },
      { name: 'last', node: 'node-3', ip: '10.0.0.5', ends: true },
    ),
  );
  expect(agents.all().map(({ host }) => host)).toEqual(['10.0.0.2', '10.0.0.4', '10.0.0.5']);
});

test('agents come, change and go', async () => {
  const [a, moved] = ['10.0.0.1', '10.0.0.9'].map((ip) => pod({ name: 'a', node: 'node-1', ip }));
  const b = pod({ name: 'b', node: 'node-2', ip: '10.0.0.2' });
  const agents = await agentsOf(
    snapshot({ name: 'x', node: 'node-9', ip: '10.0.0.8' }),
    { type: 'snapshot', objects: [a!] },
    { type: 'changed', object: b },
    { type: 'changed', object: moved! },
    { type: 'deleted', object: b },
    { type: 'state', state: 'live' },
  );
  expect(agents.all()).toEqual([{ node: 'node-1', host: '10.0.0.9', port: 7501 }]);
});

test('a list that fails is reported, and tried again', async () => {
  const errors: unknown[] = [];
  const clock = new FakeClock();
  const over = new AbortController();
  let tries = 0;
  const agents = new Agents({
    client: fakeClient({
      async *reflect() {
        if (tries++ === 0) throw new Error('away');
        yield snapshot({ name: 'a', node: 'node-1', ip: '10.0.0.1' });
      },
    }),
    clock,
    namespace: 'logtool',
    labelSelector: 'app=agent',
    onUnknown: (error) => errors.push(error),
  });
  const followed = agents.follow(over.signal);
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return agents.all().length;
    })
    .toBe(1);
  over.abort();
  await followed;
  expect(errors).toEqual([new Error('away')]);
});
