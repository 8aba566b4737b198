import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, NO_FILTER, nameOf, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import type { Bound } from '../../domain/window.ts';

function line(text: string, ms: number) {
  return { at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms), bytes: Buffer.from(text), partial: false };
}

function twoPods() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const name of ['a', 'b']) {
    const pod = cluster.addPod(name);
    const entries = Array.from({ length: 200 }, (_, index) =>
      line(`${name}${index}`, index * 10 + (name === 'a' ? 0 : 5)),
    );
    cluster.addContainer(pod, 'main', [newRun(`${name}-0`, entries)]);
  }
  return { clock, cluster };
}

const messages = (records: ReturnType<typeof recordsOf>) =>
  records.map((record) => Buffer.from(record.message).toString());

test('tail gives the last of the merged order, not of each container', async () => {
  const { clock, cluster } = twoPods();
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 4 } }));
  expect(messages(recordsOf(frames))).toEqual(['a198', 'b198', 'a199', 'b199']);
  expect(frames.at(-1)).toMatchObject({ type: 'end', cut: true, live: false });
});

test('head gives the first of the merged order', async () => {
  const { clock, cluster } = twoPods();
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'head', count: 3 } }));
  expect(messages(recordsOf(frames))).toEqual(['a0', 'b0', 'a1']);
});

test('all gives everything in order', async () => {
  const { clock, cluster } = twoPods();
  const records = recordsOf(await collect(cluster, clock, planOf({})));
  expect(records).toHaveLength(400);
  expect(records.map(nameOf)).toEqual(records.map(nameOf).toSorted());
});

test('a window is read to its end if the clock was set back to before it', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const entries = [0, 10_000, 20_000, 30_000, 1_000, 2_000].map((ms) => line(`at ${ms}`, ms));
  cluster.addContainer(cluster.addPod('a'), 'main', [newRun('a-0', entries)]);
  const from = { kind: 'inclusive', at: entries[2]!.at } as const;
  const frames = await collect(cluster, clock, planOf({ from }));
  expect(messages(recordsOf(frames))).toEqual(['at 20000', 'at 30000']);
  expect(frames.flatMap(({ type }) => (type === 'records' ? [] : [type]))).toEqual(['end']);
});

test.each([
  [5_000, [4_600]],
  [5_300, [4_600, 6_000]],
  [5_300, [4_600, 5_250, 6_000]],
  [60_000, [2_000, 3_000, 3_100]],
])(
  'a run that begins before the end of the earlier one (%i), because the clock was set back, is whole',
  async (end, times) => {
    const clock = new FakeClock();
    const cluster = new FakeCluster(clock);
    const before = newRun('a-0', [line('first', 1_000), line('last', end)]);
    const present = newRun(
      'a-1',
      times.map((ms, index) => line(`again ${index}`, ms)),
    );
    cluster.addContainer(cluster.addPod('a'), 'main', [before, present]);
    const frames = await collect(cluster, clock, planOf({}));
    expect(new Set(messages(recordsOf(frames)))).toEqual(
      new Set(['first', 'last', ...times.map((_, index) => `again ${index}`)]),
    );
    expect(frames.flatMap(({ type }) => (type === 'records' ? [] : [type]))).toEqual(['end']);
  },
);

test('pages forward continue after the clock was set back, and give nothing twice', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  // The last lines have the times of the first ones.
  const times = Array.from({ length: 139 }, (_, index) => index * 10 - (index < 68 ? 0 : 1_360));
  const entries = times.map((ms, index) => line(`${index}`, 10_000 + ms));
  cluster.addContainer(cluster.addPod('a'), 'main', [newRun('a-0', entries)]);
  for (const count of [1, 2, 7]) {
    const found: string[] = [];
    const notices = new Set<string>();
    let from: Bound | undefined;
    for (let pages = 0; ; pages++) {
      expect(pages).toBeLessThan(150);
      const filter = { ...NO_FILTER, grep: '[02468]$' };
      const plan = planOf({ selection: { kind: 'head', count }, from }, { filter, cursors: true });
      const frames = await collect(cluster, clock, plan);
      found.push(...messages(recordsOf(frames)));
      for (const frame of frames) if (frame.type === 'notice') notices.add(frame.code);
      const end = frames.find(({ type }) => type === 'end');
      if (end?.type !== 'end' || end.next === undefined) break;
      from = { kind: 'cursor', cursor: end.next };
    }
    expect(new Set(found).size).toBe(found.length);
    // Lines written with earlier times are on no page, which a notice reports.
    expect(found.length).toBeLessThan(70);
    expect([...notices]).toEqual(['clock-set-back']);
  }
});

test('follow continues after the backlog without a gap and without doubles', async () => {
  const { clock, cluster } = twoPods();
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'tail', count: 2 }, follow: true }));
  await view.until(() => view.records.length === 2, 5_000);
  for (const name of ['a', 'b']) {
    const container = cluster.pods.get(name)!.containers[0]!;
    cluster.write(container, line(`${name} live`, 10_000));
  }
  await view.until(() => view.records.length === 4, 5_000);
  await view.close();
  expect(messages(view.records)).toEqual(['a199', 'b199', 'a live', 'b live']);
  const end = view.frames.findIndex(({ type }) => type === 'end');
  expect(view.frames[end]).toMatchObject({ live: true });
  expect(view.frames.slice(0, end).filter(({ type }) => type === 'records')).toHaveLength(1);
});

test('a tail of nothing that follows gives only new records', async () => {
  const { clock, cluster } = twoPods();
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'tail', count: 0 }, follow: true }));
  await view.until(() => view.frames.some(({ type }) => type === 'end'), 5_000);
  cluster.write(cluster.pods.get('a')!.containers[0]!, line('new', 10_000));
  await view.pass(1_000);
  await view.close();
  expect(messages(view.records)).toEqual(['new']);
});

test('following ends when every container is finished and none can come', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('job', { restartPolicy: 'Never' });
  const container = cluster.addContainer(pod, 'main', [newRun('job-0', [line('first', 0)])]);
  const view = new LiveView(cluster, clock, planOf({ follow: true }), false);
  await view.until(() => view.records.length === 1, 5_000);
  cluster.write(container, { ...line('last without newline', 1000), partial: true });
  cluster.endRun(pod, container);
  await view.until(() => view.ended, 60_000);
  expect(view.ended).toBe(true);
  expect(messages(view.records)).toEqual(['first', 'last without newline']);
  expect(view.records.at(-1)).toMatchObject({ partial: true });
  expect(view.frames.at(-1)).toMatchObject({ type: 'source', state: 'finished' });
});

test('a container that waits is read when it starts', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('slow');
  const container = cluster.addContainer(pod, 'main', []);
  container.state = 'waiting';
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(3_000);
  const waiting = view.frames.filter((frame) => frame.type === 'source' && frame.state === 'waiting');
  expect(waiting[0]).toMatchObject({ reason: 'ContainerCreating' });
  container.runs.push(newRun('slow-0', [line('up', 0)]));
  container.state = 'running';
  cluster.changed(pod);
  await view.until(() => view.records.length === 1, 10_000);
  await view.close();
  expect(messages(view.records)).toEqual(['up']);
});

test('a check after a minute of silence finds a stalled follow, which then resumes', async () => {
  const { clock, cluster } = twoPods();
  const plan = planOf({ selection: { kind: 'tail', count: 1 }, follow: true });
  cluster.nextFault = (query) =>
    query.follow === true &&
    query.pod === 'a' &&
    cluster.queries.filter(({ follow, pod }) => follow && pod === 'a').length === 1
      ? // The second that it must repeat comes, 100 lines of 36 bytes: without it, the check is after 5 s.
        { kind: 'stall', afterBytes: 3_600, delayMs: 1e9 }
      : undefined;
  const view = new LiveView(cluster, clock, plan);
  await view.pass(1_000);
  cluster.write(cluster.pods.get('a')!.containers[0]!, line('behind the stall', 20_000));
  await view.pass(30_000, 500);
  expect(messages(view.records)).not.toContain('behind the stall');
  await view.pass(60_000, 500);
  await view.close();
  expect(messages(view.records).filter((message) => message === 'behind the stall')).toHaveLength(1);
});

test('grep with tail searches back until it has as many as asked for', async () => {
  const { clock, cluster } = twoPods();
  const filter = { ...NO_FILTER, grep: '^a1?[05]$' };
  const plan = planOf({ selection: { kind: 'tail', count: 3 } }, { filter });
  expect(messages(recordsOf(await collect(cluster, clock, plan)))).toEqual(['a5', 'a10', 'a15']);
});

test('grep with tail says how far it searched when its budget ends', async () => {
  const { clock, cluster } = twoPods();
  const filter = { ...NO_FILTER, grep: '^a0$' };
  const plan = planOf({ selection: { kind: 'tail', count: 3 } }, { filter, searchLimitBytes: 100 });
  const frames = await collect(cluster, clock, plan);
  expect(recordsOf(frames)).toEqual([]);
  expect(frames.find(({ type }) => type === 'notice')).toMatchObject({ code: 'search-limit' });
});

test('no more containers are read at once than allowed, and the rest waits its turn', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (let index = 0; index < 9; index++) {
    const pod = cluster.addPod(`p${index}`);
    const entries = Array.from({ length: 50 }, (_, number) =>
      line(`${index}-${number}`, number * 100 + index),
    );
    cluster.addContainer(pod, 'main', [newRun(`run-${index}`, entries)]);
  }
  for (const selection of [
    { kind: 'all' },
    { kind: 'head', count: 100 },
    { kind: 'tail', count: 100 },
  ] as const) {
    const free = messages(recordsOf(await collect(cluster, clock, planOf({ selection }))));
    cluster.maxOpenLogs = 0;
    const frames = await collect(cluster, clock, planOf({ selection }, { maxLogRequests: 2 }));
    expect(messages(recordsOf(frames))).toEqual(free);
    expect(cluster.maxOpenLogs).toBeLessThanOrEqual(2);
    expect(frames.filter(({ type }) => type === 'progress').at(-1)).toMatchObject({ data: { total: 9 } });
  }
});

test('a tail too large for the memory is read forward from its place', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const name of ['a', 'b']) {
    const pod = cluster.addPod(name);
    // Two records of each at every time, so that the position lies among equal ones.
    const entries = Array.from({ length: 15_000 }, (_, index) =>
      line(`${name}${index}`, Math.floor(index / 2)),
    );
    cluster.addContainer(pod, 'main', [newRun(`${name}-0`, entries)]);
  }
  const all = messages(recordsOf(await collect(cluster, clock, planOf({}))));
  const plan = planOf({ selection: { kind: 'tail', count: 25_001 } }, { cursors: true });
  const frames = await collect(cluster, clock, plan);
  expect(messages(recordsOf(frames))).toEqual(all.slice(-25_001));
  expect(frames.at(-1)).toMatchObject({ cut: true, prev: { shown: 3 }, next: undefined });
});

test('a large tail of a log that grows meanwhile gives no more than was asked for', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('fast');
  const entries = Array.from({ length: 30_000 }, (_, index) => line(`${index}`, index));
  const container = cluster.addContainer(pod, 'main', [newRun('fast-0', entries)]);
  let written = 0;
  cluster.nextFault = () => {
    cluster.write(container, line(`later ${written}`, 40_000 + written++));
    return undefined;
  };
  const plan = planOf({ selection: { kind: 'tail', count: 25_000 } }, { cursors: true });
  const frames = await collect(cluster, clock, plan);
  expect(recordsOf(frames)).toHaveLength(25_000);
  expect(frames.at(-1)).toMatchObject({ type: 'end', next: undefined });
});

test('reports an unreadable container in a large tail once', async () => {
  const { clock, cluster } = twoPods();
  cluster.nextFault = ({ pod }) => (pod === 'b' ? { kind: 'status', status: 403 } : undefined);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 25_000 } }));
  expect(recordsOf(frames)).toHaveLength(200);
  expect(frames.filter((frame) => frame.type === 'source' && frame.state === 'failed')).toHaveLength(1);
});

test('containers that grow are all checked at once, without waiting in between', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (let index = 0; index < 30; index++) {
    const entries = Array.from({ length: 20 }, (_, at) => line(`${index} ${at}`, at * 100 + index));
    cluster.addContainer(cluster.addPod(`p${index}`), 'main', [newRun(`run-${index}`, entries)]);
  }
  cluster.nextFault = ({ pod }) => {
    const container = cluster.pods.get(pod)!.containers[0]!;
    cluster.write(container, line('more', 10_000 + container.runs[0]!.entries.length));
    return { kind: 'delay', delayMs: 100 };
  };
  const started = clock.now();
  const frames = await collect(cluster, clock, planOf({}));
  expect(recordsOf(frames)).toHaveLength(30 * 22);
  expect(cluster.queries).toHaveLength(60);
  // Virtual time: two answers of 100 ms for all of them together, not for each.
  expect(clock.now() - started).toBeLessThan(1_000);
});

test('a search that is limited goes back by at least one step a page, and arrives', async () => {
  const { clock, cluster } = twoPods();
  const filter = { ...NO_FILTER, grep: '^[ab]0$' };
  const found: string[] = [];
  let to: Bound | undefined;
  for (let pages = 0; pages < 400; pages++) {
    const plan = planOf(
      { selection: { kind: 'tail', count: 1 }, to },
      { filter, searchLimitBytes: 1, cursors: true },
    );
    const frames = await collect(cluster, clock, plan);
    found.unshift(...messages(recordsOf(frames)));
    const end = frames.find(({ type }) => type === 'end');
    if (end?.type !== 'end' || end.prev === undefined) break;
    to = { kind: 'cursor', cursor: end.prev };
  }
  expect(found).toEqual(['a0', 'b0']);
});

test('grep with tail counts matches: their context comes on top, and none comes without it', async () => {
  const { clock, cluster } = twoPods();
  const filter = { ...NO_FILTER, grep: '^[ab]1[0-9]0$', beforeContext: 2, afterContext: 1 };
  const plan = planOf({ selection: { kind: 'tail', count: 3 } }, { filter });
  expect(messages(recordsOf(await collect(cluster, clock, plan)))).toEqual([
    'b178',
    'b179',
    'b180',
    'b181',
    'a188',
    'b188',
    'a189',
    'b189',
    'a190',
    'b190',
    'a191',
    'b191',
  ]);
});

test('context before the first match is read too', async () => {
  const { clock, cluster } = twoPods();
  const filter = { ...NO_FILTER, grep: '^a180$', beforeContext: 150 };
  const plan = planOf({ selection: { kind: 'tail', count: 1 } }, { filter });
  const expected = Array.from({ length: 151 }, (_, index) => `a${30 + index}`);
  expect(messages(recordsOf(await collect(cluster, clock, plan)))).toEqual(expected);
});
