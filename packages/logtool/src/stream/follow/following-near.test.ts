import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { drive } from '../../../../../test/stream/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/stream/fake-cluster.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { followingNear } from './following-near.ts';

/** A container that wrote so, at seconds behind a time in the past; `ask`: what follows a match from a second on. */
function logOf(lines: readonly (readonly [text: string, second: number])[]) {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const start = clock.now() - 86_400_000;
  const timeOf = (second: number) => timestampFromMs(start + second * 1000);
  const entries = lines.map(([text, second]) => ({
    at: timeOf(second),
    bytes: Buffer.from(text),
    partial: false,
  }));
  cluster.addContainer(cluster.addPod('web'), 'main', [newRun('run', entries)]);
  const context: ReadContext = {
    ...{ client: cluster.client, clock, signal: new AbortController().signal },
    ...{ resolvedAtMs: clock.now(), report: () => undefined, random: Math.random },
  };
  const ask = (after: number, second: number, from?: Bound) =>
    drive(
      clock,
      followingNear(context, cluster.targets()[0]!, {
        matches: ({ message }) => `${Buffer.from(message)}` === 'match',
        ...{ after, at: timeOf(second), from, previous: 'auto' },
      }),
    );
  return { cluster, ask, timeOf };
}

test('the lines that still follow a match are counted, however far in front of them it stands', async () => {
  for (const gap of [1, 59, 60, 61, 3_598, 3_601, 8_000]) {
    const lines = [0, 1, 2, 3].map((n) => ['other', 1 + gap + n * 0.1] as const);
    const { ask } = logOf([['match', 0.9], ['match', 1], ...lines, ['other', gap + 9]]);
    for (const after of [1, 2, 3, 4, 5, 6]) {
      const known = await ask(after, gap + 2);
      const isFar = gap > 3_600 && after > lines.length;
      expect(known, `${after} lines, ${gap} s`).toBe(isFar ? undefined : Math.max(0, after - lines.length));
    }
  }
});

test('what is cut off tells nothing', async () => {
  const { cluster, ask, timeOf } = logOf([
    ['match', 1],
    ['other', 2],
    ['match', 3],
  ]);
  const from: Bound = { kind: 'inclusive', at: timeOf(0) };
  expect(await ask(2, 3, from)).toBe(1);
  expect(await ask(2, 3, { kind: 'inclusive', at: timeOf(2) })).toBe(0);
  cluster.nextFault = () => ({ kind: 'reset', afterBytes: 0 });
  expect(await ask(2, 3, from)).toBeUndefined();
});
