import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import type { LogRecord } from '../../domain/record.ts';
import { addressRun } from './open-log.ts';
import { FOLLOW, READ_TO_END, type ReadPolicy, startOf } from './request-start.ts';
import { SMALL_LOG_BYTES } from './resume-query.ts';
import { Walk } from './walk.ts';

const RUN = 'containerd://a';
const LINES = 5_000;

/** Creates a log of a line a second up to now, and a walk through it up to this many lines before its end; 0: none. */
function setUp(back: number) {
  const clock = new FakeClock();
  const timeOf = (index: number) => timestampFromMs(clock.now() - (LINES - index) * 1_000 + 500);
  const entries = Array.from({ length: LINES }, (_, index) => ({
    at: timeOf(index),
    bytes: Buffer.from(`line ${index}`),
    partial: false,
  }));
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web');
  cluster.addContainer(pod, 'main', [newRun(RUN, entries)]);
  const [target] = cluster.targetsOf(pod);
  const run = addressRun(target!, RUN, false);
  const { signal } = new AbortController();
  const context = {
    client: cluster.client,
    clock,
    signal,
    report: () => {},
    resolvedAtMs: 0,
    random: Math.random,
  };
  const walk = new Walk();
  const record = (index: number): LogRecord => {
    const { at, bytes } = entries[index]!;
    return { run: run.identity, at, seq: 0, message: bytes, partial: false, late: false };
  };
  const known = LINES - back;
  if (back > 0) walk.admit([record(known - 1), record(known)]);
  const facts = { isFromStart: true, bytesRead: 0, isSearchable: true };
  const start = (policy: ReadPolicy, more: Partial<typeof facts> = {}) =>
    startOf(context, run, walk, policy, { ...facts, ...more });
  /** Repeats an answer of only known lines, which breaks. */
  const repeat = () => {
    walk.beginResume();
    walk.admit([record(known)]);
  };
  return { cluster, walk, start, repeat, since: { seconds: timeOf(known).seconds, nanos: 0 } };
}

const READ: ReadPolicy = { ...READ_TO_END, start: {}, confirms: 'never' };
const FOLLOWED: ReadPolicy = { ...FOLLOW, start: { follow: true, tailLines: 7 } };
const from = (sinceTime: Timestamp, tails: readonly number[]) => ({ request: { sinceTime }, tails });
const followed = (sinceTime: Timestamp, tails: readonly number[]) => ({
  request: { follow: true, sinceTime },
  tails,
});

test('while no line is known, the request is the one that the reader chose', async () => {
  const { start } = setUp(0);
  expect(await start(READ)).toEqual({ request: {}, tails: [] });
  expect(await start(FOLLOWED)).toEqual({ request: { follow: true, tailLines: 7 }, tails: [] });
});

test('a read resumes by time, and searches for the number of lines only in a large log', async () => {
  const { start, cluster, since } = setUp(500);
  expect(await start(READ)).toEqual(from(since, []));
  const isLarge = { bytesRead: SMALL_LOG_BYTES };
  expect(await start(READ, { ...isLarge, isSearchable: false })).toEqual(from(since, []));
  expect(cluster.queries).toEqual([]);
  // Four times the first number that reaches back: the log may grow.
  const searched = from(since, [4 * 1_024]);
  expect(await start(READ, isLarge)).toEqual(searched);
  expect(cluster.queries.map(({ tailLines, limitBytes }) => [tailLines, limitBytes])).toEqual([[1_024, 64]]);
  // A read that did not begin with the first line says nothing about the size of the log.
  expect(await start(READ, { isFromStart: false })).toEqual(searched);
});

test('a follow tries numbers of lines without a search', async () => {
  const { start, cluster, since } = setUp(1_500);
  expect(await start(FOLLOWED)).toEqual(followed(since, [1_000, 30_000]));
  expect(cluster.queries).toEqual([]);
});

test.each([
  ['read', READ, []],
  ['follow', FOLLOWED, [1_000, 30_000]],
] as const)(
  'a %s whose answers bring only known lines begins just before the last one',
  async (_name, policy, others) => {
    const { start, repeat, walk } = setUp(100);
    repeat();
    expect((await start(policy)).tails).toEqual(others);
    repeat();
    expect((await start(policy)).tails).toEqual([108, ...others]);
    // The server does not answer: it would not answer the search either.
    walk.missAnswer();
    expect((await start(policy)).tails).toEqual(others);
    repeat();
    expect((await start(policy)).tails).toEqual([108, ...others]);
    walk.forgetRepeats();
    expect((await start(policy)).tails).toEqual(others);
  },
);

test('lines that the server withheld are read by time only: their number is unknown', async () => {
  const { start, walk, since } = setUp(100);
  const earlier = { seconds: since.seconds - 600, nanos: 0 };
  walk.withheldFrom(earlier.seconds);
  expect(await start(FOLLOWED)).toEqual(followed(earlier, []));
  expect(await start(READ, { bytesRead: SMALL_LOG_BYTES })).toEqual(from(earlier, []));
});
