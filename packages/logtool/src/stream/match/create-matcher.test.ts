import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordsWith } from '../../../../../test/support/engine/records-with.ts';
import { rejectingWithMessage, withMessage } from '../../../../../test/support/with-message.ts';
import { type FilterPlan, isFiltering } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import { compileFilter } from './compile-filter.ts';

/** Larger than the main thread's limit, and equivalent to `d.sk`. */
const LARGE = `d.sk(?:${'x'.repeat(300)})?`;

function planOf(more: Partial<FilterPlan>): FilterPlan {
  return { exclude: [], ignoreCase: false, levels: [], beforeContext: 0, afterContext: 0, ...more };
}

const LINES = [
  'ERROR disk full',
  'INFO disk',
  'ERROR \u001b[1mdi\u001b[0msk quota',
  'ERROR net',
  'dusk quota',
  '',
  'WARN desk',
];

async function passed(plan: Partial<FilterPlan>, lines: readonly string[]): Promise<readonly string[]> {
  expect(isFiltering(planOf(plan))).toBe(true);
  const filter = (await compileFilter(planOf(plan))).open();
  const out: LogRecord[] = [];
  const records = recordsWith(lines);
  // The ends of batches must not matter.
  for (const batch of [records.slice(0, 2), records.slice(2)]) {
    await filter.prepare?.(batch);
    out.push(...filter(batch));
  }
  return out.map(({ message }) => Buffer.from(message).toString());
}

test.each<[Partial<FilterPlan>, Partial<FilterPlan>]>([
  [{ grep: LARGE }, { grep: 'd.sk' }],
  [
    { grep: LARGE, exclude: ['quota'] },
    { grep: 'd.sk', exclude: ['quota'] },
  ],
  [
    { grep: LARGE, exclude: ['qu.ta', 'full'] },
    { grep: 'd.sk', exclude: ['qu.ta', 'full'] },
  ],
  [
    { grep: 'quota', also: [LARGE, 'disk'] },
    { grep: 'quota', also: ['d.sk', 'disk'] },
  ],
  [
    { grep: LARGE, also: ['qu.ta'] },
    { grep: 'd.sk', also: ['qu.ta'] },
  ],
  [
    { exclude: [LARGE], levels: ['error'] },
    { exclude: ['d.sk'], levels: ['error'] },
  ],
  [
    { grep: LARGE, ignoreCase: true, levels: ['error', 'info'] },
    { grep: 'd.sk', levels: ['error', 'info'] },
  ],
  [
    { grep: LARGE, afterContext: 1 },
    { grep: 'd.sk', afterContext: 1 },
  ],
])('a thread matches what the main thread would: %#', async (large, small) => {
  const expected = await passed(small, LINES);
  expect(expected.length).toBeGreaterThan(0);
  expect(await passed(large, LINES)).toEqual(expected);
});

test('a pattern that is wrong is the same error from a thread', async () => {
  const wrong = (grep: string) =>
    compileFilter(planOf({ grep })).catch((error: unknown) => withMessage(error).what);
  const refusal = (grep: string) =>
    expect(rejectingWithMessage(compileFilter(planOf({ grep }))), grep).rejects.toMatchObject({
      code: 'bad-pattern',
      exit: 'usage',
      what: '--grep is not a valid regular expression',
      why: expect.stringContaining('^'),
    });
  await refusal('a(b');
  await refusal(`${LARGE}(b`);
  expect(await wrong(`${LARGE}(b`)).toBe(await wrong('a(b'));
});

/** Returns the passing lines, and those reported as matched only at their beginning. */
async function cutOf(plan: Partial<FilterPlan>, lines: readonly string[]) {
  const records = recordsWith(lines);
  const cut: number[] = [];
  const bytes = new Set<number>();
  const filter = await compileFilter(planOf(plan), undefined, (record, first) => {
    cut.push(records.indexOf(record));
    bytes.add(first);
  });
  await filter.matches.prepare?.(records);
  return { passed: records.map(filter.matches), cut, bytes: [...bytes] };
}

test('of a line that is too long for a pattern the beginning is matched, which is reported', async () => {
  const far = ' '.repeat(100_000);
  const { passed, cut, bytes } = await cutOf({ grep: LARGE }, [`${far}disk`, 'disk', `disk${far}`]);
  expect(passed).toEqual([false, true, true]);
  expect(cut).toEqual([0]);
  expect(bytes).toEqual([expect.any(Number)]);
  expect(bytes[0]).toBeGreaterThan(10_000);
});

test('it is not reported of a line whose beginning decides', async () => {
  const far = ' '.repeat(100_000);
  const lines = [`disk${far}`, `${far}disk`];
  expect(await cutOf({ grep: LARGE }, lines)).toMatchObject({ passed: [true, false], cut: [1] });
  expect(await cutOf({ exclude: [LARGE] }, lines)).toMatchObject({ passed: [false, true], cut: [1] });
  // An exclude may match the rest, and the end of the line or of a word may be elsewhere.
  expect(await cutOf({ grep: LARGE, exclude: ['q.x'] }, lines)).toMatchObject({ cut: [0, 1] });
  expect(await cutOf({ grep: `${LARGE} *$` }, lines)).toMatchObject({ cut: [0, 1] });
});

test('what a cut leaves of a character or of a color decides nothing', async () => {
  const [limit] = (await cutOf({ grep: LARGE }, [`${' '.repeat(100_000)}disk`])).bytes;
  for (const split of ['\u{1f600}', '\u001b[31m']) {
    const end = (inside: number) =>
      `disk${' '.repeat((limit ?? 0) - 4 - inside)}${split}${' '.repeat(100_000)}`;
    const whole = Buffer.byteLength(split);
    expect(await cutOf({ grep: LARGE }, [end(1), end(whole)])).toMatchObject({ cut: [0] });
  }
});

test('a text of any length is found, and no search is for more than its beginning', async () => {
  const native = vi.spyOn(Buffer.prototype, 'includes');
  const native2 = vi.spyOn(Buffer.prototype, 'indexOf');
  onTestFinished(() => void vi.restoreAllMocks());
  const text = `${'a'.repeat(500)}b${'a'.repeat(499)}`;
  const lines = ['a'.repeat(20_000), `a${text}a`, text.slice(1), `${text}x`, `\u001b[1ma\u001b[0m${text}`];
  const holding = [1, 3, 4].map((index) => lines[index]);
  expect(await passed({ grep: text }, lines)).toEqual(holding);
  expect(await passed({ grep: `${text}x?` }, lines)).toEqual(holding);
  expect(await passed({ exclude: [text] }, lines)).toEqual([lines[0], lines[2]]);
  expect(await passed({ grep: 'a', exclude: [text, 'q'.repeat(80)] }, lines)).toEqual([lines[0], lines[2]]);
  const searches = [...native.mock.calls, ...native2.mock.calls].map(([needle]) => needle);
  const lengths = searches.flatMap((needle) => (needle instanceof Uint8Array ? [needle.length] : []));
  expect(Math.max(...lengths)).toBe(64);
});

test('many texts in a long line take turns, and end where they are canceled', async () => {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 5;
    return now;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const exclude = Array.from({ length: 24 }, (_, index) => `${'a'.repeat(5_000)}b${'a'.repeat(index)}`);
  const records = recordsWith(['a'.repeat(200_000)]);
  const stop = new AbortController();
  const filter = await compileFilter(planOf({ exclude }), { person: 'a', signal: stop.signal });
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      turns++;
    }
  })();
  await filter.matches.prepare?.(records);
  isOver = true;
  await others;
  expect(turns).toBeGreaterThan(10);
  expect(records.map(filter.matches)).toEqual([true]);
  const rejected = expect(filter.matches.prepare?.(recordsWith(['a'.repeat(200_000)]))).rejects.toThrow(
    'gone',
  );
  stop.abort(new Error('gone'));
  await rejected;
});

test('of a large batch only the lines that hold the text of a pattern are matched', async () => {
  const match = vi.spyOn(RE2JS.prototype, 'test');
  onTestFinished(() => void vi.restoreAllMocks());
  const filter = (await compileFilter(planOf({ grep: 'error.*timeout' }))).open();
  const lines = Array.from({ length: 300 }, (_, index) =>
    [
      ' '.repeat(1_000),
      index % 100 === 7 ? 'error: timeout' : index % 100 === 8 ? 'a timeout' : 'an error',
    ].join(''),
  );
  const records = recordsWith(lines);
  await filter.prepare?.(records);
  expect(filter(records)).toEqual([7, 107, 207].map((index) => records[index]));
  expect(match.mock.calls.length).toBe(6);
});

test('a long line is matched in a thread by a small pattern too, and text is found anywhere', async () => {
  const far = ' '.repeat(1_000_000);
  const lines = [`disk${far}`, `${far}disk`, `${far}`];
  expect(await passed({ grep: 'di.k$' }, lines)).toEqual([lines[1]]);
  expect(await passed({ grep: 'disk', exclude: [LARGE.replace('d', 'q')] }, lines)).toEqual(
    lines.slice(0, 2),
  );
});

test('matching that takes time lets other things have their turn', async () => {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 5;
    return now;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const filter = await compileFilter(planOf({ grep: '[ab]*a[ab]{60}c' }));
  const records = recordsWith(Array.from({ length: 200 }, () => 'ab'.repeat(1000)));
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      turns++;
    }
  })();
  for (let batch = 0; batch < 20; batch++) await filter.matches.prepare?.(records.slice(batch * 10));
  isOver = true;
  await others;
  expect(turns).toBeGreaterThan(10);
});

test('what is canceled ends at once, although its thread is busy', async () => {
  const stop = new AbortController();
  const filter = await compileFilter(planOf({ grep: '[ab]*a[ab]{1000}[xy]$' }), {
    person: 'a',
    signal: stop.signal,
  });
  const line = 'ab'.repeat(8_000);
  const records = recordsWith(Array.from({ length: 5_000 }, () => line));
  const matching = filter.matches.prepare?.(records);
  const rejected = expect(matching).rejects.toThrow('gone');
  await nextTurn();
  stop.abort(new Error('gone'));
  await rejected;
});

test('many queries of one person go to the threads, and match the same', async () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  onTestFinished(() => void vi.restoreAllMocks());
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const use = { person: 'tom', signal: stop.signal };
  const records = recordsWith(LINES);
  for (let query = 0; query < 20; query++) {
    const { matches } = await compileFilter(planOf({ grep: `(?:d.sk|${'x'.repeat(40)})` }), use);
    await matches.prepare?.(records);
    expect(records.map(matches)).toEqual([true, true, true, false, true, false, true]);
  }
  expect(compile.mock.calls.length).toBeLessThan(6);
  stop.abort();
});

test('the patterns that one person has open are limited, those of another are not counted', async () => {
  const grep = `(?:${'[a-z]{9}x'.repeat(80)}){8}`;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const use = (person: string) => ({ person, signal: stop.signal });
  for (let count = 0; count < 5; count++) await compileFilter(planOf({ grep }), use('eve'));
  await expect(
    Promise.all(Array.from({ length: 3 }, () => compileFilter(planOf({ grep }), use('eve')))),
  ).rejects.toMatchObject({ code: 'too-many-patterns', data: { limit: 50_000 } });
  await compileFilter(planOf({ grep }), use('ann'));
  stop.abort();
  await compileFilter(planOf({ grep }), { person: 'eve', signal: new AbortController().signal });
});
