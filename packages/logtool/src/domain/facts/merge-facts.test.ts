import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventFact, exitFact, startFact } from '../../../../../test/support/domain/facts.ts';
import type { ContainerTarget } from '../container.ts';
import { compareRecords, type LogRecord, makeRun } from '../record.ts';
import type { Fact } from './fact.ts';
import { FactMerge, type Merged } from './merge-facts.ts';

const target: ContainerTarget = {
  id: 'web-1/app',
  namespace: 'shop',
  pod: 'web-1',
  podUid: 'web-1',
  container: 'app',
  kind: 'regular',
  placement: {},
  state: { kind: 'running', containerId: 'c', startedAt: undefined },
  restartCount: 0,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
};

function at(tenths: number): Timestamp {
  return { seconds: Math.floor(tenths / 10), nanos: (((tenths % 10) + 10) % 10) * 1e8 };
}

const wholeSecond = (tenths: number): Timestamp => ({ ...at(tenths), nanos: 0 });

function record(run: string, tenths: number, seq = 0): LogRecord {
  const message = new Uint8Array();
  return { run: makeRun(target, run), at: at(tenths), seq, message, partial: false, late: false };
}

const subjectOf = (run: string) => ({
  kind: 'Pod',
  namespace: 'shop',
  name: 'web-1',
  uid: 'web-1',
  container: 'app',
  run,
});
const exit = (run: string, tenths: number): Fact =>
  exitFact({ id: `exit ${run}`, at: wholeSecond(tenths), subject: subjectOf(run) });
const start = (run: string, tenths: number, cause?: string): Fact =>
  startFact({ id: `start ${run}`, at: wholeSecond(tenths), subject: subjectOf(run), cause });
const event = (id: string, tenths: number): Fact => eventFact({ id, at: wholeSecond(tenths) });

const OPEN = { before: false, after: false };

function text(merged: readonly Merged[]): readonly string[] {
  return merged.flatMap((each) =>
    each.type === 'fact'
      ? each.fact.id
      : each.records.map(({ run, at: time }) => `${run.key.containerId} ${time.seconds}.${time.nanos / 1e8}`),
  );
}

function merge(records: readonly LogRecord[], facts: readonly Fact[], isCut = OPEN): readonly string[] {
  const merging = new FactMerge(facts);
  return text([...merging.push(records), ...merging.end(isCut)]);
}

test('an exit and a start of the same second lie between the records of their runs', () => {
  const records = [record('1', 52), record('2', 54), record('2', 58)];
  expect(merge(records, [exit('1', 50), start('2', 50, 'exit 1')])).toEqual([
    '1 5.2',
    'exit 1',
    'start 2',
    '2 5.4',
    '2 5.8',
  ]);
});

test('an exit comes after the last record of its run, and a start before the first, whatever the times', () => {
  const records = [record('1', 52), record('1', 99), record('2', 101)];
  expect(merge(records, [exit('1', 50), start('2', 300)])).toEqual([
    '1 5.2',
    '1 9.9',
    'exit 1',
    'start 2',
    '2 10.1',
  ]);
});

test('a quiet run exits at its own time, not with its last record', () => {
  const records = [record('1', 10), record('other', 50), record('other', 95)];
  expect(merge(records, [exit('1', 70)])).toEqual(['1 1.0', 'other 5.0', 'exit 1', 'other 9.5']);
});

test('another fact of a second comes after the records of that second', () => {
  expect(merge([record('1', 52), record('1', 60)], [event('pull', 50)])).toEqual(['1 5.2', 'pull', '1 6.0']);
});

test('facts before and after the records of a cut window are left out', () => {
  const records = [record('1', 52), record('1', 70)];
  const facts = [event('before', 30), event('in', 60), event('after', 80)];
  expect(merge(records, facts, { before: true, after: true })).toEqual(['1 5.2', 'in', '1 7.0']);
  expect(merge(records, facts)).toEqual(['before', '1 5.2', 'in', '1 7.0', 'after']);
});

test('without records yields only the facts, in order', () => {
  expect(merge([], [event('b', 20), event('a', 10)])).toEqual(['a', 'b']);
});

const RUNS = 1_000;

/** One container with many restarts. `stepOf` returns how far its clock is set between two runs, in tenths. */
function manyRestarts(lengths: readonly number[], stepOf: (run: number) => number) {
  const records: LogRecord[] = [];
  const facts: Fact[] = [];
  let now = 1_000_000;
  for (let run = 0; run < RUNS; run++) {
    const id = String(run);
    facts.push(start(id, now, run === 0 ? undefined : `exit ${run - 1}`));
    const count = lengths[run % lengths.length] ?? 0;
    for (let line = 0; line < count; line++) records.push(record(id, now + line, line));
    now += count;
    facts.push(exit(id, now));
    now += stepOf(run);
  }
  return { records: records.sort(compareRecords), facts };
}

/** Checks the position of each fact of a run among its records, and of each exit before the next start. */
function check(lines: readonly string[], isEqualClock: boolean): void {
  const positions = new Map(lines.map((line, index) => [line, index]));
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  lines.forEach((line, index) => {
    const run = /^(\d+) /.exec(line)?.[1];
    if (run === undefined) return;
    if (!first.has(run)) first.set(run, index);
    last.set(run, index);
  });
  for (let run = 0; run < RUNS; run++) {
    const id = String(run);
    const [starts, exits] = [
      positions.get(`start ${id}`) ?? Number.NaN,
      positions.get(`exit ${id}`) ?? Number.NaN,
    ];
    expect(starts).toBeLessThan(first.get(id) ?? Number.POSITIVE_INFINITY);
    expect(exits).toBeGreaterThan(last.get(id) ?? -1);
    if (isEqualClock && run > 0)
      expect(starts).toBeGreaterThan(positions.get(`exit ${run - 1}`) ?? Number.NaN);
  }
}

const lengths = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 });

test('of 1,000 restarts each exit and start lies at its run, with equal clocks', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 25 }), (sizes, pause) => {
      const { records, facts } = manyRestarts(sizes, () => pause);
      check(merge(records, facts), true);
    }),
    { numRuns: 15 },
  );
});

test('of 1,000 restarts each exit and start lies at its run, with clocks that are set', {
  timeout: 60_000,
}, () => {
  const steps = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(lengths, steps, (sizes, some) => {
      const { records, facts } = manyRestarts(sizes, (run) => some[run % some.length] ?? 0);
      check(merge(records, facts), false);
    }),
    { numRuns: 15 },
  );
});

test('the order is the same whatever batches the records come in', { timeout: 60_000 }, () => {
  const batches = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, batches, (sizes, some) => {
      const { records, facts } = manyRestarts(sizes, (run) => (run % 7) - 2);
      const merging = new FactMerge([...facts].reverse(), 200);
      const merged: Merged[] = [];
      for (let from = 0, turn = 0; from < records.length; turn++) {
        const size = some[turn % some.length] ?? 1;
        merged.push(...merging.push(records.slice(from, from + size)));
        from += size;
      }
      merged.push(...merging.end(OPEN));
      expect(text(merged)).toEqual(merge(records, facts));
    }),
    { numRuns: 15 },
  );
});
