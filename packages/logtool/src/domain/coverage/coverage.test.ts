import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Coverage, isReadable, readOfAll, unreadOfAny } from './coverage.ts';
import { type Intervals, intervals, union } from './interval.ts';

const MAX = 12;
const at = (tick: number): Timestamp => ({ seconds: tick, nanos: 0 });
const bound = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.nat(MAX).map(at) },
);
const read = fc
  .array(fc.record({ from: bound, to: bound }), { maxLength: 4 })
  .map((all) => all.map(intervals).reduce(union, []));
const containers = fc.dictionary(
  fc.constantFrom('web', 'db', 'cache', 'api'),
  fc.record({ read, isUnreadable: fc.boolean() }),
);
const coverages = fc.record({
  containers: containers.map((byId) => new Map(Object.entries(byId))),
  failedSources: fc.constantFrom(0, 0, 1),
});

const times = Array.from({ length: MAX + 3 }, (_, tick) => at(tick - 1));
const has = (set: Intervals, time: Timestamp) =>
  set.some(
    ({ from, to }) =>
      (from === undefined || compareTimestamps(time, from) >= 0) &&
      (to === undefined || compareTimestamps(time, to) < 0),
  );

test('a time is read if every accepted container was read then, else unread', () => {
  fc.assert(
    fc.property(coverages, fc.subarray(['web', 'db', 'cache', 'api']), (coverage, wanted) => {
      const isWanted = (id: string) => wanted.includes(id);
      const ofAll = readOfAll(coverage, isWanted);
      const ofAny = unreadOfAny(coverage, isWanted);
      for (const time of times) {
        const isRead = [...coverage.containers].every(
          ([id, container]) => !isWanted(id) || has(container.read, time),
        );
        expect(has(ofAll, time)).toBe(isRead);
        expect(has(ofAny, time)).toBe(!isRead);
      }
    }),
  );
});

test('all containers count if none is left out', () => {
  const coverage: Coverage = {
    containers: new Map([
      ['web', { read: [{ from: at(1), to: at(5) }], isUnreadable: false }],
      ['db', { read: [{ from: at(3), to: undefined }], isUnreadable: false }],
    ]),
    failedSources: 0,
  };
  expect(readOfAll(coverage)).toEqual([{ from: at(3), to: at(5) }]);
  expect(unreadOfAny(coverage)).toEqual([
    { from: undefined, to: at(3) },
    { from: at(5), to: undefined },
  ]);
});

test('logs are readable if every container answers, and no source failed', () => {
  fc.assert(
    fc.property(coverages, (coverage) => {
      const all = [...coverage.containers.values()];
      const isExpected = coverage.failedSources === 0 && all.every(({ isUnreadable }) => !isUnreadable);
      expect(isReadable(coverage)).toBe(isExpected);
    }),
  );
});
