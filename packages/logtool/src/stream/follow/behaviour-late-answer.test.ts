import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, onTestFinished, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';

/* A container that answers late: when it is reported as one that has answered. */

/** A view of two containers with three lines each, written before; `stallMs`: the late one's follow pauses within them. */
function viewOf(stallMs: number) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const atMs = clock.now() - 60_000;
  for (const name of ['prompt', 'late']) {
    const entries = [1, 2, 3].map((n) => ({
      at: timestampFromMs(atMs + n * 1_000),
      bytes: Buffer.from(`${name} ${n}`),
      partial: false,
    }));
    cluster.addContainer(cluster.addPod(name), 'main', [newRun(`containerd://${name}`, entries)]);
  }
  let isFirst = true;
  cluster.nextFault = ({ pod, follow }) => {
    if (pod !== 'late') return undefined;
    const wasFirst = isFirst;
    isFirst = false;
    if (wasFirst) return { kind: 'delay', delayMs: 3_600_000 };
    if (follow !== true) return undefined;
    return { kind: 'stall', afterBytes: 50, delayMs: stallMs };
  };
  const plan = planOf({ selection: { kind: 'tail', count: 10 }, follow: true });
  const view = new LiveView(cluster, clock, { ...plan, patienceMs: 1_000 });
  onTestFinished(() => view.close());
  return view;
}

test('a late container has answered once the follow has delivered all that it wrote before', async () => {
  const view = viewOf(3_000);
  await view.until(() => view.frames.some(({ type }) => type === 'answered'), 60_000);
  const order = view.frames.flatMap((frame) => {
    if (frame.type === 'records')
      return frame.records
        .map(({ message }) => Buffer.from(message).toString())
        .filter((text) => text.startsWith('late'));
    return frame.type === 'answered' || frame.type === 'unanswered' ? [frame.type] : [];
  });
  expect(order).toEqual(['unanswered', 'late 1', 'late 2', 'late 3', 'answered']);
});

test('a late container whose follow falls silent has answered all the same', async () => {
  const view = viewOf(3_600_000);
  await view.until(() => view.frames.some(({ type }) => type === 'answered'), 60_000);
  expect(view.frames.filter(({ type }) => type === 'answered')).toHaveLength(1);
});
