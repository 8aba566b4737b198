import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, onTestFinished, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import { line, numbered, onePod, textsOf, troubles } from '../../../../../test/support/engine/one-pod.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { ResolveFeed } from './resolve-feed.ts';

const LINES = 200;
const OUTAGE_MS = 150_000;

/** Containers that took turns writing, and whose server fails during the read. */
function lostInTheMiddle(selection: 'all' | 'tail') {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const entries = Array.from({ length: LINES }, (_, n) => line(`${name} ${n}`, n * 30 + index * 10));
    cluster.addContainer(cluster.addPod(name), 'main', [newRun(`containerd://${name}`, entries)]);
  }
  const asked = new Set<string>();
  const backAtMs = clock.now() + OUTAGE_MS;
  cluster.nextFault = ({ pod }) => {
    if (clock.now() >= backAtMs) return undefined;
    if (asked.has(pod)) return { kind: 'refuse' };
    asked.add(pod);
    return { kind: 'reset', afterBytes: 2_000 };
  };
  const plan = planOf({
    selection: selection === 'all' ? { kind: 'all' } : { kind: 'tail', count: 30 },
    follow: true,
  });
  const view = new LiveView(cluster, clock, plan);
  onTestFinished(() => view.close());
  return view;
}

const inTurns = Array.from({ length: LINES }, (_, n) => ['a', 'b', 'c'].map((name) => `${name} ${n}`)).flat();

test('an outage of minutes while a backlog is read changes nothing of it: no line is lost, misplaced or reported missing', async () => {
  const view = lostInTheMiddle('all');
  await view.until(() => view.records.length >= inTurns.length, 2 * OUTAGE_MS);
  await view.pass(1_000);
  expect(textsOf(view)).toEqual(inTurns);
  expect(troubles(view.frames)).toEqual([]);
});

test('nor of the last lines', async () => {
  const view = lostInTheMiddle('tail');
  await view.until(() => view.records.length >= 30, 2 * OUTAGE_MS);
  await view.pass(1_000);
  expect(textsOf(view)).toEqual(inTurns.slice(-30));
});

test.each([0, 5])(
  'of a container whose node comes back after minutes no more than the last %d lines are shown',
  async (count) => {
    const { clock, cluster, container } = onePod(numbered(LINES, 10));
    const backAtMs = clock.now() + OUTAGE_MS;
    cluster.nextFault = () => (clock.now() < backAtMs ? { kind: 'status', status: 500 } : undefined);
    const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'tail', count }, follow: true }));
    onTestFinished(() => view.close());
    await view.pass(OUTAGE_MS + 60_000);
    cluster.write(container, { at: timestampFromMs(clock.now()), bytes: Buffer.from('new'), partial: false });
    await view.pass(60_000);
    const last = Array.from({ length: count }, (_, n) => `line ${LINES - count + n}`);
    expect(textsOf(view)).toEqual([...last, 'new']);
  },
);

test('hears what passes on its way to an open window, and yields all events in order', async () => {
  const heard: number[] = [];
  const events = Array.from({ length: 500 }, (_, n) => ({ type: 'closing', open: n % 2 === 0 }) as const);
  let wake = () => {};
  async function* sources(): AsyncGenerator<ResolveEvent> {
    yield { type: 'synced', open: true };
    for (const [n, event] of events.entries()) {
      heard.push(n);
      yield event;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    heard.push(-1);
    throw new Error('the end');
  }
  const feed = new ResolveFeed(sources());
  expect(await feed.next()).toEqual({ type: 'synced', open: true });
  feed.readAhead();
  await new Promise(setImmediate);
  // Bounded: events wait for the reader.
  expect(heard).toHaveLength(100);
  for (const event of events) expect(await feed.next()).toEqual(event);
  const last = feed.next();
  wake();
  await expect(last).rejects.toThrow('the end');
});
