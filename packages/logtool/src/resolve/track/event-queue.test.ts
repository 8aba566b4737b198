import { expect, test } from 'vitest';
import { pod } from '../../../../../test/support/resolve/objects.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { readPod } from '../pods/pod-facts.ts';
import { EventQueue } from './event-queue.ts';

function target(id: string, restartCount: number): ContainerTarget {
  const [container] = readPod(pod(id)).containers;
  if (container === undefined) throw new Error('the pod has no container');
  const address = { namespace: 'shop', pod: id, podUid: id, container: 'app', placement: {} };
  return { id, ...address, ...container, restartCount, podPhase: 'Running', deleting: false };
}

async function drain(queue: EventQueue): Promise<readonly ResolveEvent[]> {
  queue.end();
  const events: ResolveEvent[] = [];
  for await (const event of queue.read()) events.push(event);
  return events;
}

test('of several changes that wait the last is read', async () => {
  const queue = new EventQueue();
  queue.push({ type: 'changed', target: target('a', 1) });
  queue.push({ type: 'changed', target: target('b', 1) });
  queue.push({ type: 'changed', target: target('a', 2) });
  expect(await drain(queue)).toEqual([
    { type: 'changed', target: target('a', 2) },
    { type: 'changed', target: target('b', 1) },
  ]);
});

test('adds an unread container in its newest state', async () => {
  const queue = new EventQueue();
  queue.push({ type: 'added', target: target('a', 0) });
  queue.push({ type: 'changed', target: target('a', 2) });
  expect(await drain(queue)).toEqual([{ type: 'added', target: target('a', 2) }]);
});

test('does not treat coming back after leaving as a change', async () => {
  const queue = new EventQueue();
  queue.push({ type: 'gone', target: target('a', 0) });
  queue.push({ type: 'added', target: target('a', 0) });
  queue.push({ type: 'changed', target: target('a', 1) });
  expect((await drain(queue)).map((event) => event.type)).toEqual(['gone', 'added']);
});

test('a reader that waits is woken', async () => {
  const queue = new EventQueue();
  const reader = queue.read();
  const next = reader.next();
  queue.push({ type: 'synced', open: true });
  expect(await next).toEqual({ done: false, value: { type: 'synced', open: true } });
  const last = reader.next();
  queue.end();
  expect((await last).done).toBe(true);
});
