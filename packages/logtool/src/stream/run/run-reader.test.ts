import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { FakeCluster, type FakeRun, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { gapCauseText } from '../../messages/gap.ts';
import { addressRun } from './open-log.ts';
import type { RunReadOptions } from './run-outcome.ts';
import { RunReader } from './run-reader.ts';
import { Walk } from './walk.ts';

/** Creates one container with these runs; `read` reads one of them, with the container as the pod reports it now. */
function setUp(runs: (clock: FakeClock) => readonly FakeRun[]) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web');
  const container = cluster.addContainer(pod, 'main', runs(clock));
  const [target] = cluster.targetsOf(pod);
  const frames: Frame[] = [];
  const read = async (id: string, previous: boolean, options: Partial<RunReadOptions>) => {
    const { signal } = new AbortController();
    const context = {
      client: cluster.client,
      clock,
      signal,
      report: (frame: Frame) => void frames.push(frame),
      resolvedAtMs: clock.now(),
      random: Math.random,
    };
    const reader = new RunReader(context, addressRun(target!, id, previous), {
      start: {},
      giveUnterminated: true,
      ...options,
    });
    const texts: string[] = [];
    const done = (async () => {
      for await (const batch of reader.batches()) texts.push(...batch.map(textOf));
    })();
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    done.then(end, end);
    for (let second = 0; second < 600 && !isOver; second++) await clock.advance(1_000);
    await done;
    return { texts, outcome: reader.outcome };
  };
  const gaps = () => frames.flatMap((frame) => (frame.type === 'gap' ? [gapCauseText(frame.cause)] : []));
  return { clock, cluster, container, read, gaps, frames };
}

const textOf = ({ message }: LogRecord) => Buffer.from(message).toString();
/** Lines of a run, one a second from this time on. */
const lines = (name: string, count: number, startMs: number) =>
  Array.from({ length: count }, (_, index) => ({
    at: timestampFromMs(startMs + index * 1_000 + 500),
    bytes: Buffer.from(`${name} ${index}`),
    partial: false,
  }));

test('a walk that came to the end of its log is not stuck, however often nothing new was there', async () => {
  const { read } = setUp((clock) => [newRun('a', lines('a', 3, clock.now() - 10_000))]);
  const walk = new Walk();
  expect(await read('a', false, { walk })).toEqual({
    texts: ['a 0', 'a 1', 'a 2'],
    outcome: { kind: 'complete' },
  });
  for (let again = 0; again < 3; again++) {
    expect(await read('a', false, { walk })).toEqual({ texts: [], outcome: { kind: 'complete' } });
    expect(walk.isStuck).toBe(false);
  }
});

test('another run in place of a known one shows, although none of its lines is as late as the known ones', async () => {
  const { cluster, clock, read, gaps } = setUp(() => [newRun('a', []), newRun('b', [])]);
  const [pod] = cluster.pods.values();
  const [container] = pod!.containers;
  const walk = new Walk();
  for (const entry of lines('a', 3, clock.now() - 10_000)) container!.runs[0]!.entries.push(entry);
  expect((await read('a', true, { walk })).texts).toEqual(['a 0', 'a 1', 'a 2']);
  // The clock of the node was set back before it.
  for (const entry of lines('b', 3, clock.now() - 3_600_000)) container!.runs[1]!.entries.push(entry);
  cluster.startRun(pod!, container!, 'c');
  const asked = cluster.queries.length;
  expect(await read('a', true, { walk, confirmRun: true })).toEqual({
    texts: [],
    outcome: { kind: 'absent' },
  });
  expect(gaps()).toEqual(['the container restarted, and the node removed its earlier run']);
  expect(cluster.queries.length - asked).toBeLessThan(5);
});

test('the missing records of an unreadable previous run end where the current one begins', async () => {
  const { container, read, frames } = setUp((clock) => [
    newRun('a', lines('a', 3, clock.now() - 10_000)),
    newRun('b', lines('b', 3, clock.now() - 5_000)),
  ]);
  const [earlier, current] = container.runs;
  Object.assign(earlier!, { ended: true, removed: true });
  const { outcome, texts } = await read('a', true, {});
  expect({ outcome, texts }).toEqual({ outcome: { kind: 'absent' }, texts: [] });
  const { seconds } = current!.entries[0]!.at;
  // The status has the second in which a run began.
  const to = { seconds: seconds + 1, nanos: 0 };
  expect(frames.filter(({ type }) => type === 'gap')).toMatchObject([
    { cause: { code: 'previous-unreadable' }, from: undefined, to },
  ]);
});

test('a run that the node seems to have removed is searched for no position', async () => {
  const { cluster, container, read, gaps } = setUp((clock) => [
    newRun('a', lines('a', 3_000, clock.now() - 3_000_000)),
    newRun('b', []),
  ]);
  container.runs[1]!.ended = true;
  container.state = 'terminated';
  let asked = 0;
  cluster.nextFault = ({ limitBytes }) => {
    if (limitBytes === undefined && ++asked === 1) return { kind: 'reset', afterBytes: 5_000 };
    return { kind: 'text', text: 'unable to retrieve container logs for a', afterBytes: 0 };
  };
  const { outcome, texts } = await read('a', true, { start: { tailLines: 2_000 } });
  expect(texts.length).toBeGreaterThan(10);
  expect(outcome).toEqual({ kind: 'absent' });
  expect(gaps()).toHaveLength(1);
  const kinds = cluster.queries.map(({ limitBytes }) => (limitBytes === undefined ? 'read' : 'search'));
  // Only the first resume searches: it does not know yet that the log may be removed.
  expect(kinds.lastIndexOf('search')).toBeLessThan(kinds.indexOf('read', 1));
});
