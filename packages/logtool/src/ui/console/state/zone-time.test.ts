import { parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { ageText, isoTime, makeZoneClock, unchangedChars, wallTime } from './zone-time.ts';

const at = (text: string) => {
  const time = parseTimestamp(text);
  if (time === undefined) throw new Error(`not a time: ${text}`);
  return time;
};

test('the same moment reads as each zone has it', () => {
  const moment = at('2026-11-21T12:42:01.118999999Z');
  expect(wallTime(makeZoneClock('Europe/Madrid'), moment)).toEqual({
    date: '2026-11-21',
    time: '13:42:01.118',
  });
  expect(wallTime(makeZoneClock('UTC'), moment)).toEqual({ date: '2026-11-21', time: '12:42:01.118' });
  expect(wallTime(makeZoneClock('Asia/Kolkata'), moment).time).toBe('18:12:01.118');
  expect(wallTime(makeZoneClock('Pacific/Kiritimati'), moment)).toEqual({
    date: '2026-11-22',
    time: '02:42:01.118',
  });
  expect(isoTime(makeZoneClock('Asia/Kathmandu'), moment)).toBe('2026-11-21T18:27:01.118999999+05:45');
  expect(isoTime(makeZoneClock('America/St_Johns'), moment)).toBe('2026-11-21T09:12:01.118999999-03:30');
  expect(isoTime(makeZoneClock('UTC'), moment)).toBe('2026-11-21T12:42:01.118999999Z');
});

test('the hour that summer time repeats differs in its offset', () => {
  const madrid = makeZoneClock('Europe/Madrid');
  expect(isoTime(madrid, at('2026-10-25T00:59:59Z'))).toBe('2026-10-25T02:59:59.000000000+02:00');
  expect(isoTime(madrid, at('2026-10-25T01:00:00Z'))).toBe('2026-10-25T02:00:00.000000000+01:00');
});

test('times before 1970 and beyond any calendar do not break a row', () => {
  const utc = makeZoneClock('UTC');
  expect(wallTime(utc, { seconds: -1, nanos: 5e8 })).toEqual({ date: '1969-12-31', time: '23:59:59.500' });
  expect(wallTime(utc, { seconds: 1e15, nanos: 0 }).time).toBe('??:??:??.000');
  expect(wallTime(makeZoneClock('Europe/Madrid'), { seconds: -62_135_596_800, nanos: 0 }).date).toMatch(
    /^000/,
  );
});

test('an unknown zone is the local one', () => {
  expect(makeZoneClock('Mars/Olympus').name).toBe(makeZoneClock('local').name);
});

test('ages are in the units that matter', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const age = (text: string) => ageText(at(text), now);
  expect(age('2026-11-21T11:59:59.900Z')).toBe('just now');
  expect(age('2026-11-21T11:59:48Z')).toBe('12 s ago');
  expect(age('2026-11-21T11:56:01Z')).toBe('3 min ago');
  expect(age('2026-11-21T09:55:00Z')).toBe('2 h 5 min ago');
  expect(age('2026-11-20T12:00:00Z')).toBe('1 d ago');
  expect(age('2026-11-21T12:05:00Z')).toBe('in 5 min');
});

test('what the line above says too is counted by whole fields, up to the minute', () => {
  expect(unchangedChars('13:42:01.118', '13:42:00.911')).toBe(6);
  expect(unchangedChars('13:42:00.012', '13:41:58.977')).toBe(3);
  expect(unchangedChars('14:00:00.000', '13:59:59.999')).toBe(0);
  expect(unchangedChars('13:42:01.118', undefined)).toBe(0);
});
