import { expect, test } from 'vitest';
import { lostBefore } from '../domain/coverage/lost.ts';
import { gapCauseText, lateBeginningText } from './gap.ts';

const first = { seconds: 1_795_003_600, nanos: 5 };
const causeOf = (startSeconds: number, readTo?: number, hasEarlier = false) => {
  const start = { seconds: startSeconds, nanos: 0 };
  const read = readTo === undefined ? undefined : { seconds: readTo, nanos: 0 };
  return lostBefore({ first, start, readTo: read, hasEarlier }, start)!.cause;
};

test('reports when a log begins late, and does not call it a rotation', () => {
  const cause = causeOf(first.seconds - 725);
  expect(lateBeginningText(cause)).toBe(
    'the log begins at 2026-11-18T12:06:40.000000005Z, 12 m 5 s after the container started: earlier records may be gone',
  );
  expect(gapCauseText(cause)).toBe('the log begins more than 10 min after the container started');
  expect(lateBeginningText(causeOf(first.seconds - 3 * 3600))).toContain(', 3 h after');
});

test('distinguishes a later run whose log begins late from the first one that the node has', () => {
  const cause = causeOf(first.seconds - 725, undefined, true);
  expect(gapCauseText(cause)).toBe('the log of this run begins more than 10 min after the container started');
  expect(lateBeginningText(cause)).toMatch(
    /^the log of a later run begins at .*: earlier records may be gone$/,
  );
});

test('records that logtool read and that are gone prove a rotation', () => {
  const cause = causeOf(first.seconds - 60, first.seconds - 30);
  expect(lateBeginningText(cause)).toBe(
    'the log begins at 2026-11-18T12:06:40.000000005Z: the node rotated it, and earlier records that logtool read are gone',
  );
  expect(gapCauseText(cause)).toBe('the node has rotated the log since logtool last read it');
  expect(causeOf(first.seconds - 60, first.seconds + 1)).toMatchObject({ data: { wasRotated: undefined } });
});

test('does not invent a beginning that an older server omits', () => {
  expect(lateBeginningText({ code: 'begins-late', data: {} })).toBeUndefined();
  expect(lateBeginningText({ code: 'rotated', data: {} })).toBeUndefined();
});
