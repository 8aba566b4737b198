import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

function podWithLines() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web', { restartPolicy: 'Never' });
  const entries = ['one', 'two', 'three'].map((text) => ({
    at: timestampFromMs(clock.now()),
    bytes: Buffer.from(text),
    partial: false,
  }));
  const container = cluster.addContainer(pod, 'main', [newRun('containerd://web', entries)]);
  return { clock, cluster, pod, container };
}

test('a node that answers no more at the start of a follow is no failure once the log was read', async () => {
  for (const selection of [{ kind: 'all' }, { kind: 'tail', count: 10 }] as const) {
    const { clock, cluster, pod, container } = podWithLines();
    const upAtMs = clock.now() + 60_000;
    cluster.nextFault = () => {
      if (clock.now() < upAtMs) return { kind: 'status', status: 500 };
      if (container.state === 'running') cluster.endRun(pod, container);
      cluster.close(false);
      return undefined;
    };
    const frames = await collect(cluster, clock, planOf({ selection, follow: true }));
    expect(recordsOf(frames).map(({ message }) => Buffer.from(message).toString())).toEqual([
      'one',
      'two',
      'three',
    ]);
    const states = frames.flatMap((frame) => (frame.type === 'source' ? [frame.state] : []));
    expect(states).toContain('reconnecting');
    expect(states).not.toContain('failed');
    expect(frames.some(({ type }) => type === 'gap')).toBe(false);
  }
});

test('a copy that gives up says what the cluster answered', async () => {
  const { clock, cluster } = podWithLines();
  cluster.nextFault = () => ({ kind: 'status', status: 500 });
  const frames = await collect(cluster, clock, planOf({}, { raw: true }));
  const failed = frames.find((frame) => frame.type === 'source' && frame.state === 'failed');
  expect(failed).toMatchObject({ error: { data: { why: 'injected (500)' } } });
});

test('a container that starts while its node comes back has lost no run', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('fresh', { restartPolicy: 'Never', phase: 'Pending' });
  const container = cluster.addContainer(pod, 'main', []);
  container.state = 'waiting';
  let asked = 0;
  cluster.nextFault = () => {
    if (++asked < 12) return { kind: 'status', status: 500 };
    if (asked === 12) {
      container.runs.push(newRun('containerd://fresh'));
      cluster.write(container, {
        at: timestampFromMs(clock.now()),
        bytes: Buffer.from('one'),
        partial: false,
      });
      cluster.endRun(pod, container);
      cluster.close(false);
    }
    return undefined;
  };
  const frames = await collect(cluster, clock, planOf({ follow: true }));
  expect(recordsOf(frames).map(({ message }) => Buffer.from(message).toString())).toEqual(['one']);
  expect(frames.some(({ type }) => type === 'gap')).toBe(false);
});

test('waits for a node that has not learned of a new pod yet: nothing is broken', async () => {
  const { clock, cluster, pod: web, container: main } = podWithLines();
  let asked = 0;
  cluster.nextFault = ({ pod, follow }) => {
    if (pod !== 'fresh' || follow !== true || asked++ > 0) return undefined;
    clock.after(5_000, () => start());
    return { kind: 'status', status: 404 };
  };
  let start = () => {};
  clock.after(2_000, () => {
    const pod = cluster.addPod('fresh', { restartPolicy: 'Never', phase: 'Pending' });
    const container = cluster.addContainer(pod, 'main', []);
    container.state = 'waiting';
    cluster.joined(pod);
    start = () => {
      container.runs.push(newRun('containerd://fresh'));
      container.state = 'running';
      const at = timestampFromMs(clock.now());
      cluster.write(container, { at, bytes: Buffer.from('fresh'), partial: false });
      cluster.endRun(pod, container);
      cluster.endRun(web, main);
      cluster.close(false);
    };
  });
  const frames = await collect(cluster, clock, planOf({ follow: true }));
  expect(recordsOf(frames).map(({ message }) => Buffer.from(message).toString())).toContain('fresh');
  expect(asked).toBeGreaterThan(1);
  const states = frames.flatMap((frame) => (frame.type === 'source' ? [frame.state] : []));
  expect(states).toContain('waiting');
  expect(states).not.toContain('reconnecting');
});

/** Follows a quiet container through a proxy that closes connections after a minute of silence. */
async function cutEachMinute() {
  const world = setUp();
  const { cluster, container } = world;
  world.write('one');
  const view = world.open();
  await view.pass(1_000);
  for (let minute = 0; minute < 12; minute++) {
    cluster.cut(container);
    await view.pass(60_000);
  }
  return { ...world, view };
}

test('a quiet log whose connection is cut now and then is read on at once, however often that was', async () => {
  const { cluster, container, write, view } = await cutEachMinute();
  cluster.cut(container);
  await view.pass(100);
  write('two');
  await view.pass(1_000);
  expect(texts(view)).toEqual(['one', 'two']);
  await view.close();
});

test('a quiet log whose connection was cut often is read to its end when its pod is deleted after a cut', async () => {
  const { cluster, pod, container, write, view } = await cutEachMinute();
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  cluster.cut(container);
  await view.pass(1_000);
  write('two');
  await view.pass(500);
  cluster.endRun(pod, container);
  cluster.deletePod(pod);
  container.runs[0]!.removed = true;
  await view.pass(60_000);
  expect(texts(view)).toEqual(['one', 'two']);
  expect(reports(view)).toEqual(['left']);
  await view.close();
});
