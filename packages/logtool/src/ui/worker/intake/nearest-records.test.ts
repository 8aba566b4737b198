import { expect, test } from 'vitest';
import { sourceOf } from '../testing/fake-server.ts';
import { nearestRecords } from './nearest-records.ts';
import type { Page } from './page-reader.ts';

/** A page of a log with a line each `seconds`, of three containers of which some are late. */
function pageOf(seconds: readonly number[], late: readonly string[]): Page {
  return {
    sources: ['a', 'b', 'c'].map((id, index) => sourceOf(id, index)),
    records: seconds.map((second, index) => [0, second, 0, `line ${index}`, 0]),
    reports: [],
    end: { cut: false },
    late,
  };
}

const SECONDS = Array.from({ length: 900 }, (_, index) => index);
const textsOf = ({ records }: Page) => records.map(([, , , text]) => text);

test('a page with all containers is taken whole', () => {
  const page = pageOf(SECONDS, []);
  expect(nearestRecords(page, 'tail', 900)).toBe(page);
});

test('of a page without some, the share of the others that is nearest is taken', () => {
  const page = pageOf(SECONDS, ['b', 'c']);
  const below = nearestRecords(page, 'tail', 900);
  expect(textsOf(below)).toEqual(textsOf(page).slice(600));
  expect(below.end).toEqual({ cut: true, prev: '1970-01-01T00:10:00.000000000Z' });
  const above = nearestRecords(page, 'head', 900);
  expect(textsOf(above)).toEqual(textsOf(page).slice(0, 300));
  expect(above.end).toEqual({ cut: true, next: '1970-01-01T00:05:00.000000000Z' });
});

test('it ends between two times, and is not cut where all are of one time', () => {
  const page = pageOf(
    SECONDS.map((second) => Math.floor(second / 7)),
    ['b', 'c'],
  );
  expect(textsOf(nearestRecords(page, 'tail', 900))).toEqual(textsOf(page).slice(602));
  expect(textsOf(nearestRecords(page, 'head', 900))).toEqual(textsOf(page).slice(0, 301));
  const same = pageOf(
    SECONDS.map(() => 1),
    ['b', 'c'],
  );
  expect(nearestRecords(same, 'tail', 900)).toBe(same);
  expect(nearestRecords(same, 'head', 900)).toBe(same);
});
