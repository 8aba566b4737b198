import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containerNamed } from '../../../../../test/support/engine/records-with.ts';
import { seeded } from '../../../../../test/support/engine/search-logs.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { ContextKeeper } from './context-keeper.ts';
import { type KeepPlan, MatchKeeper, type TailKeeper } from './tail-keeper.ts';

const SOURCE = makeRun(containerNamed('a'), 'c');
const LINE = fc.record({
  step: fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: -40, max: -1 }) },
  ),
  isMatch: fc.oneof(
    { weight: 30, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
} as const);
const COUNT = fc.constantFrom(0, 1, 3, 200);

function recordsOf(lines: readonly { readonly step: number; readonly isMatch: boolean }[]): LogRecord[] {
  let seconds = 1000;
  return lines.map(({ step, isMatch }, seq) => {
    seconds += step;
    const message = Buffer.from(isMatch ? 'match' : 'other');
    return { run: SOURCE, at: { seconds, nanos: 0 }, seq, message, partial: false, late: false };
  });
}

const kept = (keeper: TailKeeper) => {
  const { lines, times, counted } = keeper.end();
  const tallied = times.flatMap((list) => list.at([{ seconds: 1000, nanos: 0 }], Buffer.alloc(0)).length);
  return { lines: lines.map(({ seq, at, message }) => [seq, at, `${message}`]), counted, tallied };
};

test('what is taken in batches is kept as what is taken line by line', async () => {
  await fc.assert(
    fc.property(
      fc.array(LINE, { minLength: 1, maxLength: 900, size: 'max' }),
      fc.record({ before: COUNT, after: COUNT, most: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ isSparse: fc.boolean(), isTallied: fc.boolean(), later: fc.boolean(), all: fc.boolean() }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }),
      (lines, { before, after, most }, { isSparse, isTallied, later, all }, sizes) => {
        const records = recordsOf(lines);
        const isMatch = ({ message }: LogRecord) => message.length === 5 && message[0] === 0x6d;
        const among = (batch: readonly LogRecord[]) => batch.filter(isMatch);
        const plan: KeepPlan = {
          matches: all ? undefined : Object.assign(isMatch, { among }),
          maxMatches: most,
          before,
          after,
          timesOnly: false,
          isSparse,
          tally: isTallied ? [] : undefined,
          countedAt: 'nowhere',
        };
        const make = (): TailKeeper =>
          before + after > 0 ? new ContextKeeper(plan, { preceding: later, later }) : new MatchKeeper(plan);
        const [oneByOne, inBatches] = [make(), make()];
        for (const record of records) oneByOne.take(record, false);
        for (let at = 0, turn = 0; at < records.length; turn++) {
          const next = at + sizes[turn % sizes.length]!;
          inBatches.takeAll(records.slice(at, next));
          at = next;
        }
        expect(inBatches.count).toBe(oneByOne.count);
        const [expected, found] = [kept(oneByOne), kept(inBatches)];
        // A batch is sorted as a whole, which hides some disorder.
        if (oneByOne.isOrdered) expect([inBatches.isOrdered, found]).toEqual([true, expected]);
      },
    ),
    seeded(400),
  );
});
