import type { LogQuery } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import {
  faults,
  line,
  numbered,
  onePod,
  texts,
  textsOf,
  troubles,
} from '../../../../../test/support/engine/one-pod.ts';

/** One test for each way in which the log API of a real cluster misleads its readers, named after the event. */

test('a follow ends cleanly while the container runs: it is taken up again', async () => {
  const { clock, cluster, container } = onePod(numbered(3, 10));
  faults(cluster, [{ kind: 'clean-end', afterBytes: 0 }], ({ follow }) => follow === true);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.until(() => view.records.length === 3, 5_000);
  cluster.write(container, line('behind the end', 5_000));
  await view.until(() => view.records.length === 4, 20_000);
  await view.pass(3_000);
  await view.close();
  expect(textsOf(view)).toEqual(['line 0', 'line 1', 'line 2', 'behind the end']);
});

test('a request right after a restart replays the old run: it is not given twice', async () => {
  const { clock, cluster, pod, container } = onePod(numbered(3, 10));
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.until(() => view.records.length === 3, 5_000);
  // The run ends; until the next one has started, the API serves the old one completely.
  cluster.endRun(pod, container, 'waiting');
  await view.pass(5_000);
  const run = cluster.startRun(pod, container, 'containerd://web-1');
  run.entries.push(line('new run', 10_000));
  cluster.changed(pod);
  await view.until(() => view.records.length === 4, 60_000);
  await view.pass(3_000);
  await view.close();
  expect(textsOf(view)).toEqual(['line 0', 'line 1', 'line 2', 'new run']);
});

test.each(['+05:30', '-08:00'])(
  'timestamps of a node in the zone %s are read as the moments they are',
  async (zone) => {
    const { clock, cluster } = onePod(numbered(3, 10), zone);
    const records = recordsOf(await collect(cluster, clock, planOf({})));
    expect(records.map(({ at }) => formatTimestamp(at))).toEqual([
      '2026-11-21T09:00:00.000000000Z',
      '2026-11-21T09:00:00.010000000Z',
      '2026-11-21T09:00:00.020000000Z',
    ]);
  },
);

test.each([0, 33, 40, 120])(
  'a failure of the node comes as text with 200, %i bytes in: it is no record, and read again',
  async (afterBytes) => {
    const text = 'unable to retrieve container logs for containerd://web-0';
    const { clock, cluster } = onePod(numbered(5, 10));
    faults(cluster, [{ kind: 'text', text, afterBytes }]);
    const frames = await collect(cluster, clock, planOf({}));
    expect(texts(frames)).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4']);
    expect(troubles(frames)).toEqual([]);
  },
);

const NODE_FAILURES = [
  'unable to retrieve container logs for containerd://web-0',
  'failed to try resolving symlinks in path "/var/log/pods/web.log": lstat: no such file or directory\n',
  'unable to retrieve container logs for containerd://web-0\nrpc error: code = Unavailable\n',
];

test.each(NODE_FAILURES)(
  'a failure of the node as text with 200 is no record of a run that is over: %j',
  async (text) => {
    const { clock, cluster, container } = onePod(numbered(3, 10));
    container.runs[0]!.ended = true;
    container.state = 'terminated';
    for (const afterBytes of [0, 38]) {
      faults(cluster, [{ kind: 'text', text, afterBytes }]);
      const frames = await collect(cluster, clock, planOf({}));
      expect(texts(frames), `after ${afterBytes} bytes`).toEqual(['line 0', 'line 1', 'line 2']);
      expect(troubles(frames)).toEqual([]);
    }
  },
);

test.each(NODE_FAILURES)(
  'a failure of the node as text with 200 is no record of a follow: %j',
  async (text) => {
    const { clock, cluster, container } = onePod(numbered(3, 10));
    for (const afterBytes of [0, 38]) {
      const follows = ({ follow }: LogQuery) => follow === true;
      faults(cluster, [{ kind: 'text', text, afterBytes }], follows);
      const view = new LiveView(cluster, clock, planOf({ follow: true }));
      await view.until(() => view.records.length >= 3, 5_000);
      cluster.write(container, line(`behind ${afterBytes}`, 5_000 + afterBytes));
      await view.pass(20_000);
      await view.close();
      expect(textsOf(view).slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
      expect(textsOf(view).slice(3).at(-1)).toBe(`behind ${afterBytes}`);
      expect(textsOf(view).filter((one) => !/^(line|behind) \d+$/.test(one))).toEqual([]);
    }
  },
);

test('a stderr entry inside a long line stays inside: only line starts are parsed', async () => {
  const entries = [
    line('out ', 0, true),
    line('2026-11-21T09:00:00.000000001Z err ', 1, true),
    line('end', 2),
    line('next', 3),
  ];
  const { clock, cluster } = onePod(entries);
  expect(texts(await collect(cluster, clock, planOf({})))).toEqual([
    'out 2026-11-21T09:00:00.000000001Z err end',
    'next',
  ]);
});

test('the unterminated last line of a run that ended is a record', async () => {
  const { clock, cluster, pod, container } = onePod([line('first', 0), line('no newline', 1, true)]);
  cluster.endRun(pod, container);
  for (const selection of [{ kind: 'all' }, { kind: 'tail', count: 2 }] as const) {
    expect(texts(await collect(cluster, clock, planOf({ selection })))).toEqual(['first', 'no newline']);
  }
});

test('the unterminated last line is a record too where a line near it is the same, wherever the body is cut', async () => {
  const entries = [...numbered(5, 10), line('tick', 50), line('between', 49), line('tick', 50, true)];
  const { clock, cluster, pod, container } = onePod(entries);
  cluster.endRun(pod, container);
  for (let afterBytes = 0; afterBytes < 300; afterBytes++) {
    faults(cluster, [{ kind: 'clean-end', afterBytes }]);
    const given = texts(await collect(cluster, clock, planOf({})));
    expect(given.slice(5).toSorted(), `cut after ${afterBytes} bytes`).toEqual(['between', 'tick', 'tick']);
  }
});

test.each([
  ['tick', 'between', 'tick'],
  ['tick', 'tick', 'tick'],
  ['tick', 'tick', 'between', 'between', 'tick'],
])('the last line is the same as one near it: a body cut in between is no end (%j)', async (...end) => {
  const same = end.map((text) => line(text, 50));
  for (const isOpen of [false, true]) {
    const entries = [...numbered(5, 10), ...same.slice(0, -1), { ...same.at(-1)!, partial: isOpen }];
    const { clock, cluster, pod, container } = onePod(entries);
    if (isOpen) cluster.endRun(pod, container);
    for (let afterBytes = 0; afterBytes < 400; afterBytes++) {
      faults(cluster, [{ kind: 'clean-end', afterBytes }]);
      const frames = await collect(cluster, clock, planOf({}));
      expect(texts(frames).slice(5), `cut after ${afterBytes} bytes`).toEqual(end);
      expect(troubles(frames)).toEqual([]);
    }
  }
});

test('in CrashLoopBackOff current and previous are the same run: it is read once', async () => {
  const { clock, cluster, pod, container } = onePod(numbered(3, 10));
  cluster.endRun(pod, container, 'waiting');
  for (const selection of [{ kind: 'all' }, { kind: 'tail', count: 10 }] as const) {
    expect(texts(await collect(cluster, clock, planOf({ selection })))).toEqual([
      'line 0',
      'line 1',
      'line 2',
    ]);
  }
});

test('just terminated, previous is a removed container: the text means that there is none', async () => {
  const { clock, cluster, pod, container, run } = onePod(numbered(3, 10));
  cluster.startRun(pod, container, 'containerd://web-1').entries.push(line('second', 1_000));
  cluster.endRun(pod, container);
  run.removed = true;
  const frames = await collect(cluster, clock, planOf({}));
  expect(texts(frames)).toEqual(['second']);
  expect(troubles(frames)).toEqual([]);
});

test('only the newest file is served: a tail that comes back short says so', async () => {
  const { clock, cluster, container } = onePod(numbered(50, 10));
  container.runs[0]!.startedAt = parseTimestamp('2026-11-21T08:00:00Z')!;
  cluster.rotate(container);
  container.runs[0]!.entries.push(line('behind the rotation', 10_000));
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 10 } }));
  expect(texts(frames)).toEqual(['behind the rotation']);
  expect(troubles(frames)).toMatchObject([{ type: 'gap', cause: { code: 'begins-late' } }]);
});

test('reports a rotation in the middle of a broken read as a gap', async () => {
  const { clock, cluster, container } = onePod(numbered(50, 1_000));
  faults(cluster, [{ kind: 'reset', afterBytes: 200 }]);
  const first = cluster.nextFault;
  let requests = 0;
  cluster.nextFault = (query) => {
    if (++requests === 2) {
      cluster.rotate(container);
      cluster.write(container, line('behind the rotation', 100_000));
    }
    return first(query);
  };
  const frames = await collect(cluster, clock, planOf({}));
  expect(texts(frames).at(-1)).toBe('behind the rotation');
  expect(troubles(frames)).toMatchObject([{ type: 'gap' }]);
});

test('a pod without a node answers 204: it waits, and is no empty log', async () => {
  const { clock, cluster, pod } = onePod([]);
  pod.scheduled = false;
  const frames = await collect(cluster, clock, planOf({}));
  expect(troubles(frames)).toMatchObject([{ type: 'source', state: 'waiting' }]);
});

test('a waiting container answers 400 at once: reports its reason', async () => {
  const { clock, cluster, container } = onePod([]);
  container.runs.length = 0;
  container.state = 'waiting';
  const frames = await collect(cluster, clock, planOf({}));
  expect(troubles(frames)).toMatchObject([{ type: 'source', state: 'waiting', reason: 'ContainerCreating' }]);
});

test.each([
  [404, 'that just started'],
  [500, 'that is down'],
  [503, 'that is overloaded'],
])('a kubelet answers %i for pods that exist (one %s): asked again while the pod exists', async (status) => {
  const { clock, cluster } = onePod(numbered(3, 10));
  faults(cluster, [
    { kind: 'status', status },
    { kind: 'status', status },
    { kind: 'status', status },
  ]);
  const frames = await collect(cluster, clock, planOf({}));
  expect(texts(frames)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(troubles(frames)).toEqual([]);
});

test.each(['reset', 'clean-end'] as const)(
  'a body is cut in the middle of a line, at every byte (%s): no half line, and none twice',
  async (kind) => {
    const { clock, cluster } = onePod(numbered(4, 10));
    for (let afterBytes = 0; afterBytes < 4 * 38; afterBytes++) {
      faults(cluster, [{ kind, afterBytes }]);
      const frames = await collect(cluster, clock, planOf({}));
      expect(texts(frames), `cut after ${afterBytes} bytes`).toEqual([
        'line 0',
        'line 1',
        'line 2',
        'line 3',
      ]);
    }
  },
);

test('an idle follow stays open, and is checked from time to time', async () => {
  const { clock, cluster, container } = onePod(numbered(2, 10));
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.until(() => view.records.length === 2, 5_000);
  await view.pass(10 * 60_000, 1_000);
  expect(cluster.queries.filter(({ follow }) => follow)).toHaveLength(1);
  cluster.write(container, line('at last', 700_000));
  await view.until(() => view.records.length === 3, 5_000);
  await view.close();
  expect(textsOf(view).at(-1)).toBe('at last');
});

test('many containers are read at once, as many as allowed, with no limit of requests a second', async () => {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (let index = 0; index < 100; index++) {
    cluster.addContainer(cluster.addPod(`p${index}`), 'main', [newRun(`run-${index}`, numbered(20, 10))]);
  }
  cluster.nextFault = () => ({ kind: 'delay', delayMs: 50 });
  const started = clock.now();
  expect(recordsOf(await collect(cluster, clock, planOf({})))).toHaveLength(2_000);
  // Virtual time: the answers of 50 ms overlap.
  expect(clock.now() - started).toBeLessThan(1_000);
});

test('429 with Retry-After: asked again no earlier than that', async () => {
  const { clock, cluster } = onePod(numbered(3, 10));
  faults(cluster, [{ kind: 'status', status: 429, retryAfterMs: 7_000 }]);
  const started = clock.now();
  expect(texts(await collect(cluster, clock, planOf({})))).toEqual(['line 0', 'line 1', 'line 2']);
  expect(clock.now() - started).toBeGreaterThanOrEqual(7_000);
});
