import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { line } from '../../../../../test/support/engine/one-pod.ts';
import { scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { NORMAL_LINES, TRACES } from '../../../../../test/support/records/traces.ts';
import { formatPosition, type LogPosition } from '../../backend/log-position.ts';
import type { BucketCount } from '../../domain/coverage/scan.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import type { EntryQuery } from '../entries/entry-query.ts';
import { LogFiles } from '../entries/log-files.ts';
import { LocalFolder } from '../files/local-folder.ts';
import { StampIndex } from '../index/stamp-index.ts';
import { countLines, countTestsOf } from './count-lines.ts';

const { signal } = new AbortController();
const container = { namespace: 'shop', pod: 'web', podUid: 'uid', container: 'main' };
const ALL: EntryQuery = {
  lower: undefined,
  upper: undefined,
  direction: 'forward',
  limit: undefined,
  stream: undefined,
};

const piece = fc.record({
  lines: fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.constantFrom(...TRACES).map(({ lines }) => lines),
    fc.array(fc.constantFrom(...NORMAL_LINES), { minLength: 1, maxLength: 20 }),
  ),
  stepMs: fc.constantFrom(0, 1, 20),
  gapMs: fc.constantFrom(0, 5, 900, 1500),
});
const logs = fc.record({
  pieces: fc.array(piece, { maxLength: 10 }),
  filter: fc.constantFrom<Partial<FilterPlan>>(
    {},
    { levels: ['error'] },
    { levels: ['warn', 'fatal'] },
    { grep: 'Caused by|KeyError' },
    { grep: 'shop' },
    { grep: 'caused', ignoreCase: true },
    { grep: 'at ', levels: ['error'] },
    { grep: 'e', exclude: ['Traceback', 'health'] },
    { exclude: ['9 more'] },
  ),
  wholeRecords: fc.boolean(),
  bucketMs: fc.constantFrom(100, 1_000, 5_000),
  /** Where the files end, as parts of all lines. */
  ends: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  maxScan: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
});
type Logs = typeof logs extends fc.Arbitrary<infer T> ? T : never;

function linesOf({ pieces }: Logs) {
  let ms = 0;
  let lines = 0;
  return pieces.flatMap(({ lines: texts, stepMs, gapMs }) => {
    ms += gapMs;
    return texts.map((text) => {
      ms += stepMs;
      const { at, ...rest } = line(text, ms);
      // No two files begin at the same nanosecond.
      return { ...rest, at: { ...at, nanos: at.nanos + lines++ } };
    });
  });
}

/** Returns what a scan of the engine counts. */
async function countedByEngine(lines: ReturnType<typeof linesOf>, { bucketMs, filter, wholeRecords }: Logs) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  cluster.addContainer(cluster.addPod('web'), 'main', [newRun('containerd://0', lines)]);
  const plan = { bucketMs, filter: { ...NO_FILTER, ...filter, wholeRecords } };
  const buckets = new Map<number, BucketCount>();
  for (const frame of await scanFrames({ cluster, clock }, plan)) {
    if (frame.type === 'counts') for (const bucket of frame.buckets) buckets.set(bucket.fromMs, bucket);
  }
  return buckets;
}

/** Writes the lines as a kubelet keeps them, in several files; the first is compressed. */
function write(folder: string, lines: ReturnType<typeof linesOf>, { ends }: Logs): void {
  const borders = [
    ...ends.map((share) => Math.floor(share * lines.length)).sort((a, b) => a - b),
    lines.length,
  ];
  let start = 0;
  for (const [index, end] of borders.entries()) {
    const entries = lines
      .slice(start, end)
      .map(({ at, bytes }) => `${formatTimestamp(at)} stdout F ${bytes}\n`);
    const bytes = Buffer.from(entries.join(''));
    const isNewest = index === borders.length - 1;
    const name = isNewest ? '0.log' : `0.log.20261121-09000${index}`;
    const isPacked = index === 0 && !isNewest;
    writeFileSync(join(folder, isPacked ? `${name}.gz` : name), isPacked ? gzipSync(bytes) : bytes);
    start = end;
  }
}

/** Returns what the agent counts, in as many requests as its limit of bytes takes. */
async function countedByAgent(files: LogFiles, { bucketMs, filter, wholeRecords, maxScan }: Logs) {
  const plan: FilterPlan = { ...NO_FILTER, ...filter, wholeRecords };
  // A signal of its own, as for each request: patterns are held until it is aborted.
  const left = new AbortController();
  const tests = await countTestsOf(plan, left.signal);
  const context = { container, tests, stamps: new StampIndex(), clock: systemClock };
  const buckets = new Map<number, BucketCount>();
  const countFrom = async (lower: EntryQuery['lower']) => {
    let end: LogPosition | undefined;
    const counted = { query: { ...ALL, lower }, filter: plan, bucketMs, maxScan };
    for await (const item of countLines(files, counted, context)) {
      if (item.kind === 'counts') for (const bucket of item.buckets) addTo(buckets, bucket);
      if (item.kind === 'end') end = item.position;
    }
    return end;
  };
  let position = await countFrom(undefined);
  for (let before = ''; position !== undefined && before !== formatPosition(position); ) {
    before = formatPosition(position);
    position = await countFrom({ point: { kind: 'position', position }, isInclusive: true });
  }
  left.abort();
  return buckets;
}

function addTo(buckets: Map<number, BucketCount>, { fromMs, lines, matches }: BucketCount): void {
  const known = buckets.get(fromMs);
  const sum = (a: readonly number[], b: readonly number[] | undefined) =>
    a.map((n, at) => n + (b?.[at] ?? 0));
  buckets.set(fromMs, { fromMs, lines: sum(lines, known?.lines), matches: sum(matches, known?.matches) });
}

test.runIf(existsSync('/proc/self/fd'))(
  `an agent counts what a scan of the engine counts of the same lines, also in several requests (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(logs, async (one) => {
        const root = mkdtempSync(join(tmpdir(), 'logtool-count-'));
        try {
          const folder = join(root, 'shop_web_uid', 'main');
          mkdirSync(folder, { recursive: true });
          const lines = linesOf(one);
          write(folder, lines, one);
          const local = new LocalFolder(root, ['shop_web_uid', 'main'], signal);
          const counted = await countedByAgent(await LogFiles.list(local, undefined, signal), one);
          const expected = await countedByEngine(lines, one);
          expect(counted).toEqual(expected);
          if ([...expected.values()].some(({ matches }) => matches.some((count) => count > 0))) matched++;
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
    expect(matched).toBeGreaterThan(100);
  },
);
