import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { collect, NO_FILTER, nameOf, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import type { FakeCluster } from '../../../../../test/support/engine/fake-cluster.ts';
import {
  Chance,
  randomCluster,
  randomFaults,
  type Written,
} from '../../../../../test/support/engine/random-workload.ts';
import { type Cursor, formatCursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import { gapCauseText } from '../../messages/gap.ts';
import type { EnginePlan } from '../plan/engine.ts';

/** Set LOGTOOL_SEED to the number in a failure's message to replay it. */
const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes every choice of a round depend on its seed, including the jitter of back-off. */
function chanceOf(seed: number): Chance {
  const jitter = new Chance(seed + 0x5eed);
  vi.spyOn(Math, 'random').mockImplementation(jitter.next);
  return new Chance(seed);
}

const nameOfWritten = ({ at, pod, runId, message }: Written) => {
  const bytes = Buffer.from(message);
  const text =
    bytes.length > 80 ? `${bytes.toString('latin1', 0, 40)}..${bytes.length}` : bytes.toString('latin1');
  return `${formatTimestamp(at)} ${pod}/main ${runId} ${text}`;
};

/** `gone`: how many runs of each container the node no longer has: reports of these are true. */
function troubles(frames: readonly Frame[], gone: ReadonlyMap<string, number>): string[] {
  return frames.flatMap((frame) => {
    if (frame.type === 'gap' && frame.cause.code === 'runs-gone')
      expect(frame.cause.data.count).toBe(gone.get(frame.target.id));
    else if (frame.type === 'gap') return [`gap in ${frame.target.id}: ${gapCauseText(frame.cause)}`];
    if (frame.type === 'source' && frame.state === 'failed')
      return [`${frame.target.id} failed: ${frame.error}`];
    return [];
  });
}

test('every record comes exactly once and in order, whatever happens to the connections', async () => {
  let faults = 0;
  const kinds = new Set<string>();
  for (let round = 0; faults < 1200; round++) {
    const seed = SEED + round;
    const chance = chanceOf(seed);
    const clock = new FakeClock();
    const { cluster, written, gone } = randomCluster(chance, clock, { containers: 50, records: 60 });
    for (const kind of randomFaults(chance, cluster, 0.4).keys()) kinds.add(kind);
    const counted = randomFaults(chance, cluster, 0.4);
    const frames = await collect(cluster, clock, planOf({}));
    for (const kind of counted.keys()) kinds.add(kind);
    faults += cluster.faultsHit;
    expect(troubles(frames, gone), `LOGTOOL_SEED=${seed}`).toEqual([]);
    expect(recordsOf(frames).map(nameOf), `LOGTOOL_SEED=${seed}`).toEqual(written.map(nameOfWritten));
  }
  expect([...kinds].toSorted()).toEqual([
    '401',
    '403',
    '404',
    '410',
    '429',
    '429 with Retry-After',
    '500',
    '503',
    'clean-end',
    'delay',
    'reset',
    'split',
    'stall',
    'text',
  ]);
});

async function page(
  cluster: FakeCluster,
  clock: FakeClock,
  cursor: Cursor | undefined,
  size: number,
  back: boolean,
  plan: Partial<EnginePlan> = {},
) {
  const bound = cursor === undefined ? undefined : ({ kind: 'cursor', cursor } as const);
  const window = back
    ? { selection: { kind: 'tail', count: size } as const, to: bound }
    : { selection: { kind: 'head', count: size } as const, from: bound };
  const frames = await collect(cluster, clock, planOf(window, { cursors: true, ...plan }));
  const end = frames.find((frame) => frame.type === 'end');
  return { frames, names: recordsOf(frames).map(nameOf), prev: end?.prev, next: end?.next };
}

test.each(['forward', 'backward'] as const)(
  'walking pages %s by cursors gives every record exactly once',
  async (way) => {
    for (let round = 0; round < 12; round++) {
      const seed = SEED + 10_000 + round;
      const chance = chanceOf(seed);
      const clock = new FakeClock();
      const { cluster, written, gone } = randomCluster(chance, clock, { containers: 6, records: 40 });
      randomFaults(chance, cluster, round % 2 === 0 ? 0 : 0.3);
      const walked: string[] = [];
      let cursor: Cursor | undefined;
      for (let pages = 0; ; pages++) {
        const result = await page(cluster, clock, cursor, chance.of([1, 2, 3, 7, 50]), way === 'backward');
        expect(troubles(result.frames, gone), `LOGTOOL_SEED=${seed}`).toEqual([]);
        if (way === 'backward') walked.unshift(...result.names);
        else walked.push(...result.names);
        const next = way === 'backward' ? result.prev : result.next;
        if (next === undefined) break;
        if (cursor !== undefined)
          expect(formatCursor(next), `LOGTOOL_SEED=${seed}`).not.toBe(formatCursor(cursor));
        cursor = next;
        expect(pages).toBeLessThan(1000);
      }
      expect(walked, `LOGTOOL_SEED=${seed}`).toEqual(written.map(nameOfWritten));
    }
  },
);

test.each(['forward', 'backward'] as const)(
  'walking pages %s by cursors with a filter gives every match exactly once',
  async (way) => {
    const filter = { ...NO_FILTER, grep: 'tick|x{20}|^$' };
    const matches = ({ message }: Written) =>
      message.length < 1000 && /tick|x{20}|^$/.test(Buffer.from(message).toString('latin1'));
    for (let round = 0; round < 12; round++) {
      const seed = SEED + 30_000 + round;
      const chance = chanceOf(seed);
      const clock = new FakeClock();
      const { cluster, written } = randomCluster(chance, clock, { containers: 6, records: 40 });
      const plan = { filter, searchLimitBytes: round % 3 === 0 ? 500 : 0 };
      const walked: string[] = [];
      let cursor: Cursor | undefined;
      for (let pages = 0; ; pages++) {
        const size = chance.of([1, 2, 3, 7, 50]);
        const result = await page(cluster, clock, cursor, size, way === 'backward', plan);
        if (way === 'backward') walked.unshift(...result.names);
        else walked.push(...result.names);
        const next = way === 'backward' ? result.prev : result.next;
        if (next === undefined) break;
        if (cursor !== undefined)
          expect(formatCursor(next), `LOGTOOL_SEED=${seed}`).not.toBe(formatCursor(cursor));
        cursor = next;
        expect(pages).toBeLessThan(1000);
      }
      expect(walked, `LOGTOOL_SEED=${seed}`).toEqual(written.filter(matches).map(nameOfWritten));
    }
  },
);

async function expectExactTail(seed: number, faults: number): Promise<void> {
  const chance = chanceOf(seed);
  const clock = new FakeClock();
  const { cluster, written, gone } = randomCluster(chance, clock, { containers: 20, records: 150 });
  randomFaults(chance, cluster, faults);
  const count = chance.of([0, 1, 10, 100, 1000]);
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'tail', count } }));
  const expected = count === 0 ? [] : written.slice(-count);
  expect(troubles(frames, gone), `seed ${seed}`).toEqual([]);
  expect(recordsOf(frames).map(nameOf), `seed ${seed}`).toEqual(expected.map(nameOfWritten));
}

test('a tail of any size is the end of the whole list', async () => {
  for (let round = 0; round < 30; round++)
    await expectExactTail(SEED + 20_000 + round, round % 2 === 0 ? 0 : 0.3);
});

test.each([1312225662, 1312245679])(
  'a tail that begins inside a long line and breaks there continues without a gap (seed %i)',
  async (seed) => {
    await expectExactTail(seed, 0.3);
  },
);
