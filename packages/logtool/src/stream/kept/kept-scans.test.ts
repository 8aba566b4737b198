import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test, vi } from 'vitest';
import { drive, NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, type FakeContainer, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { SCAN_PLAN, scanFrames } from '../../../../../test/support/engine/scan-frames.ts';
import { onLinux, temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import type { ScanFrame } from '../../domain/coverage/scan.ts';
import { type ScanPlan, scanLogs } from '../scan/scan-logs.ts';
import { KeptScans } from './kept-scans.ts';

const MINUTE = 60_000;
const OWNER = { session: 'mine', context: 'c' };
const folder = temporaryFolder();

/** Creates containers that wrote a line a second in the preceding hour. */
function clusterOf(pods: number) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const containers: FakeContainer[] = [];
  for (let index = 0; index < pods; index++) {
    const container = cluster.addContainer(cluster.addPod(`p${index}`), 'main', [newRun(`run-${index}`)]);
    for (let second = 3600; second > 0; second--) write(cluster, container, clock.now() - second * 1000);
    containers.push(container);
  }
  return { clock, cluster, containers };
}

function write(cluster: FakeCluster, container: FakeContainer, atMs: number, text = `at ${atMs}`): void {
  cluster.write(container, { at: timestampFromMs(atMs), bytes: Buffer.from(text), partial: false });
}

/** Returns how many lines a scan finds, and how many logs it requests. */
async function scan(
  { clock, cluster }: Pick<ReturnType<typeof clusterOf>, 'clock' | 'cluster'>,
  kept: KeptScans,
  plan: Partial<ScanPlan> = {},
  owner = OWNER,
) {
  const before = cluster.queries.length;
  const last = (await scanFrames({ cluster, clock }, plan, kept.begin(owner))).at(-1);
  if (last?.type !== 'scanned') throw new Error('no end');
  const queries = cluster.queries.slice(before);
  return { lines: last.lines, matches: last.matches, asked: queries.length, queries };
}

/** Returns the range that ended ten minutes ago. */
function endedRange(clock: FakeClock): ScanPlan['range'] {
  return { from: undefined, to: timestampFromMs(clock.now() - 10 * MINUTE) };
}

test('another filter over the same range asks for no log', async () => {
  const world = clusterOf(3);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  const first = await scan(world, kept, { range });
  expect(first).toMatchObject({ lines: 3 * 3000, matches: 3 * 3000 });
  expect(first.asked).toBeGreaterThan(0);
  const second = await scan(world, kept, { range, filter: { ...NO_FILTER, grep: '9000$' } });
  expect(second).toMatchObject({ lines: 3 * 3000, matches: 3 * 300, asked: 0 });
  kept.close();
});

test('of a range without an end only what is new is asked for, with a minute that may still change', async () => {
  const world = clusterOf(1);
  const { clock, cluster, containers } = world;
  const kept = new KeptScans(new FakeClock());
  const startMs = clock.now();
  expect((await scan(world, kept)).lines).toBe(3600);
  await clock.advance(5_000);
  // Written late, with a time before the end of the first read.
  write(cluster, containers[0]!, startMs - 100, 'late');
  write(cluster, containers[0]!, clock.now(), 'new');
  const second = await scan(world, kept);
  expect(second.lines).toBe(3602);
  const sinceMs = second.queries.map(({ sinceTime }) => (sinceTime?.seconds ?? 0) * 1000);
  const reads = sinceMs.filter((ms) => ms > 0);
  expect(reads.length).toBeGreaterThan(0);
  expect(Math.min(...reads)).toBeGreaterThanOrEqual(startMs - MINUTE - 2_000);
  kept.close();
});

test('a log that can grow no more is asked for no more', async () => {
  const world = clusterOf(1);
  const pod = world.cluster.pods.get('p0')!;
  Object.assign(pod, { restartPolicy: 'Never', phase: 'Succeeded' });
  world.cluster.endRun(pod, world.containers[0]!);
  const kept = new KeptScans(new FakeClock());
  expect((await scan(world, kept)).lines).toBe(3600);
  expect(await scan(world, kept)).toMatchObject({ lines: 3600, asked: 0 });
  kept.close();
});

test('only the session that read it, in the same context, has it; and only until it ends', async () => {
  const world = clusterOf(1);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  await scan(world, kept, { range });
  const asked = async (owner: typeof OWNER) => (await scan(world, kept, { range }, owner)).asked > 0;
  expect(await asked({ ...OWNER, session: 'theirs' })).toBe(true);
  expect(await asked({ ...OWNER, context: 'other' })).toBe(true);
  expect(await asked(OWNER)).toBe(false);
  kept.endSession('theirs');
  expect(await asked(OWNER)).toBe(false);
  kept.endSession(OWNER.session);
  expect(await asked(OWNER)).toBe(true);
  kept.close();
});

test('does not reuse it once the user may not get the logs', async () => {
  const world = clusterOf(2);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  await scan(world, kept, { range });
  world.cluster.mayRead = false;
  world.cluster.nextFault = () => ({ kind: 'status', status: 403 });
  const refused = await scan(world, kept, { range });
  expect(refused).toMatchObject({ lines: 0 });
  expect(refused.asked).toBeGreaterThan(0);
  kept.close();
});

test('a container that was started again is read again, and a pod that was removed is not shown', async () => {
  const world = clusterOf(2);
  const { cluster, containers } = world;
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  await scan(world, kept, { range });
  cluster.startRun(cluster.pods.get('p0')!, containers[0]!, 'run-0-again');
  const again = await scan(world, kept, { range });
  expect(again.lines).toBe(2 * 3000);
  expect(new Set(again.queries.map(({ pod }) => pod))).toEqual(new Set(['p0']));
  cluster.deletePod(cluster.pods.get('p1')!);
  expect((await scan(world, kept, { range })).lines).toBe(3000);
  kept.close();
});

test('where the clock of a node was set back, nothing is kept', async () => {
  const world = clusterOf(1);
  const { clock, cluster, containers } = world;
  for (let n = 0; n < 100; n++) write(cluster, containers[0]!, clock.now() - 30 * MINUTE + n, `again ${n}`);
  const kept = new KeptScans(new FakeClock());
  expect((await scan(world, kept)).lines).toBe(3700);
  const [second, third] = [await scan(world, kept), await scan(world, kept)];
  expect([second.lines, third.lines]).toEqual([3700, 3700]);
  expect(kept.bytes).toBe(0);
  kept.close();
});

test('what stopped at its budget is kept up to there', async () => {
  const world = clusterOf(1);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  const budget = { bytes: 50_000, ms: 60 * MINUTE };
  const first = await scan(world, kept, { range, budget });
  expect(first.lines).toBeLessThan(3000);
  const since = async () => (await scan(world, kept, { range })).queries[0]?.sinceTime?.seconds;
  expect(await since()).toBeGreaterThan(timestampFromMs(world.clock.now() - 60 * MINUTE).seconds + 60);
  expect(await since()).toBeUndefined();
  kept.close();
});

test('a copy goes ten minutes after its scan began', async () => {
  const world = clusterOf(1);
  const clock = new FakeClock();
  const kept = new KeptScans(clock);
  const range = endedRange(world.clock);
  await scan(world, kept, { range });
  await clock.advance(10 * MINUTE - 1);
  expect((await scan(world, kept, { range })).asked).toBe(0);
  expect(kept.bytes).toBeGreaterThan(0);
  await clock.advance(1);
  expect(kept.bytes).toBe(0);
  expect((await scan(world, kept, { range })).asked).toBeGreaterThan(0);
  kept.close();
});

test('in all they have no more than the limit, and the one used longest ago goes first', async () => {
  const worlds = Array.from({ length: 3 }, () => {
    const world = clusterOf(1);
    return { world, range: endedRange(world.clock) };
  });
  const read = async (kept: KeptScans, index: number) => {
    const { world, range } = worlds[index]!;
    return (await scan(world, kept, { range }, { ...OWNER, context: `c${index}` })).asked > 0;
  };
  const measured = new KeptScans(new FakeClock());
  await read(measured, 0);
  const maxBytes = measured.bytes * 2.5;
  measured.close();
  const kept = new KeptScans(new FakeClock(), { maxBytes });
  expect([await read(kept, 0), await read(kept, 1)]).toEqual([true, true]);
  expect([await read(kept, 0), await read(kept, 1), await read(kept, 0)]).toEqual([false, false, false]);
  expect(await read(kept, 2)).toBe(true);
  expect(kept.bytes).toBeLessThanOrEqual(maxBytes);
  expect([await read(kept, 0), await read(kept, 2)]).toEqual([false, false]);
  expect(await read(kept, 1)).toBe(true);
  kept.close();
});

test('what is larger than the limit is not kept', async () => {
  const world = clusterOf(1);
  const kept = new KeptScans(new FakeClock(), { maxBytes: 100 });
  const range = endedRange(world.clock);
  expect((await scan(world, kept, { range })).lines).toBe(3000);
  expect(kept.bytes).toBe(0);
  expect((await scan(world, kept, { range })).asked).toBeGreaterThan(0);
  kept.close();
});

onLinux('it lies in a file without a name, of which nothing is left at the end', async () => {
  const world = clusterOf(2);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  await scan(world, kept, { range });
  expect([folder.openFiles(), readdirSync(folder.path)]).toEqual([1, []]);
  // It does not keep again what it found.
  await scan(world, kept, { range });
  expect([folder.openFiles(), readdirSync(folder.path)]).toEqual([1, []]);
  kept.close();
  await expect.poll(() => folder.openFiles()).toBe(0);
});

test('where nothing can be written nothing is kept, and the scan is the same', async () => {
  vi.stubEnv('TMPDIR', join(folder.path, 'not', 'there'));
  const world = clusterOf(2);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  for (const _ of [1, 2]) {
    const { lines, asked } = await scan(world, kept, { range });
    expect([lines, asked > 0]).toEqual([2 * 3000, true]);
  }
  expect(kept.bytes).toBe(0);
  kept.close();
});

test('a copy that goes while it is read leaves the rest to the cluster', async () => {
  const world = clusterOf(1);
  const { clock, cluster } = world;
  const container = cluster.addContainer(cluster.addPod('large'), 'main', [newRun('large')]);
  const text = 'x'.repeat(2_000);
  for (let n = 0; n < 6_000; n++)
    write(cluster, container, clock.now() - 40 * MINUTE + n * 100, `${text} ${n}`);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(clock);
  const whole = await scan(world, kept, { range });
  expect(whole.lines).toBe(3000 + 6000);
  const { signal } = new AbortController();
  let last: ScanFrame | undefined;
  const before = cluster.queries.length;
  const reading = async () => {
    const sources = cluster.sources({ follow: false, signal });
    const context = { client: cluster.client, clock, signal };
    const hits = { order: 'oldest', count: 10_000 } as const;
    for await (const frame of scanLogs(
      context,
      sources,
      { ...SCAN_PLAN, range, hits },
      { kept: kept.begin(OWNER) },
    )) {
      if (last === undefined) kept.endSession(OWNER.session);
      last = frame;
    }
  };
  await drive(clock, reading());
  expect(last).toMatchObject({ type: 'scanned', lines: 9000, matches: 9000, incomplete: [] });
  expect(cluster.queries.length).toBeGreaterThan(before);
  kept.close();
});

test('scans at the same time keep what each has read', async () => {
  const world = clusterOf(3);
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(world.clock);
  const both = await Promise.all([scan(world, kept, { range }), scan(world, kept, { range })]);
  expect(both.map(({ lines }) => lines)).toEqual([9000, 9000]);
  expect(await scan(world, kept, { range })).toMatchObject({ lines: 9000, asked: 0 });
  kept.close();
});

test('a scan that is canceled keeps what it has read, and closes what it opened', async () => {
  const world = clusterOf(1);
  const { clock, cluster } = world;
  const kept = new KeptScans(new FakeClock());
  const range = endedRange(clock);
  const abort = new AbortController();
  const reading = async () => {
    const sources = cluster.sources({ follow: false, signal: abort.signal });
    const context = { client: cluster.client, clock, signal: abort.signal };
    const plan = { ...SCAN_PLAN, range, hits: { order: 'oldest', count: 1 } as const };
    for await (const frame of scanLogs(context, sources, plan, { kept: kept.begin(OWNER) }))
      if (frame.type === 'hits') abort.abort(new Error('enough'));
  };
  await expect(drive(clock, reading())).rejects.toThrow('enough');
  expect(cluster.openLogs).toBe(0);
  expect((await scan(world, kept, { range })).lines).toBe(3000);
  expect(await scan(world, kept, { range })).toMatchObject({ lines: 3000, asked: 0 });
  kept.close();
});

test('however many containers are read at once, what they wrote is kept', async () => {
  for (const pods of [11, 13]) {
    const world = clusterOf(pods);
    const kept = new KeptScans(new FakeClock());
    const range = endedRange(world.clock);
    expect(await scan(world, kept, { range })).toMatchObject({ lines: pods * 3000 });
    expect(await scan(world, kept, { range })).toMatchObject({ lines: pods * 3000, asked: 0 });
    kept.close();
  }
});
