import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { line, numbered, onePod } from '../../../../../test/support/engine/one-pod.ts';
import { scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import { KeptScans } from '../kept/kept-scans.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string) => parseTimestamp(`2026-11-21T${text}Z`)!;

/** A pod whose lines begin at 09:00, three hours before the scan, and whose run began at a time. */
function podSince(start: string, entries = numbered(60, MINUTE)) {
  const world = onePod(entries);
  world.container.runs[0]!.startedAt = at(start);
  return world;
}

const lostOf = (frames: readonly ScanFrame[]) =>
  frames.flatMap((frame) =>
    frame.type === 'gap'
      ? [[frame.cause.code, frame.from && formatTimestamp(frame.from), frame.to && formatTimestamp(frame.to)]]
      : [],
  );
const named = (code: string, from: string | undefined, to: string) => [
  code,
  from && formatTimestamp(at(from)),
  formatTimestamp(at(to)),
];
const dataOf = (frames: readonly ScanFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'gap' ? [frame.cause.data] : []));
const lines = (frames: readonly ScanFrame[]) => {
  const end = frames.at(-1);
  return end?.type === 'scanned' ? end.lines : undefined;
};

test('a scan says from when on the node has a log that was rotated', async () => {
  const world = podSince('06:00:00');
  expect(lostOf(await scanFrames(world, {}))).toEqual([named('begins-late', '06:00:00', '09:00:00')]);
  const range = { from: at('08:00:00'), to: at('08:30:00') };
  const frames = await scanFrames(world, { range });
  expect(lines(frames)).toBe(0);
  expect(lostOf(frames)).toEqual([named('begins-late', '08:00:00', '08:30:00')]);
  // The log begins after the range, which cuts the gap.
  expect(dataOf(frames)).toEqual([
    { beginsAt: '2026-11-21T09:00:00.000000000Z', afterSeconds: 3 * 3600, wasRotated: undefined },
  ]);
});

test('a log that was never rotated gets no doubt, in whatever range', async () => {
  const world = podSince('08:59:50');
  for (const from of [undefined, '08:00:00', '09:00:30', '09:00:30.5', '09:30:00', '11:00:00']) {
    const range = { from: from === undefined ? undefined : at(from), to: undefined };
    expect(lostOf(await scanFrames(world, { range }))).toEqual([]);
  }
});

test('a range inside of a rotated log lacks nothing', async () => {
  const world = podSince('06:00:00');
  const range = { from: at('09:10:30'), to: undefined };
  expect(lostOf(await scanFrames(world, { range }))).toEqual([]);
});

test('what a scan kept stays counted after a rotation, and what was lost since is named', async () => {
  const world = podSince('08:59:50');
  const { cluster, clock, container } = world;
  clock.set(Date.UTC(2026, 10, 21, 10, 30) - clock.now());
  const kept = new KeptScans(new FakeClock());
  const owner = { session: 's', context: 'c' };
  const range = { from: at('09:00:00'), to: undefined };
  expect(lines(await scanFrames(world, { range }, kept.begin(owner)))).toBe(60);
  cluster.write(container, line('lost', 2 * HOUR));
  cluster.rotate(container);
  cluster.write(container, line('after', 3 * HOUR));
  for (const copy of [kept.begin(owner), kept.begin(owner)]) {
    const frames = await scanFrames(world, { range }, copy);
    expect(lines(frames)).toBe(61);
    const lost = lostOf(frames);
    expect(dataOf(frames).at(-1)).toMatchObject({ wasRotated: true });
    expect([lost[0]?.[1], lost.at(-1)?.[2]]).toEqual(named('begins-late', '10:29:00', '12:00:00').slice(1));
  }
  kept.close();
});

test('a scan says how many runs the node no longer has, if they were in the range', async () => {
  const world = podSince('09:00:00', []);
  const { cluster, pod, container } = world;
  for (const run of [1, 2, 3]) {
    cluster.endRun(pod, container, 'waiting');
    cluster.startRun(pod, container, `containerd://web-${run}`).startedAt = at(`1${run}:00:00`);
  }
  // The status has the second in which the oldest run that is left began.
  expect(lostOf(await scanFrames(world, {}))).toEqual([named('runs-gone', undefined, '12:00:01')]);
  const range = { from: at('12:30:00'), to: undefined };
  expect(lostOf(await scanFrames(world, { range }))).toEqual([]);
  expect(lostOf(await scanFrames(world, { previous: 'no' }))).toEqual([]);
});

/** A pod whose previous run wrote from 06:00 on, and whose present one began at 07:00, with lines from 09:00 on. */
function podOfTwoRuns() {
  const world = podSince('07:00:00');
  const { container } = world;
  const before = { ...newRun('containerd://web-before', numbered(5, MINUTE)), ended: true };
  before.entries.splice(0, 5, ...numbered(5, MINUTE).map((each) => ({ ...each, at: earlier(each.at) })));
  container.runs.unshift(before);
  return { ...world, before };
}
const earlier = ({ seconds, nanos }: Timestamp) => ({ seconds: seconds - 3 * 3_600, nanos });

test('what was rotated of a later run is a gap between two runs, not the beginning of the log', async () => {
  const world = podOfTwoRuns();
  expect(lostOf(await scanFrames(world, {}))).toEqual([named('run-begins-late', '07:00:00', '09:00:00')]);
});

test('a previous run that the node has removed is one of those that are gone', async () => {
  const world = podOfTwoRuns();
  world.before.removed = true;
  const lost = lostOf(await scanFrames(world, {}));
  expect(lost).toContainEqual(named('runs-gone', undefined, '07:00:01'));
  expect(lost).toContainEqual(named('begins-late', '07:00:00', '09:00:00'));
});
