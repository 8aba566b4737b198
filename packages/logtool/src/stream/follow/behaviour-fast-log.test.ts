import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import type { Frame } from '../../domain/frame.ts';

/*
 * A fast-growing log over connections that all break early: a resume repeats more of its first second than one
 * connection delivers.
 */

const LINES_A_SECOND = 2_000;
/** Less than half of the lines of a second. */
const BREAKS_AFTER_BYTES = 50_000;

function setUp() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const container = cluster.addContainer(cluster.addPod('fast'), 'main');
  const written: string[] = [];
  /** Writes the lines of this many past seconds. */
  const write = (seconds: number) => {
    const startMs = clock.now() - seconds * 1_000;
    const lines = seconds * LINES_A_SECOND;
    for (let line = 0; line < lines; line++) {
      const text = `line ${written.length} ${'x'.repeat(40)}`;
      const { seconds, nanos } = timestampFromMs(startMs + Math.floor((line * 1_000) / LINES_A_SECOND));
      const at = { seconds, nanos: nanos + (written.length % 1_000_000) };
      cluster.write(container, { at, bytes: Buffer.from(text), partial: false });
      written.push(text);
    }
  };
  cluster.nextFault = (query) =>
    query.limitBytes === undefined ? { kind: 'reset', afterBytes: BREAKS_AFTER_BYTES } : undefined;
  return { clock, cluster, container, written, write };
}

const texts = (records: ReturnType<typeof recordsOf>) =>
  records.map(({ message }) => Buffer.from(message).toString());
const lost = (frames: readonly Frame[]) =>
  frames.filter((frame) => frame.type === 'gap' || (frame.type === 'source' && frame.state === 'failed'));

test('a read of all that was written comes to its end and loses nothing', async () => {
  const { clock, cluster, written, write } = setUp();
  write(3);
  let tenths = 20;
  const goOn = () => {
    write(0.1);
    if (--tenths > 0) clock.after(100, goOn);
  };
  clock.after(100, goOn);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'all' } }));
  expect(lost(frames)).toEqual([]);
  expect(texts(recordsOf(frames))).toEqual(written);
});

test('a follow of a quiet log is searched for no line while the server is away', async () => {
  const { clock, cluster, container, write } = setUp();
  cluster.nextFault = () => undefined;
  write(0.01);
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(5_000);
  // Two restarts of the server, without new lines between them.
  for (let restart = 0; restart < 3; restart++) {
    cluster.cut(container);
    await view.pass(10_000);
  }
  cluster.nextFault = () => ({ kind: 'refuse' });
  cluster.cut(container);
  const asked = cluster.queries.length;
  await view.pass(30_000);
  expect(cluster.queries.slice(asked).filter(({ limitBytes }) => limitBytes !== undefined)).toEqual([]);
  await view.close();
});

test('a log whose connections broke early is searched only once while the server is away', async () => {
  const { clock, cluster, container, write } = setUp();
  cluster.nextFault = () => undefined;
  write(0.01);
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(5_000);
  const isSearch = ({ limitBytes }: { readonly limitBytes?: number | undefined }) => limitBytes !== undefined;
  for (let cut = 0; cut < 4; cut++) {
    cluster.cut(container);
    await view.pass(1_000);
  }
  const before = cluster.queries.filter(isSearch).length;
  expect(before).toBeGreaterThan(0);
  cluster.nextFault = () => ({ kind: 'refuse' });
  cluster.cut(container);
  // The attempts of the search that finds the server away.
  await view.pass(30_000);
  const inOutage = cluster.queries.filter(isSearch).length;
  expect(inOutage).toBeGreaterThan(before);
  await view.pass(120_000, 500);
  expect(cluster.queries.filter(isSearch)).toHaveLength(inOutage);
  await view.close();
});

test('a follow continues and loses nothing', async () => {
  const { clock, cluster, written, write } = setUp();
  const plan = planOf({ selection: { kind: 'tail', count: 0 }, follow: true });
  const view = new LiveView(cluster, clock, plan);
  await view.pass(1_000);
  for (let tenth = 0; tenth < 20; tenth++) {
    await view.pass(100);
    write(0.1);
  }
  await view.until(() => view.records.length >= written.length, 60_000);
  await view.pass(5_000);
  await view.close();
  expect(lost(view.frames)).toEqual([]);
  expect(texts(view.records)).toEqual(written);
});
