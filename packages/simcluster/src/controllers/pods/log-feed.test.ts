import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, it } from 'vitest';
import type { Emission, Program } from '../../generator/program.ts';
import { HistoryClock } from '../history-clock.ts';
import { startFeed } from './log-feed.ts';

async function liveClock(base: FakeClock | typeof systemClock): Promise<HistoryClock> {
  const clock = new HistoryClock(base, 0);
  await clock.playHistory(() => undefined);
  return clock;
}

/** Yields lines at the given times. */
function* lines(dueMs: Iterable<number>): Generator<Emission, undefined> {
  for (const due of dueMs) {
    const at = { seconds: Math.floor(due / 1000), nanos: 0 };
    const emission = { kind: 'emission', stream: 'stdout', newline: true, partial: false } as const;
    yield { ...emission, dueMs: due, at, bytes: Buffer.from(String(due)) };
  }
  return undefined;
}

function feed(steps: Program, clock: HistoryClock, onLine: (dueMs: number) => void) {
  return startFeed({ steps, exitAtMs: undefined }, clock, {
    write: (emission) => {
      onLine(emission.dueMs);
      return true;
    },
    exit: () => undefined,
  });
}

describe('a program of lines', () => {
  it('is played line by line on a clock that a test moves', async () => {
    const base = new FakeClock(0);
    const clock = await liveClock(base);
    const written: string[] = [];
    feed(lines([0, 1, 2, 500]), clock, (due) => void written.push(`${due} at ${clock.now()}`));
    await base.advance(600);
    expect(written).toEqual(['0 at 0', '1 at 1', '2 at 2', '500 at 500']);
  });

  it('gives way to other work when it asks for more than can be written', async () => {
    const clock = await liveClock(systemClock);
    // After every line, another one is due, so the feed can never catch up. The first is due well after the start.
    const endless = function* () {
      const dueMs = clock.now() + 200;
      for (;;) yield dueMs;
    };
    let count = 0;
    const endlessFeed = feed(lines(endless()), clock, () => {
      count++;
    });
    while (count === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = count;
    while (count === before) await new Promise((resolve) => setImmediate(resolve));
    endlessFeed.stop();
    const stopped = count;
    await new Promise((resolve) => setImmediate(resolve));
    expect(count).toBe(stopped);
    clock.close();
  });

  it('is written to the end of what is due when it is asked for', async () => {
    const clock = await liveClock(systemClock);
    const written: number[] = [];
    const startMs = clock.now();
    const one = feed(
      lines(Array.from({ length: 1000 }, () => startMs)),
      clock,
      (due) => void written.push(due),
    );
    expect(written.length).toBe(1000);
    one.stop();
    clock.close();
  });
});
