import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordsWith } from '../../../test/stream/records-with.ts';
import { type FilterPlan, isFiltering } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import { compileFilter } from './compile-filter.ts';

/** Larger than what the main thread takes, and the same as `d.sk`. */
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
  // Where batches end must not matter.
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
  const wrong = (grep: string) => compileFilter(planOf({ grep })).catch(String);
  const refusal = (grep: string) =>
    expect(compileFilter(planOf({ grep })), grep).rejects.toMatchObject({
      code: 'bad-pattern',
      exit: 'usage',
      what: '--grep is not a regular expression that can be read',
      why: expect.stringContaining('^'),
    });
  await refusal('a(b');
  await refusal(`${LARGE}(b`);
  expect(await wrong(`${LARGE}(b`)).toBe(await wrong('a(b'));
});

test('of a line that is too long for a pattern the beginning is matched, which is reported', async () => {
  const cut: [string, number][] = [];
  const filter = await compileFilter(planOf({ grep: LARGE }), undefined, ({ message }, bytes) =>
    cut.push([Buffer.from(message.subarray(-4)).toString(), bytes]),
  );
  const far = ' '.repeat(100_000);
  const records = recordsWith([`disk${far}`, `${far}disk`, 'disk']);
  await filter.matches.prepare?.(records);
  expect(records.map(filter.matches)).toEqual([true, false, true]);
  expect(cut.map(([end]) => end)).toEqual(['    ', 'disk']);
  expect(cut[0]?.[1]).toBeGreaterThan(10_000);
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
  let now = 0;
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

test('what is canceled on the main thread ends with the turn', async () => {
  const stop = new AbortController();
  const use = { person: '', signal: stop.signal };
  const filter = await compileFilter(planOf({ grep: '[ab]*a[ab]{60}c' }), use);
  const records = recordsWith(Array.from({ length: 20_000 }, () => 'ab'.repeat(1000)));
  const rejected = expect(filter.matches.prepare?.(records)).rejects.toThrow('gone');
  await nextTurn();
  stop.abort(new Error('gone'));
  await rejected;
});

test('the patterns that one person has open are limited, those of another are not counted', async () => {
  const grep = `(?:${'[a-z]{9}x'.repeat(80)}){8}`;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const use = (person: string) => ({ person, signal: stop.signal });
  for (let count = 0; count < 5; count++) await compileFilter(planOf({ grep }), use('eve'));
  await expect(
    Promise.all(Array.from({ length: 3 }, () => compileFilter(planOf({ grep }), use('eve')))),
  ).rejects.toMatchObject({ code: 'too-many-patterns', next: expect.any(String) });
  await compileFilter(planOf({ grep }), use('ann'));
  stop.abort();
  await compileFilter(planOf({ grep }), { person: 'eve', signal: new AbortController().signal });
});
