import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import { gapCauseText } from '../../messages/gap.ts';

/** Follows a pod that waits to start, and whose status is late from then on. */
async function setUp() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web-0');
  const container = cluster.addContainer(pod, 'main', []);
  container.state = 'waiting';
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(300);
  cluster.holdStatus(pod);
  container.runs.push({ ...newRun('first'), startedAt: timestampFromMs(clock.now()) });
  container.state = 'running';
  const write = (text: string, afterMs = 0) => {
    const at = timestampFromMs(clock.now() + afterMs);
    cluster.write(container, { at, bytes: Buffer.from(text), partial: false });
  };
  const breakFollow = (afterBytes: number) => {
    let isBroken = false;
    cluster.nextFault = (query) => {
      if (!query.follow || isBroken) return undefined;
      isBroken = true;
      return { kind: 'reset', afterBytes };
    };
  };
  const texts = () => view.records.map(({ message }) => Buffer.from(message).toString());
  const gaps = () =>
    view.frames.flatMap((frame) => (frame.type === 'gap' ? [gapCauseText(frame.cause)] : []));
  return { clock, cluster, pod, container, view, write, breakFollow, texts, gaps };
}

test('reports a rotation although the status named the run late', async () => {
  const { cluster, pod, container, view, write, breakFollow, texts, gaps } = await setUp();
  breakFollow(50);
  write('one');
  await view.pass(15_000);
  expect(texts()).toEqual(['one']);
  cluster.letStatusGo(pod);
  await view.pass(1_000);
  write('two, which the connection breaks in');
  cluster.rotate(container);
  write('three', 10);
  await view.pass(10_000);
  await view.close();
  expect([texts(), gaps()]).toEqual([['one', 'three'], [expect.stringMatching(/^the node rotated the log/)]]);
});

test('the rest of a run that the status never named is read before the next run', async () => {
  const { cluster, pod, container, view, write, breakFollow, texts, gaps } = await setUp();
  breakFollow(50);
  write('one');
  await view.pass(15_000);
  write('two, which the connection breaks in');
  write('three');
  cluster.startRun(pod, container, 'second');
  write('four', 3_000);
  cluster.letStatusGo(pod);
  await view.pass(10_000);
  await view.close();
  expect([texts(), gaps()]).toEqual([['one', 'two, which the connection breaks in', 'three', 'four'], []]);
});

test('a run that began and ended before the status named any is read', async () => {
  const { cluster, pod, container, view, write, texts, gaps } = await setUp();
  write('one');
  write('two');
  cluster.startRun(pod, container, 'second');
  await view.pass(100);
  write('three', 2_000);
  cluster.letStatusGo(pod);
  await view.pass(10_000);
  await view.close();
  expect([texts(), gaps()]).toEqual([['one', 'two', 'three'], []]);
});

test('the lines of a run come soon, however late the status names it', async () => {
  const { clock, view, write, texts } = await setUp();
  await view.pass(5_000);
  write('one');
  const writtenMs = clock.now();
  await view.until(() => texts().length > 0, 60_000);
  await view.close();
  expect(texts()).toEqual(['one']);
  // The follower retries waiting containers at least every ten seconds.
  expect(clock.now() - writtenMs).toBeLessThan(13_000);
});

test('a run that the status names while it is read first was not started again', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web-0');
  const container = cluster.addContainer(pod, 'main', []);
  container.state = 'waiting';
  cluster.holdStatus(pod);
  container.runs.push(newRun('first'));
  container.state = 'running';
  cluster.write(container, { at: timestampFromMs(clock.now()), bytes: Buffer.from('one'), partial: false });
  cluster.nextFault = () => {
    cluster.letStatusGo(pod);
    return undefined;
  };
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(3_000);
  await view.close();
  expect(view.records.map(({ message }) => Buffer.from(message).toString())).toEqual(['one']);
  expect(view.frames.filter(({ type }) => type === 'gap')).toEqual([]);
});
