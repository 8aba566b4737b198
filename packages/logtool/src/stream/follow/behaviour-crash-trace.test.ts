import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import type { Frame } from '../../domain/frame.ts';

/* A container that wrote a lot in the second of its end, and restarted at once. */

const TAIL = { kind: 'tail', count: 10 } as const;

/**
 * `run-0` writes a line, an hour later a hundred frames of a trace; `run-1` begins at once, and writes its own trace.
 */
async function crashed() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web');
  const container = cluster.addContainer(pod, 'main', [newRun('run-0')]);
  const write = (text: string) =>
    cluster.write(container, {
      at: timestampFromMs(clock.now()),
      bytes: Buffer.from(text),
      partial: false,
    });
  write('start');
  await clock.advance(3_600_000);
  for (let n = 0; n < 100; n++) write(`frame ${n}`);
  await clock.advance(300);
  cluster.startRun(pod, container, 'run-1');
  write('start');
  await clock.advance(600_000);
  return { clock, cluster, pod, container, write };
}

const given = (frames: readonly Frame[]) =>
  recordsOf(frames).map(({ run, message }) => `${run.key.containerId}: ${Buffer.from(message)}`);
const frames = (run: string, from: number) =>
  Array.from({ length: 100 - from }, (_, n) => `${run}: frame ${from + n}`);

test('a tail that begins within that second appears at once', async () => {
  const { cluster, clock } = await crashed();
  const start = clock.now();
  const tail = await collect(cluster, clock, planOf({ selection: TAIL }));
  expect(given(tail)).toEqual([...frames('run-0', 91), 'run-1: start']);
  const before = await collect(cluster, clock, planOf({ selection: TAIL, previous: 'only' }));
  expect(given(before)).toEqual(frames('run-0', 90));
  expect(clock.now()).toBe(start);
});

test('the same of a later run, still unknown to the pod, has its own name', async () => {
  const { cluster, clock, pod, container, write } = await crashed();
  cluster.holdStatus(pod);
  for (let n = 0; n < 100; n++) write(`frame ${n}`);
  cluster.startRun(pod, container, 'run-2');
  clock.after(500, () => cluster.letStatusGo(pod));
  const tail = await collect(cluster, clock, planOf({ selection: TAIL, previous: 'only' }));
  expect(given(tail)).toEqual(frames('run-1', 90));
});
