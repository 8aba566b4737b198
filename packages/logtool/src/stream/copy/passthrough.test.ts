import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { Chance, randomFaults, writeRandomRun } from '../../../../../test/support/engine/random-workload.ts';

function onePod(count: number, seed: number) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web');
  const run = newRun('containerd://web');
  const chance = new Chance(seed);
  writeRandomRun(chance, run, timestampFromMs(clock.now()), count, { pod: 'web', keyText: '' });
  cluster.addContainer(pod, 'main', [run]);
  cluster.chunkBytes = () => chance.of([1, 10, 1000, 65_536]);
  const all = Buffer.concat(
    run.entries.flatMap(({ bytes, partial }) => [bytes, Buffer.from(partial ? '' : '\n')]),
  );
  return { clock, cluster, chance, run, all };
}

async function copied(cluster: FakeCluster, clock: FakeClock, plan: Parameters<typeof planOf>[0]) {
  const frames = await collect(cluster, clock, planOf(plan, { raw: true }));
  expect(frames.filter(({ type }) => type !== 'bytes').map(({ type }) => type)).toEqual(['end']);
  return Buffer.concat(frames.flatMap((frame) => (frame.type === 'bytes' ? [frame.bytes] : [])));
}

test('one unfiltered container is copied byte for byte, by one request without timestamps', async () => {
  const { clock, cluster, all } = onePod(50, 1);
  expect((await copied(cluster, clock, {})).equals(all)).toBe(true);
  expect(cluster.queries[0]).toEqual({
    namespace: 'default',
    pod: 'web',
    container: 'main',
    timestamps: false,
  });
});

test('a tail is requested from the server unchanged, its fragments included', async () => {
  const { clock, cluster, run } = onePod(0, 1);
  const at = timestampFromMs(clock.now());
  const fragment = Buffer.alloc(16_384, 65);
  run.entries.push({ at, bytes: fragment, partial: true }, { at, bytes: Buffer.from('end'), partial: false });
  run.entries.push({ at, bytes: Buffer.from('next'), partial: false });
  const bytes = await copied(cluster, clock, { selection: { kind: 'tail', count: 2 } });
  expect(bytes.toString()).toBe('end\nnext\n');
});

test('a tail that begins within a long line of one character, without an end, is copied once', async () => {
  const { clock, cluster, run } = onePod(0, 1);
  const at = timestampFromMs(clock.now());
  run.entries.push({ at, bytes: Buffer.from('begin'), partial: false });
  for (let n = 0; n < 10; n++) run.entries.push({ at, bytes: Buffer.alloc(16_384, 'y'), partial: true });
  run.entries.push({ at, bytes: Buffer.alloc(2_544, 'y'), partial: true });
  for (const count of [1, 2, 3, 7, 11]) {
    const bytes = await copied(cluster, clock, { selection: { kind: 'tail', count } });
    expect(bytes.equals(Buffer.alloc((count - 1) * 16_384 + 2_544, 'y')), `${count}: ${bytes.length}`).toBe(
      true,
    );
  }
});

test('a copy is complete and exact under faults of every kind', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { clock, cluster, chance, all } = onePod(seed * 3, seed);
    randomFaults(chance, cluster, 0.5);
    const { nextFault } = cluster;
    // After real lines, and without timestamps, the text of a failure looks like a log.
    cluster.nextFault = (query) => {
      const fault = nextFault(query);
      return fault?.kind === 'text' ? { ...fault, afterBytes: 0 } : fault;
    };
    const bytes = await copied(cluster, clock, {});
    expect(bytes.equals(all), `seed ${seed}: ${bytes.length} of ${all.length} bytes`).toBe(true);
  }
});

test('a container with an earlier run is not copied, unless that run is not wanted', async () => {
  const { clock, cluster, run } = onePod(5, 1);
  cluster.pods
    .get('web')!
    .containers[0]!.runs.unshift(newRun('containerd://before', run.entries.slice(0, 2)));
  const frames = await collect(cluster, clock, planOf({}, { raw: true }));
  expect(frames.some(({ type }) => type === 'bytes')).toBe(false);
  const plain = await collect(cluster, clock, planOf({ previous: 'no' }, { raw: true }));
  expect(plain.some(({ type }) => type === 'bytes')).toBe(true);
});

function busyPod(linesAtEachRequest: number) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('busy');
  const container = cluster.addContainer(pod, 'main', [newRun('containerd://busy')]);
  let count = 0;
  const write = (lines: number) => {
    for (let line = 0; line < lines; line++) {
      const bytes = Buffer.from(`line ${++count}`);
      cluster.write(container, { at: timestampFromMs(clock.now()), bytes, partial: false });
    }
  };
  write(5000);
  cluster.nextFault = () => {
    write(linesAtEachRequest);
    return undefined;
  };
  return { clock, cluster, container, write };
}

const numbers = (bytes: Buffer) => bytes.toString().match(/\d+/g)?.map(Number) ?? [];
const countUp = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('the tail of a container that writes all the time is as many lines as asked for, at once', async () => {
  for (const count of [0, 1, 2, 10, 1000, 3000]) {
    const { clock, cluster } = busyPod(20);
    const startMs = clock.now();
    const given = numbers(await copied(cluster, clock, { selection: { kind: 'tail', count } }));
    expect(given).toEqual(countUp(5020 - count + 1, 5020));
    expect(clock.now()).toBe(startMs);
  }
});

test('all of a container that writes all the time ends, with what it had when the copy began', async () => {
  for (const linesAtEachRequest of [1, 20, 900, 5000]) {
    const { clock, cluster } = busyPod(linesAtEachRequest);
    const given = numbers(await copied(cluster, clock, {}));
    expect(given).toEqual(countUp(1, given.length));
    expect(given.length).toBeGreaterThanOrEqual(5000 + linesAtEachRequest);
  }
});

test('a log that is rotated right after the copy is not reported as cut', async () => {
  const { clock, cluster, container, write } = busyPod(0);
  cluster.nextFault = () => {
    if (cluster.queries.length === 2) {
      cluster.rotate(container);
      write(3);
    }
    return undefined;
  };
  expect(numbers(await copied(cluster, clock, {}))).toEqual(countUp(1, 5000));
});

/** Returns a run of twenty lines whose copy breaks off after some of them; `change` runs before the next request. */
function cutPod(change: (world: ReturnType<typeof busyWorld>) => void) {
  const world = busyWorld();
  const { cluster } = world;
  cluster.nextFault = ({ timestamps }) => {
    if (timestamps === true) return undefined;
    if (cluster.queries.length === 1) return { kind: 'reset', afterBytes: 60 };
    if (cluster.queries.length === 2) change(world);
    return undefined;
  };
  return world;
}

function busyWorld() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  cluster.chunkBytes = () => 7;
  const pod = cluster.addPod('busy');
  const container = cluster.addContainer(pod, 'main', [newRun('containerd://one')]);
  const write = (...lines: readonly string[]) => {
    for (const line of lines)
      cluster.write(container, {
        at: timestampFromMs(clock.now()),
        bytes: Buffer.from(line),
        partial: false,
      });
  };
  write(...linesOf('first'));
  return { clock, cluster, pod, container, write };
}

const linesOf = (name: string) =>
  Array.from({ length: 20 }, (_, n) => `${name} ${String(n).padStart(3, '0')}`);

async function copiedWithGaps({ cluster, clock }: ReturnType<typeof busyWorld>, plan = {}) {
  const frames = await collect(cluster, clock, planOf({ previous: 'no', ...plan }, { raw: true }));
  const bytes = Buffer.concat(frames.flatMap((frame) => (frame.type === 'bytes' ? [frame.bytes] : [])));
  const gaps = frames.flatMap((frame) => (frame.type === 'gap' ? [frame.cause.code] : []));
  return { lines: bytes.toString().split('\n').slice(0, -1), gaps };
}

test.each([
  ['other lines', 'second'],
  ['the same lines', 'first'],
])('a broken copy continues in its run when the next one has begun, with %s', async (_, name) => {
  const world = cutPod(({ cluster, pod, container, write }) => {
    cluster.startRun(pod, container, 'containerd://two');
    write(...linesOf(name), `${name} more`);
  });
  expect(await copiedWithGaps(world)).toEqual({ lines: linesOf('first'), gaps: [] });
});

test('a copy whose run was removed meanwhile ends with a gap, and has no line of another', async () => {
  const world = cutPod(({ cluster, pod, container, write }) => {
    cluster.startRun(pod, container, 'containerd://two');
    cluster.startRun(pod, container, 'containerd://three');
    write(...linesOf('third'));
  });
  const { lines, gaps } = await copiedWithGaps(world);
  expect(linesOf('first').join('\n')).toContain(lines.join('\n'));
  expect(gaps).toEqual(['run-removed']);
});

test('a copy that a rotation breaks reports a gap, and continues with everything that is left', async () => {
  const world = cutPod(({ cluster, container, write }) => {
    cluster.rotate(container);
    write(...linesOf('later'));
  });
  const { lines, gaps } = await copiedWithGaps(world);
  expect(lines.slice(-20)).toEqual(linesOf('later'));
  expect(gaps).toEqual(['rotated']);
});
