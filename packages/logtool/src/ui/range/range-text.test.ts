import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeZoneClock } from '../console/state/zone-time.ts';
import { viewPlanOf } from '../console/url/view-plan.ts';
import { rangeFaultText } from '../messages/range.ts';
import { parseRange, rangeLabel, wallToTimestamp } from './range-text.ts';

const nowMs = Date.parse('2026-11-21T13:42:00Z');
const utc = { clock: makeZoneClock('UTC'), nowMs };
const madrid = { clock: makeZoneClock('Europe/Madrid'), nowMs };

describe('a range that is typed', () => {
  test.each([
    ['15m', { last: '15m' }],
    ['2h', { last: '2h' }],
    [' last 2 h ', { last: '2h' }],
    ['90 min', { last: '90m' }],
    ['1d', { last: '24h' }],
    ['1w', { last: '168h' }],
    ['PT2H', { last: 'PT2H' }],
    ['last 2 hours', { last: '2h' }],
    ['2 hours', { last: '2h' }],
    ['last hour', { last: '1h' }],
    ['45 seconds', { last: '45s' }],
    ['1.5 days', { last: '36h' }],
    ['now-1h', { last: '1h' }],
    ['now - 30 min', { last: '30m' }],
    ['', {}],
    ['2026-11-21T10:00:00Z', { from: '2026-11-21T10:00:00.000000000Z' }],
    ['2026-11-21T10:00:00+02:00', { from: '2026-11-21T08:00:00.000000000Z' }],
    ['13:20', { from: '2026-11-21T13:20:00.000000000Z' }],
    ['9:05:30.5', { from: '2026-11-21T09:05:30.500000000Z' }],
    ['23:00', { from: '2026-11-20T23:00:00.000000000Z' }],
    ['2026-11-20', { from: '2026-11-20T00:00:00.000000000Z' }],
    ['13:20 to 13:30', { from: '2026-11-21T13:20:00.000000000Z', to: '2026-11-21T13:30:00.000000000Z' }],
    ['13:20 – 13:30', { from: '2026-11-21T13:20:00.000000000Z', to: '2026-11-21T13:30:00.000000000Z' }],
    ['13:20–13:30', { from: '2026-11-21T13:20:00.000000000Z', to: '2026-11-21T13:30:00.000000000Z' }],
    ['since 13:20', { from: '2026-11-21T13:20:00.000000000Z' }],
    [
      'Since 13:20 to 13:30',
      { from: '2026-11-21T13:20:00.000000000Z', to: '2026-11-21T13:30:00.000000000Z' },
    ],
    ['11:50-12:05', { from: '2026-11-21T11:50:00.000000000Z', to: '2026-11-21T12:05:00.000000000Z' }],
    ['23:50-0:10', { from: '2026-11-20T23:50:00.000000000Z', to: '2026-11-21T00:10:00.000000000Z' }],
    ['yesterday 10:00', { from: '2026-11-20T10:00:00.000000000Z' }],
    ['yesterday', { from: '2026-11-20T00:00:00.000000000Z' }],
    [
      'Yesterday 22:00 to today 1:00',
      { from: '2026-11-20T22:00:00.000000000Z', to: '2026-11-21T01:00:00.000000000Z' },
    ],
    ['now-2h to now-1h', { from: '2026-11-21T11:42:00.000000000Z', to: '2026-11-21T12:42:00.000000000Z' }],
    ['13:20 to now', { from: '2026-11-21T13:20:00.000000000Z' }],
    [
      '2026-11-20 10:00 / 2026-11-20T11:00:00Z',
      { from: '2026-11-20T10:00:00.000000000Z', to: '2026-11-20T11:00:00.000000000Z' },
    ],
  ])('%j', (text, range) => {
    expect(parseRange(text, utc)).toEqual({ range });
  });

  test.each([
    ['yesterday 10:00-11:00', '20T10:00', '20T11:00'],
    ['yesterday at 10:00 to 11:00', '20T10:00', '20T11:00'],
    ['yesterday 10:00 - 11:00', '20T10:00', '20T11:00'],
    ['today 10:00-11:00', '21T10:00', '21T11:00'],
    ['2026-11-19 20:00-20:30', '19T20:00', '19T20:30'],
    ['2026-11-19T20:00-20:30', '19T20:00', '19T20:30'],
    ['2026-11-19 20:00 to 20:30', '19T20:00', '19T20:30'],
    ['2026-11-19 20:00 – 20:30', '19T20:00', '19T20:30'],
    ['2026-11-19 23:50-0:10', '19T23:50', '20T00:10'],
    ['yesterday 23:00-1:00', '20T23:00', '21T01:00'],
    ['23:50-0:10', '20T23:50', '21T00:10'],
    ['22:00-22:30', '20T22:00', '20T22:30'],
    ['14:00 to 13:00', '20T14:00', '21T13:00'],
  ])('%j: an end without a date is the first such time after the start', (text, from, to) => {
    const at = (time: string) => `2026-11-${time}:00.000000000Z`;
    expect(parseRange(text, utc)).toEqual({ range: { from: at(from), to: at(to) } });
  });

  test.each([
    ['13:30-14:00', '2026-11-21T14:00'],
    ['13:30 to 2026-11-22T10:00:00Z', '2026-11-22T10:00'],
  ])('%j keeps its end, which is in the future', (text, to) => {
    const range = { from: '2026-11-21T13:30:00.000000000Z', to: `${to}:00.000000000Z` };
    expect(parseRange(text, utc)).toEqual({ range });
  });

  test.each([
    ['2026-11-19T10:00-05:00', '2026-11-19T15:00:00.000000000Z'],
    ['2026-11-19 10:00:00-05:00', '2026-11-19T15:00:00.000000000Z'],
  ])('%j is one time with an offset', (text, from) => {
    expect(parseRange(text, utc)).toEqual({ range: { from } });
  });

  test('the range that the page shows means the same when it is typed', () => {
    const range = { from: '2026-11-20T10:00:00.000000000Z', to: '2026-11-20T11:00:00.000000000Z' };
    expect(parseRange(rangeLabel(range, madrid), madrid)).toEqual({ range });
  });

  test('the end is on the next day of a clock that is changed in between', () => {
    const night = { ...madrid, nowMs: Date.parse('2026-10-26T12:00:00Z') };
    expect(parseRange('2026-10-24 12:00 to 11:00', night)).toEqual({
      range: { from: '2026-10-24T10:00:00.000000000Z', to: '2026-10-25T10:00:00.000000000Z' },
    });
  });

  test('times without a zone are those of the clock that is shown', () => {
    expect(parseRange('13:20', madrid)).toEqual({ range: { from: '2026-11-21T12:20:00.000000000Z' } });
    expect(parseRange('2026-07-01 12:00', madrid)).toEqual({
      range: { from: '2026-07-01T10:00:00.000000000Z' },
    });
  });

  test.each([
    ['someday', /neither a duration/],
    ['yesterday 25:00', /no yesterday 25:00|no .*25:00/],
    ['25:00', /no 25:00/],
    ['2026-02-30T10:00:00Z', /./],
    ['2026-02-30', /no 2026-02-30/],
    ['13:30 to 13:20', /end is before/],
    ['1:00 to 2:00 to 3:00', /one start and one end/],
    ['1y', /./],
    ['P1M', /Months and years/],
    ['0s', /longer than a second/],
    ['x'.repeat(500), /too long/],
  ])('reports that %j is wrong', (text, why) => {
    const result = parseRange(text, utc);
    expect(result).toHaveProperty('fault');
    expect('fault' in result && rangeFaultText(result.fault)).toMatch(why);
  });

  test('whatever is accepted is understood by the view', () => {
    const piece = fc.constantFrom(
      '1',
      '5',
      '13:20',
      'h',
      'm',
      'd',
      ' ',
      'to',
      '2026-11-21',
      'T',
      'Z',
      '-',
      '.',
      'P',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 8 }).map((p) => p.join('')),
        ),
        (text) => {
          const result = parseRange(text, utc);
          if ('fault' in result) return;
          const plan = viewPlanOf({ ctx: 'c', src: ['s'], ...result.range }, nowMs);
          expect(plan.from === undefined).toBe(
            result.range.last === undefined && result.range.from === undefined,
          );
          expect(plan.to === undefined).toBe(result.range.to === undefined);
        },
      ),
    );
  });
});

test('a wall time is the moment at which the clock shows it, on days when clocks change too', () => {
  const at = (wall: string) => wallToTimestamp(madrid.clock, wall)?.seconds;
  expect(at('2026-03-29T01:59:59')).toBe(Date.parse('2026-03-29T00:59:59Z') / 1000);
  expect(at('2026-03-29T03:00:00')).toBe(Date.parse('2026-03-29T01:00:00Z') / 1000);
  expect(at('2026-10-25T03:00:00')).toBe(Date.parse('2026-10-25T02:00:00Z') / 1000);
});

test.each([
  [{ last: '30m' }, 'Last 30 min'],
  [{ last: '24h' }, 'Last 1 d'],
  [{}, 'Newest lines'],
  [{ last: 'nonsense' }, 'Newest lines'],
  [{ from: '2026-11-21T13:12:00Z' }, 'Since 13:12'],
  [{ from: '2026-11-21T13:12:00Z', to: '2026-11-21T13:42:05Z' }, '13:12 – 13:42:05'],
  [{ from: '2026-11-20T13:12:00Z', to: '2026-11-20T13:42:00Z' }, '2026-11-20 13:12 – 13:42'],
  [{ to: '2026-11-21T13:42:00Z' }, 'Until 13:42'],
])('%j is called %s', (range, label) => {
  expect(rangeLabel(range, utc)).toBe(label);
});
