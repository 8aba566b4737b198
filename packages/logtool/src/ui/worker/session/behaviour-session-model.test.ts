import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import type { Row } from '../protocol/protocol.ts';
// Preloads a module that loads on demand: the fake clock would run on meanwhile.
import '../intake/late-lines.ts';

const START = 1_800_000_000;

type Step =
  | { readonly do: 'write'; readonly count: number; readonly container: string; readonly sameTime: boolean }
  | { readonly do: 'late'; readonly back: number }
  | { readonly do: 'cut'; readonly unheard: number }
  | { readonly do: 'slow' | 'answer'; readonly container: string }
  | { readonly do: 'load'; readonly what: 'older' | 'newer' }
  | { readonly do: 'missing' | 'inspect' | 'start' | 'end'; readonly at: number }
  | { readonly do: 'jump'; readonly at: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      count: fc.integer({ min: 1, max: 40 }),
      container: fc.constantFrom('web/a', 'web/b', 'web/c'),
      sameTime: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('late' as const), back: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('cut' as const), unheard: fc.integer({ min: 0, max: 20 }) }),
  fc.record({
    do: fc.constantFrom('slow' as const, 'answer' as const),
    container: fc.constantFrom('web/a', 'web/b', 'web/c'),
  }),
  fc.record({ do: fc.constant('load' as const), what: fc.constantFrom('older' as const, 'newer' as const) }),
  fc.record({
    do: fc.constantFrom('missing' as const, 'inspect' as const, 'start' as const, 'end' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ do: fc.constant('jump' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

/** Drives a session and writes the log; times ascend by at least a millisecond, and late lines fall between. */
class Play {
  readonly driver: SessionDriver;
  #timeMs = 0;
  #count = 0;
  #late = 0;

  constructor(limitLines: number, before: number) {
    this.driver = new SessionDriver({ lines: limitLines, bytes: 2 ** 24 });
    for (let index = 0; index < before; index++) this.#write('web/a', index % 5 === 0);
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'write':
        for (let index = 0; index < step.count; index++) this.#write(step.container, step.sameTime);
        break;
      case 'late':
        this.#lateLine(step.back);
        break;
      case 'cut':
        await this.#cut(step.unheard);
        break;
      case 'slow':
        // Without any container that answers, a page waits.
        if (this.driver.server.slow.size < 2) this.driver.server.slow.add(step.container);
        break;
      case 'answer':
        this.driver.server.answer(step.container);
        break;
      case 'load':
        await this.driver.send({ type: 'load', what: step.what });
        break;
      case 'missing':
        await this.#loadMissing(step.at);
        break;
      case 'inspect':
        await this.#inspect(step.at);
        break;
      case 'jump':
        return this.#jump(step.at);
      case 'start':
      case 'end':
        await this.driver.jump({ at: step.do });
        break;
      default:
        step satisfies never;
    }
    await this.driver.settle();
  }

  async #cut(unheard: number): Promise<void> {
    this.driver.server.cut();
    for (let index = 0; index < unheard; index++) this.#write('web/b', index % 2 === 0);
    await this.driver.settle();
    await this.driver.clock.advance(6_000);
  }

  /** `at`: which of the missing ranges, from 0 to 1. */
  async #loadMissing(at: number): Promise<void> {
    const chosen = itemAt(
      this.driver.rows().filter((row) => row.kind === 'missing'),
      at,
    );
    if (chosen !== undefined) await this.driver.send({ type: 'load-missing', entry: chosen.entry });
  }

  async #inspect(at: number): Promise<void> {
    const first = itemAt(this.driver.rows(), at)?.entry;
    if (first !== undefined) await this.driver.send({ type: 'viewport', first, last: first });
  }

  /** Jumps to the time of a line, which is then the first row if all containers answer. */
  async #jump(at: number): Promise<void> {
    const { driver } = this;
    const line = itemAt(driver.server.lines, at);
    if (line === undefined) return;
    const { entry } = await driver.jump({ at: 'time', seconds: line.seconds, nanos: line.nanos });
    if (driver.server.slow.size > 0) return;
    const [row] = driver.rows({ at: 'entry', entry: entry ?? -1 }, 1);
    expect(row).toMatchObject({ kind: 'line', seconds: line.seconds, nanos: line.nanos });
    await driver.settle();
  }

  /** Lets every container answer, and waits until the view has taken that in. */
  async answerAll(): Promise<void> {
    const { driver } = this;
    for (const container of driver.server.slow) driver.server.answer(container);
    // A broken connection may be waiting for its next attempt.
    await driver.settle();
    await driver.clock.advance(6_000);
    for (let turn = 0; turn < 20 && driver.last('status').status.unanswered !== undefined; turn++)
      await driver.settle();
    expect(driver.last('status').status.unanswered).toBeUndefined();
  }

  /** Checks that the view shows the log with gaps, each reported, and no line twice or out of order. */
  check(): void {
    const { driver } = this;
    // Lines of late containers may be missing anywhere.
    if (driver.server.slow.size > 0) return;
    const all = driver.server.lines.map(keyOf);
    const { status } = driver.last('status');
    const { runs, endsInGap } = this.#runs(!status.atBeginning);
    let at = 0;
    for (const [index, { keys, afterGap }] of runs.entries()) {
      // Equal lines may occur at several positions: those of the newest run are at the end.
      const isNewest = index === runs.length - 1 && status.atEnd && !endsInGap;
      const from = isNewest ? Math.max(at, all.length - keys.length) : at;
      const begin = afterGap ? indexOfRun(all, keys, from) : at;
      expect(all.slice(begin, begin + keys.length)).toEqual(keys);
      at = begin + keys.length;
    }
    // A missing range may be the last row if all lines have the same time.
    if (status.atEnd && !endsInGap) expect(at).toBe(all.length);
    expect(status.lines).toBe(driver.rows().filter((row) => row.kind === 'line').length);
  }

  /** The shown lines, as unbroken runs between gaps. */
  #runs(beginsInGap: boolean): { readonly runs: readonly Run[]; readonly endsInGap: boolean } {
    const runs: Run[] = [];
    let isGap = beginsInGap;
    for (const row of this.driver.rows()) {
      if (row.kind === 'missing') isGap = true;
      if (row.kind !== 'line') continue;
      const key = keyOf(textOf(row));
      const run = runs.at(-1);
      if (run === undefined || isGap) runs.push({ keys: [key], afterGap: isGap });
      else run.keys.push(key);
      isGap = false;
    }
    return { runs, endsInGap: isGap };
  }

  #write(container: string, sameTime: boolean): void {
    if (!sameTime) this.#timeMs++;
    this.#count++;
    // Some lines are equal in everything: each of them counts.
    const text = sameTime && this.#count % 3 === 0 ? 'again' : `line ${this.#count}`;
    this.driver.server.write({ ...this.#time(this.#timeMs, 0), container, text });
  }

  #lateLine(back: number): void {
    const timeMs = Math.max(0, this.#timeMs - back);
    this.driver.server.write({
      ...this.#time(timeMs, ++this.#late),
      container: 'web/c',
      text: `late ${this.#late}`,
    });
    // The newest line is not late: time continues after it.
    if (timeMs === this.#timeMs) this.#timeMs++;
  }

  #time(ms: number, nanos: number): { readonly seconds: number; readonly nanos: number } {
    return { seconds: START + Math.floor(ms / 50), nanos: (ms % 50) * 2e7 + nanos };
  }
}

interface Run {
  readonly keys: string[];
  readonly afterGap: boolean;
}

/** Returns the item at a part from 0 to 1. */
const itemAt = <T>(items: readonly T[], at: number): T | undefined =>
  items[Math.floor(at * (items.length - 1))];

/** Where a run of lines occurs in the log, from an index on; if it does not, where its first line occurs. */
function indexOfRun(all: readonly string[], keys: readonly string[], from: number): number {
  for (let at = from; at + keys.length <= all.length; at++) {
    if (keys.every((key, offset) => all[at + offset] === key)) return at;
  }
  return Math.max(from, all.indexOf(keys[0] ?? '', from));
}

function textOf(row: Extract<Row, { readonly kind: 'line' }>): FakeLine {
  const container = row.link.split('~').at(-1)?.split('/').slice(0, 2).join('/') ?? '';
  return { seconds: row.seconds, nanos: row.nanos, container, text: row.text };
}

function keyOf({ seconds, nanos, container, text }: FakeLine): string {
  return `${seconds}.${nanos} ${container} ${text}`;
}

const KNOWN: [number, number, Step[]][] = [
  // A resumed stream repeats a line of a gap that ends between two lines of one time.
  [
    83,
    1036,
    [
      { do: 'cut', unheard: 9 },
      { do: 'jump', at: 0 },
      { do: 'missing', at: 0 },
      { do: 'cut', unheard: 0 },
    ],
  ],
  // A line arrives at the time at which the held part ends, between two lines of that time.
  [
    33,
    1093,
    [
      { do: 'write', count: 33, container: 'web/a', sameTime: true },
      { do: 'load', what: 'newer' },
      { do: 'write', count: 1, container: 'web/a', sameTime: true },
    ],
  ],
  // More lines of one time than a view may hold: the reader is among them, or none would remain.
  // The first line after the gap is one of several equal lines.
  [
    31,
    0,
    [
      { do: 'write', count: 17, container: 'web/a', sameTime: false },
      { do: 'write', count: 22, container: 'web/a', sameTime: true },
      { do: 'write', count: 9, container: 'web/a', sameTime: false },
      { do: 'missing', at: 0 },
    ],
  ],
  [
    30,
    0,
    [
      { do: 'write', count: 6, container: 'web/a', sameTime: false },
      { do: 'write', count: 22, container: 'web/a', sameTime: true },
      { do: 'jump', at: 0 },
      { do: 'late', back: 1 },
      { do: 'write', count: 2, container: 'web/a', sameTime: true },
      { do: 'jump', at: 0.2 },
    ],
  ],
  [
    30,
    40,
    [
      { do: 'write', count: 37, container: 'web/a', sameTime: true },
      { do: 'missing', at: 0 },
    ],
  ],
];

/** Lines of one container on both sides of the end of a page that was loaded without it. */
const LATE: [number, Step[]][] = [
  [
    1_435,
    [
      { do: 'slow', container: 'web/a' },
      { do: 'write', count: 1, container: 'web/b', sameTime: false },
      { do: 'start', at: 0 },
    ],
  ],
];

test('whatever happens, the view shows the log: in order, nothing twice, gaps reported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 30, max: 400 }),
      fc.integer({ min: 0, max: 1_500 }),
      fc.array(step, { maxLength: 25 }),
      async (limitLines, before, steps) => {
        const play = new Play(limitLines, before);
        await play.driver.open();
        play.check();
        for (const each of steps) {
          await play.run(each);
          play.check();
        }
        await play.answerAll();
        play.check();
        play.driver.session.close();
      },
    ),
    { numRuns: 60, examples: KNOWN },
  );
});

test('with room for all lines, loads all of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3_500 }),
      fc.array(step, { maxLength: 20 }),
      async (before, steps) => {
        const play = new Play(1_000_000, before);
        await play.driver.open();
        for (const each of steps) {
          await play.run(each);
          play.check();
        }
        await play.answerAll();
        for (let round = 0; round < 40; round++) {
          const missing = play.driver.rows().find((row) => row.kind === 'missing');
          const { atBeginning, atEnd } = play.driver.last('status').status;
          if (missing === undefined && atBeginning && atEnd) break;
          if (missing !== undefined) await play.driver.send({ type: 'load-missing', entry: missing.entry });
          await play.driver.send({ type: 'load', what: 'older' });
          await play.driver.send({ type: 'load', what: 'newer' });
        }
        play.check();
        const shown = play.driver.rows().flatMap((row) => (row.kind === 'line' ? [keyOf(textOf(row))] : []));
        expect(shown).toEqual(play.driver.server.lines.map(keyOf));
        play.driver.session.close();
      },
    ),
    { numRuns: 8, examples: LATE },
  );
});
