import { expect, test } from 'vitest';
import { collect, planOf } from '../../../../../test/support/engine/collect.ts';
import { faults, numbered, onePod, texts, troubles } from '../../../../../test/support/engine/one-pod.ts';

/* Reads to the end of a log whose answer begins, and then stalls. */

const HOUR_MS = 3_600_000;
const ALL = numbered(200, 10).map(({ bytes }) => Buffer.from(bytes).toString());

test.each([
  { name: 'all', selection: { kind: 'all' } as const, expected: ALL },
  { name: 'a head', selection: { kind: 'head', count: 150 } as const, expected: ALL.slice(0, 150) },
  { name: 'a tail', selection: { kind: 'tail', count: 150 } as const, expected: ALL.slice(-150) },
])('$name is read on from where the answer stalled', async ({ selection, expected }) => {
  const { clock, cluster } = onePod(numbered(200, 10));
  cluster.chunkBytes = () => 500;
  const stall = { kind: 'stall', afterBytes: 3_000, delayMs: HOUR_MS } as const;
  faults(cluster, [stall, stall]);
  const before = clock.now();
  const frames = await collect(cluster, clock, planOf({ selection }));
  expect(texts(frames)).toEqual(expected);
  expect(troubles(frames)).toEqual([]);
  expect(clock.now() - before).toBeLessThan(HOUR_MS);
});

test('a log that always stalls at the same line is given up, and what it lacks is a gap', async () => {
  const { clock, cluster } = onePod(numbered(200, 10));
  cluster.chunkBytes = () => 100;
  // Later answers repeat a known line, and bring no new one.
  cluster.nextFault = ({ sinceTime }) => ({
    kind: 'stall',
    afterBytes: sinceTime === undefined ? 3_000 : 50,
    delayMs: HOUR_MS,
  });
  const frames = await collect(cluster, clock, planOf({ selection: { kind: 'all' } }));
  expect(texts(frames)).toEqual(ALL.slice(0, texts(frames).length));
  expect(texts(frames).length).toBeLessThan(ALL.length);
  expect(troubles(frames).map((frame) => frame.type)).toEqual(['gap', 'source']);
});
