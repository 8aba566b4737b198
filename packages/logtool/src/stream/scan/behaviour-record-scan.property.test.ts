import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { collect, NO_FILTER, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { line } from '../../../../../test/support/engine/one-pod.ts';
import { scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import { nameOfRecord, seeded } from '../../../../../test/support/engine/search-logs.ts';
import { NORMAL_LINES, TRACES } from '../../../../../test/support/records/traces.ts';
import { COUNTED_LEVELS, type ScanFrame, type ScanPosition } from '../../domain/coverage/scan.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import { KeptScans } from '../kept/kept-scans.ts';
import { compileFilter } from '../match/compile-filter.ts';
import { RecordLines } from '../match/record-lines.ts';
import { createRecordTests } from '../match/record-tests.ts';
import type { ScanPlan } from './scan-logs.ts';

/* Scans of multiline records, compared with a terminal's output for the same range. LOGTOOL_SEED replays one. */

// A view loads pattern code on first use, which takes real time that no test clock controls.
beforeAll(async () => {
  await compileFilter({ ...NO_FILTER, grep: 'match|^$' });
});

const PIECE = fc.record({
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }) => lines),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 40 }),
  ),
  stepMs: fc.constantFrom(0, 1, 20),
  gapMs: fc.constantFrom(0, 5, 900, 1500),
});
const FILTER = fc.constantFrom<Partial<FilterPlan>>(
  {},
  { levels: ['error'] },
  { levels: ['error', 'fatal'] },
  { levels: ['warn'] },
  { grep: 'Caused by|KeyError' },
  { grep: 'shop' },
  { grep: 'caused', ignoreCase: true },
  { grep: 'at ', levels: ['error'] },
  { grep: 'shop', exclude: ['Wire'] },
  { grep: 'e', exclude: ['Traceback', 'health'] },
  { exclude: ['9 more'] },
  { fields: [{ path: 'level', value: 'error', exclude: false }] },
  { fields: [{ path: 'level', value: 'error', exclude: true }], exclude: ['health'] },
  { fields: [{ path: 'msg', value: 'no error', exclude: false }], grep: 'info' },
);
const BOUND = fc.option(fc.integer({ min: 0, max: 9_000 }), { nil: undefined });
const LOGS = fc.record({
  containers: fc.array(fc.array(PIECE, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  filter: FILTER,
  from: BOUND,
  to: BOUND,
  bucketMs: fc.constantFrom(100, 1_000, 5_000),
  maxLogRequests: fc.constantFrom(1, 100),
});
type Logs = typeof LOGS extends fc.Arbitrary<infer T> ? T : never;

function clusterOf(containers: Logs['containers']) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  for (const [index, pieces] of containers.entries()) {
    let ms = index;
    const entries = pieces.flatMap(({ lines, stepMs, gapMs }) => {
      ms += gapMs;
      return lines.map((text) => {
        ms += stepMs;
        return line(text, ms);
      });
    });
    const pod = cluster.addPod(`pod-${index}`);
    cluster.addContainer(pod, 'main', [newRun(`containerd://${index}`, entries)]);
  }
  return { clock, cluster };
}

type World = ReturnType<typeof clusterOf>;

const boundAt = (ms: number | undefined) => (ms === undefined ? undefined : line('', ms).at);

/** Returns the lines of a range that a terminal shows. */
async function shownLines({ cluster, clock }: World, { filter, from, to }: Logs) {
  const [start, end] = [boundAt(from), boundAt(to)];
  const window = {
    selection: { kind: 'all' } as const,
    from: start && ({ kind: 'inclusive', at: start } as const),
    to: end && ({ kind: 'strict', at: end } as const),
  };
  const plan = { filter: { ...NO_FILTER, ...filter, wholeRecords: true } };
  return recordsOf(await collect(cluster, clock, planOf(window, plan)));
}

/** Returns the heads of all records of a range, and of those that a terminal shows. */
async function headsOf(world: World, logs: Logs) {
  const lines = await shownLines(world, { ...logs, filter: {} });
  const heads = new Set<LogRecord>();
  const groups = new RecordLines(
    await createRecordTests(NO_FILTER, { person: '', signal: undefined }),
    undefined,
    ({ record }) => heads.add(record),
  );
  for (const record of lines) groups.add(record, () => undefined);
  groups.settleAll(() => undefined);
  const keyOf = ({ run, seq }: LogRecord) => `${run.target.id} ${seq}`;
  const shown = new Set((await shownLines(world, logs)).map(keyOf));
  const all = lines.filter((record) => heads.has(record));
  return { all, matches: all.filter((record) => shown.has(keyOf(record))) };
}

type Side = 'lines' | 'matches';

/** Returns the counts by bucket, from all frames together; `scans`: each continues where the previous one stopped. */
function byBucket(scans: readonly (readonly ScanFrame[])[], side: Side): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const frames of scans) {
    const known = new Map<string, readonly [number, number]>();
    for (const frame of frames)
      if (frame.type === 'counts')
        for (const bucket of frame.buckets) {
          const count = bucket[side].reduce((sum, own) => sum + own, 0);
          known.set(`${frame.target.id} ${bucket.fromMs}`, [bucket.fromMs, count]);
        }
    for (const [fromMs, count] of known.values()) sums.set(fromMs, (sums.get(fromMs) ?? 0) + count);
  }
  return new Map([...sums].filter(([, count]) => count > 0).sort(([a], [b]) => a - b));
}

function truthOf(heads: readonly LogRecord[], bucketMs: number): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { at } of heads) {
    const fromMs = Math.floor(timestampToMs(at) / bucketMs) * bucketMs;
    sums.set(fromMs, (sums.get(fromMs) ?? 0) + 1);
  }
  return new Map([...sums].sort(([a], [b]) => a - b));
}

const hitsOf = (frames: readonly ScanFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'hits' ? frame.records.map(nameOfRecord) : []));

const planFor = ({ filter, from, to, bucketMs, maxLogRequests }: Logs): Partial<ScanPlan> => ({
  filter: { ...NO_FILTER, ...filter, wholeRecords: true },
  range: { from: boundAt(from), to: boundAt(to) },
  bucketMs,
  maxLogRequests,
});

/** Scans in passes of this many bytes. */
async function inPasses(world: World, plan: Partial<ScanPlan>, bytes: number, kept: KeptScans | undefined) {
  const positions = new Map<string, ScanPosition>();
  const scans: (readonly ScanFrame[])[] = [];
  for (;;) {
    const limited = { ...plan, positions: new Map(positions), budget: { bytes, ms: 3_600_000 } };
    const frames = await scanFrames(world, limited, kept?.begin({ session: 's', context: 'c' }));
    scans.push(frames);
    for (const frame of frames)
      if (frame.type === 'coverage' && frame.position !== undefined)
        positions.set(frame.target.id, frame.position);
    const end = frames.at(-1);
    if (end?.type !== 'scanned' || scans.length > 400) throw new Error('the scan does not end');
    if (end.stopped === undefined) return scans;
  }
}

test('a scan finds and counts the records that a terminal shows', async () => {
  await fc.assert(
    fc.asyncProperty(LOGS, async (logs) => {
      const world = clusterOf(logs.containers);
      const { all, matches } = await headsOf(world, logs);
      const plan = planFor(logs);
      const kept = new KeptScans(new FakeClock());
      for (const copy of [undefined, kept, kept]) {
        const hits = { order: 'oldest' as const, count: 10_000 };
        const frames = await scanFrames(
          world,
          { ...plan, hits },
          copy?.begin({ session: 's', context: 'c' }),
        );
        expect(byBucket([frames], 'lines')).toEqual(truthOf(all, logs.bucketMs));
        expect(byBucket([frames], 'matches')).toEqual(truthOf(matches, logs.bucketMs));
        expect(hitsOf(frames)).toEqual(matches.map(nameOfRecord));
        expect(frames.at(-1)).toMatchObject({ lines: all.length, matches: matches.length, incomplete: [] });
        const only = await scanFrames(world, { ...plan, hits, bucketMs: undefined });
        expect(hitsOf(only)).toEqual(matches.map(nameOfRecord));
      }
      kept.close();
    }),
    seeded(100),
  );
}, 120_000);

test('passes that each continue where the one before stopped count each record once', async () => {
  await fc.assert(
    fc.asyncProperty(LOGS, fc.integer({ min: 50, max: 3_000 }), fc.boolean(), async (logs, bytes, keeps) => {
      const world = clusterOf(logs.containers);
      const { all, matches } = await headsOf(world, logs);
      const kept = keeps ? new KeptScans(new FakeClock()) : undefined;
      const scans = await inPasses(world, planFor(logs), bytes, kept);
      expect(byBucket(scans, 'lines')).toEqual(truthOf(all, logs.bucketMs));
      expect(byBucket(scans, 'matches')).toEqual(truthOf(matches, logs.bucketMs));
      kept?.close();
    }),
    seeded(100),
  );
}, 120_000);

test('a record is counted once, with its level and at the time of its head; what lies in the range of it is one record', async () => {
  const trace = [
    '2026-11-22T12:35:11Z ERROR payment failed',
    'java.lang.IllegalStateException: cannot charge',
    '\tat com.example.shop.Checkout.charge(Checkout.java:88)',
    'Caused by: java.net.SocketTimeoutException: Read timed out',
    '\t... 9 more',
  ];
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  // The head is in the last millisecond of a second.
  const entries = ['2026-11-22T12:35:11Z INFO ready', ...trace].map((text, index) => line(text, 998 + index));
  cluster.addContainer(cluster.addPod('pod'), 'main', [newRun('containerd://a', entries)]);
  const scan = async (plan: Partial<ScanPlan>) => {
    const frames = await scanFrames({ cluster, clock }, plan);
    const counts = frames.flatMap((frame) => (frame.type === 'counts' ? frame.buckets : []));
    return counts.map(({ fromMs, lines, matches }) => ({
      ms: fromMs - timestampToMs(line('', 0).at),
      levels: COUNTED_LEVELS.filter((_, level) => lines[level]! > 0),
      lines: lines.reduce((sum, own) => sum + own, 0),
      matches: matches.reduce((sum, own) => sum + own, 0),
    }));
  };
  const filter = { ...NO_FILTER, grep: 'timed out', levels: ['error' as const], wholeRecords: true };
  expect(await scan({ filter })).toEqual([{ ms: 0, levels: ['error', 'info'], lines: 2, matches: 1 }]);
  // Its head precedes the range: the lines after it are a separate trace.
  const tail = { from: entries[2]!.at, to: undefined };
  expect(await scan({ filter, range: tail })).toEqual([
    { ms: 1_000, levels: ['error'], lines: 1, matches: 1 },
  ]);
  // Its cause follows the range.
  const head = { from: undefined, to: entries[4]!.at };
  expect(await scan({ filter, range: head })).toEqual([
    { ms: 0, levels: ['error', 'info'], lines: 2, matches: 0 },
  ]);
  // Line by line, none has the level and the text.
  expect(await scan({ filter: { ...filter, wholeRecords: false } })).toMatchObject([
    { matches: 0, lines: 2 },
    { matches: 0, lines: 4 },
  ]);
});
