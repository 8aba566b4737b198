import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../../test/support/engine/collect.ts';
import { recordsWith } from '../../../../../test/support/engine/records-with.ts';
import {
  fieldFilter,
  lineOf,
  PIECES,
  searchOf,
  TERMS,
} from '../../../../../test/support/search-arbitraries.ts';
import type { FilterPlan } from '../../domain/filter.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { compileFilter } from '../match/compile-filter.ts';
import { compileSearch } from '../match/compile-search.ts';
import { shapeOfLine } from '../match/leveled-line.ts';
import type { KeptRows } from './kept-rows.ts';
import { KeptScans } from './kept-scans.ts';
import { sieveOf, VERDICTS } from './row-sieve.ts';

const text = lineOf([...PIECES, '{"\\u0072oute":"/pay"}', 'time\u001b[31mout', 'timeout'.repeat(12)]);
const search = searchOf([...TERMS, 'timeout'.repeat(12)]);
const filter: fc.Arbitrary<FilterPlan> = fc.record({
  ...Object.fromEntries(Object.entries(NO_FILTER).map(([key, value]) => [key, fc.constant(value)])),
  grep: fc.constantFrom(
    undefined,
    undefined,
    'time',
    'k',
    'time.*7',
    'É',
    '(?i)out',
    'ERROR|7',
    'timeout'.repeat(12),
  ),
  ignoreCase: fc.boolean(),
  exclude: fc.constantFrom([], ['out'], ['7$']),
  levels: fc.constantFrom([], ['error' as const]),
}) as never;

/** Returns the records as a scan that kept them reads them back. */
async function keptRows(records: readonly LogRecord[], hasFacts: boolean): Promise<readonly KeptRows[]> {
  const kept = new KeptScans(new FakeClock());
  const owner = { session: 's', context: 'c' };
  const scan = kept.begin(owner);
  const keeper = scan.keep('key', 1);
  const levels = Uint8Array.from(records, ({ message }) => levelIndex(message));
  const shapes = Uint8Array.from(records, (record, index) => shapeOfLine(record, levels[index]!));
  await keeper.take(records, hasFacts ? { levels, shapes } : undefined);
  await keeper.finish({ from: undefined, to: undefined }, []);
  const rows: KeptRows[] = [];
  for (const segment of kept.find(owner, 'key'))
    for await (const block of segment.read(records[0]!.run.target, segment, () => true)) rows.push(block);
  kept.close();
  return rows;
}

test('a sieve says of no record what the filters do not say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      filter,
      search,
      fc.array(fieldFilter, { maxLength: 2 }),
      fc.record({ matchCase: fc.boolean(), wholeWord: fc.boolean() }),
      fc.boolean(),
      async (texts, plan, typed, fields, options, hasFacts) => {
        const records = recordsWith(texts);
        const searched = { search: { text: typed, regex: false, ...options }, fields };
        const { finds, matchers } = compileSearch(searched);
        // A level belongs to a whole record, and is not tested on its lines.
        const { matches } = await compileFilter({ ...plan, levels: [] });
        const expected = records.map((record) => matches(record) && finds?.(record) !== false);
        const sieve = sieveOf(plan, matchers);
        const verdicts: number[] = [];
        for (const rows of await keptRows(records, hasFacts)) {
          verdicts.push(...sieve.judge(rows).subarray(rows.first, rows.end));
          for (let index = rows.first; index < rows.end; index++) {
            const message = rows.messageAt(index);
            expect(rows.levelAt(index)).toBe(levelIndex(message));
            expect(rows.shapeAt(index)).toBe(shapeOfLine({ message }, levelIndex(message)));
          }
        }
        expect(verdicts).toHaveLength(records.length);
        for (const [index, verdict] of verdicts.entries())
          if (verdict !== VERDICTS.unsure) expect(verdict === VERDICTS.passes).toBe(expected[index]);
      },
    ),
    { numRuns: 500 },
  );
});

test('of most searches it is sure', async () => {
  const records = recordsWith(['time out', 'Timeout ', 'ERROR K', 'é time', '7']);
  const verdictsOn = async (typed: string) => {
    const searched = {
      search: { text: typed, regex: false, matchCase: false, wholeWord: false },
      fields: [],
    };
    const [rows] = await keptRows(records, true);
    return [...sieveOf(NO_FILTER, compileSearch(searched).matchers).judge(rows!)];
  };
  const { fails, passes } = VERDICTS;
  expect(await verdictsOn('time')).toEqual([passes, passes, fails, passes, fails]);
  expect(await verdictsOn('time "out "')).toEqual([fails, passes, fails, fails, fails]);
  expect(await verdictsOn('-time')).toEqual([fails, fails, passes, fails, passes]);
});

test('of a text that colors part, a key in numbers and letters that RE2 folds it is not sure', async () => {
  const records = recordsWith(['time\u001b[31mout', '{"\\u0072oute":"/pay"}', '\u212a', 'none']);
  const [rows] = await keptRows(records, true);
  const verdictsOn = (plan: FilterPlan, typed: string) => {
    const search = { text: typed, regex: false, matchCase: false, wholeWord: false };
    return [...sieveOf(plan, compileSearch({ search, fields: [] }).matchers).judge(rows!)];
  };
  const { fails, unsure } = VERDICTS;
  expect(verdictsOn(NO_FILTER, 'timeout')).toEqual([unsure, fails, fails, fails]);
  expect(verdictsOn(NO_FILTER, '@json.route:/pay')).toEqual([unsure, unsure, fails, fails]);
  const folded = { ...NO_FILTER, grep: 'k', ignoreCase: true };
  expect(verdictsOn(folded, '')).toEqual([unsure, unsure, unsure, fails]);
});
