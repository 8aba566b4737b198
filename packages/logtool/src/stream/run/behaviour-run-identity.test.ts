import type { LogQuery } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import {
  FakeCluster,
  type FakeFault,
  type FakePod,
  newRun,
} from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Window } from '../../domain/window.ts';
import { gapCauseText } from '../../messages/gap.ts';

/** The log API does not identify runs: `previous` is the run that ended last at the time of the request. */

/** Creates one container with the runs `run-0` and so on: each wrote one line, and the last one is running. */
function setUp(runs: number) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web');
  const lineOf = (id: string, ms: number) => ({
    at: timestampFromMs(clock.now() + ms),
    bytes: Buffer.from(`line of ${id}`),
    partial: false,
  });
  const first = Array.from({ length: runs }, (_, index) => {
    const id = `run-${index}`;
    return newRun(id, [lineOf(id, 1_000 * (index - runs))]);
  });
  const container = cluster.addContainer(pod, 'main', first);
  const restart = () => {
    const id = `run-${container.runs.length}`;
    cluster.startRun(pod, container, id);
    cluster.write(container, lineOf(id, container.runs.length));
  };
  /** Acts before the main read of the previous run with that number, counted from 0. */
  const beforePrevious = (number: number, act: () => FakeFault | undefined) => {
    let asked = 0;
    cluster.nextFault = (query) => (isMain(query) && asked++ === number ? act() : undefined);
  };
  return { clock, cluster, pod, container, restart, beforePrevious };
}

const isMain = (query: LogQuery) => query.previous === true && query.limitBytes === undefined;
const textOf = ({ message }: LogRecord) => Buffer.from(message).toString();
const given = (records: readonly LogRecord[]) => records.map((r) => `${r.run.key.containerId}: ${textOf(r)}`);
const gaps = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.type === 'gap' ? [gapCauseText(frame.cause)] : []));

test('the run before moves on between two answers of one read: none of its lines go under the other key', async () => {
  const { cluster, clock, container, restart } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  let asked = 0;
  cluster.nextFault = (query) => {
    if (!isMain(query)) return undefined;
    asked++;
    // run-1 is requested, and reveals neither its lines nor its end.
    if (asked <= 2) return { kind: 'clean-end', afterBytes: 0 };
    if (asked === 3) restart();
    return undefined;
  };
  restart();
  restart();
  expect(container.runs).toHaveLength(3);
  await view.pass(30_000);
  await view.close();
  expect(given(view.records)).toEqual([
    'run-0: line of run-0',
    'run-2: line of run-2',
    'run-3: line of run-3',
  ]);
  expect(gaps(view.frames)).toContain('a run ended, and the node removed it before logtool could read it');
});

test('a run that moves on after an empty answer does not pass for one that wrote nothing', async () => {
  const { cluster, clock, restart, beforePrevious } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  let asked = 0;
  cluster.nextFault = (query) => {
    if (!isMain(query)) return undefined;
    asked++;
    return { kind: 'clean-end', afterBytes: 0 };
  };
  restart();
  restart();
  await view.until(() => asked > 2, 5_000);
  beforePrevious(0, () => undefined);
  restart();
  await view.pass(30_000);
  await view.close();
  expect(given(view.records)).toEqual([
    'run-0: line of run-0',
    'run-2: line of run-2',
    'run-3: line of run-3',
  ]);
  expect(gaps(view.frames)).not.toEqual([]);
});

test('a run that begins while the end of the one before is asked for: its lines come under its own key', async () => {
  const { cluster, clock, pod, container } = setUp(1);
  const start = clock.now();
  const write = (ms: number, text: string) =>
    cluster.write(container, {
      at: timestampFromMs(start - 1_000 + ms),
      bytes: Buffer.from(text),
      partial: false,
    });
  let asked = 0;
  cluster.nextFault = () => {
    const number = asked++;
    if (number === 1) cluster.startRun(pod, container, 'run-1');
    // So near to the first line of the earlier run that a known line might follow them.
    if (number === 4) for (const ms of [120, 130, 140]) write(ms, `at ${ms}`);
    // The probe sees a line that cannot precede a known one.
    if (number === 5) write(500, 'at 500');
    return undefined;
  };
  const view = new LiveView(cluster, clock, planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(10_000);
  await view.close();
  expect(asked).toBeGreaterThan(5);
  expect(given(view.records)).toEqual([
    'run-0: line of run-0',
    ...[120, 130, 140, 500].map((ms) => `run-1: at ${ms}`),
  ]);
});

test('a run without lines that begins in the middle of a read: what is left of the one before is read', async () => {
  const { cluster, clock, pod, container } = setUp(1);
  const at = timestampFromMs(clock.now());
  cluster.write(container, { at, bytes: Buffer.from('second line'), partial: false });
  let asked = 0;
  cluster.nextFault = () => {
    const number = asked++;
    if (number === 0) return { kind: 'clean-end', afterBytes: 60 };
    if (number === 1) cluster.startRun(pod, container, 'run-1');
    return undefined;
  };
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'all' } }));
  expect(given(recordsOf(frames))).toEqual(['run-0: line of run-0', 'run-0: second line']);
  expect(gaps(frames)).toEqual([]);
});

const ALL = { kind: 'all' } as const;
const TAIL = { kind: 'tail', count: 10 } as const;
const RESTARTS: readonly (readonly [string, Partial<Window>, readonly string[], number])[] = [
  ['all', { selection: ALL }, ['run-1: line of run-1', 'run-2: line of run-2'], 1],
  ['all of the run before', { selection: ALL, previous: 'only' }, ['run-1: line of run-1'], 0],
  // The tail of the run that was current then has been read.
  ['a tail', { selection: TAIL }, ['run-1: line of run-1'], 1],
  ['a tail of the run before', { selection: TAIL, previous: 'only' }, ['run-1: line of run-1'], 0],
];

test.each(RESTARTS)('a restart before the read of the earlier run: %s', async (_, window, wanted, lost) => {
  const { cluster, clock, restart, beforePrevious } = setUp(2);
  beforePrevious(0, () => void restart());
  const frames = await collect(cluster, clock, planOf(window));
  expect(given(recordsOf(frames))).toEqual(wanted);
  expect(gaps(frames)).toHaveLength(lost);
});

test('reports a run that two restarts removed before anything of it was read', async () => {
  const { cluster, clock, restart } = setUp(1);
  let asked = 0;
  cluster.nextFault = () => {
    asked++;
    if (asked <= 2) restart();
    return undefined;
  };
  const frames = await collect(cluster, clock, planOf({}));
  expect(given(recordsOf(frames))).toEqual(['run-1: line of run-1', 'run-2: line of run-2']);
  expect(gaps(frames)).toHaveLength(1);
});

test('reports a run that was current at first when each of two reads finds that it restarted', async () => {
  const { cluster, clock, restart } = setUp(1);
  let reads = 0;
  cluster.nextFault = ({ previous, limitBytes }) => {
    if (previous !== true && limitBytes === undefined && reads++ < 2) restart();
    return undefined;
  };
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count: 1_000 } }));
  expect(given(recordsOf(frames))).toEqual(['run-1: line of run-1', 'run-2: line of run-2']);
  expect(gaps(frames)).toHaveLength(1);
});

test('the status of the pod lags the log API: it is fetched again if the times contradict it', async () => {
  const { cluster, clock, pod, container, restart, beforePrevious } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  beforePrevious(0, () => {
    cluster.holdStatus(pod);
    restart();
    clock.after(500, () => cluster.letStatusGo(pod));
    return undefined;
  });
  restart();
  restart();
  await view.pass(30_000);
  await view.close();
  expect(container.runs).toHaveLength(4);
  expect(given(view.records)).toEqual([
    'run-0: line of run-0',
    'run-2: line of run-2',
    'run-3: line of run-3',
  ]);
  expect(gaps(view.frames)).not.toEqual([]);
});

/** Deletes the pod while the next chunk is in transit: a request for the pod then finds none. */
function deleteWithNextChunk(cluster: FakeCluster, pod: FakePod) {
  const { chunkBytes } = cluster;
  cluster.chunkBytes = () => {
    cluster.chunkBytes = chunkBytes;
    cluster.deletePod(pod);
    return chunkBytes();
  };
}

test('of a pod that is gone, lines older than its last run are those of the run that was asked for', async () => {
  const { cluster, clock, pod, container, restart } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  cluster.nextFault = (query) => {
    if (query.follow !== true) return undefined;
    cluster.chunkBytes = () => {
      cluster.chunkBytes = () => 64 * 1024;
      // run-1 is served. It ends, run-2 begins two seconds after its line, and the pod is deleted.
      container.runs.at(-1)!.ended = true;
      const at = timestampFromMs(clock.now() + 2_000);
      container.runs.push({ ...newRun('run-2'), startedAt: at });
      cluster.deletePod(pod);
      return 64 * 1024;
    };
    return undefined;
  };
  restart();
  await view.pass(30_000);
  await view.close();
  expect(given(view.records)).toEqual(['run-0: line of run-0', 'run-1: line of run-1']);
  expect(gaps(view.frames)).toContain('a run ended, and the node removed it before logtool could read it');
});

test('reports a run after a complete one if its pod is deleted before logtool reads it', async () => {
  const { cluster, clock, pod, container, restart } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  cluster.endRun(pod, container, 'waiting');
  await view.pass(3_000);
  restart();
  cluster.deletePod(pod);
  await view.pass(30_000);
  await view.close();
  expect(given(view.records)).toEqual(['run-0: line of run-0']);
  expect(gaps(view.frames)).toEqual(['a run ended, and the node removed it before logtool could read it']);
});

test('a run that is served as the one before while its pod is deleted goes under no other key', async () => {
  const { cluster, clock, pod, restart, beforePrevious } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  beforePrevious(0, () => {
    // run-1 is requested, and run-2 is the previous run from now on.
    restart();
    deleteWithNextChunk(cluster, pod);
    return undefined;
  });
  restart();
  restart();
  await view.pass(30_000);
  await view.close();
  expect(given(view.records)).toEqual(['run-0: line of run-0']);
  expect(gaps(view.frames)).not.toEqual([]);
});

test('a follow that comes back to a later run, whose pod is deleted, gives none of it under the earlier key', async () => {
  const { cluster, clock, pod, restart } = setUp(1);
  let asked = 0;
  cluster.nextFault = (query) => {
    if (query.follow !== true) return undefined;
    asked++;
    if (asked === 1) return { kind: 'reset', afterBytes: 0 };
    if (asked === 2) restart();
    // The third one, for all lines since then, is answered before the pod is gone.
    if (asked === 4) deleteWithNextChunk(cluster, pod);
    return undefined;
  };
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(60_000);
  await view.close();
  const wrong = given(view.records).filter((line) => line === 'run-0: line of run-1');
  expect([wrong, asked > 3]).toEqual([[], true]);
  expect(gaps(view.frames)).not.toEqual([]);
});

test('if the last status of a deleted pod never comes, reports its end as uncertain', async () => {
  const { cluster, clock, pod, restart } = setUp(1);
  const view = new LiveView(cluster, clock, planOf({ follow: true }));
  await view.pass(1_000);
  let asked = 0;
  cluster.nextFault = (query) => {
    if (query.follow !== true || asked++ > 0) return undefined;
    cluster.chunkBytes = () => {
      pod.deleted = true;
      return 64 * 1024;
    };
    return undefined;
  };
  restart();
  await view.pass(60_000);
  await view.close();
  expect(given(view.records)).toEqual(['run-0: line of run-0', 'run-1: line of run-1']);
  expect(gaps(view.frames)).toEqual([expect.stringMatching(/^the pod was deleted/)]);
});
