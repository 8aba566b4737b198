import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { createTimeCell, createTimeFormat } from './time-format.ts';

const format = (zone: string, text: string) => {
  const time = parseTimestamp(text);
  return time === undefined ? '' : createTimeFormat(zone).format(time);
};

test.each([
  ['utc', '2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123456789Z'],
  ['Europe/Berlin', '2026-11-21T10:00:00.123456789Z', '2026-11-21T11:00:00.123456789+01:00'],
  ['Europe/Berlin', '2026-07-21T22:30:00.000000001Z', '2026-07-22T00:30:00.000000001+02:00'],
  ['Asia/Kolkata', '2026-12-31T20:00:00Z', '2027-01-01T01:30:00.000000000+05:30'],
  ['America/St_Johns', '2026-11-21T01:00:00Z', '2026-11-20T21:30:00.000000000-03:30'],
  ['UTC', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000000000+00:00'],
])('%s: %s', (zone, text, expected) => expect(format(zone, text)).toBe(expected));

test('the change to winter time is made at its minute', () => {
  const { format: berlin } = createTimeFormat('Europe/Berlin');
  const at = (text: string) => berlin(parseTimestamp(text) ?? { seconds: 0, nanos: 0 }).slice(11);
  expect(at('2026-10-25T00:59:59Z')).toBe('02:59:59.000000000+02:00');
  expect(at('2026-10-25T01:00:00Z')).toBe('02:00:00.000000000+01:00');
  expect(at('2026-10-25T00:59:59Z')).toBe('02:59:59.000000000+02:00');
});

test.each(['utc', 'Asia/Kolkata', 'local'])(
  'a cell of a table has the same text, second after second: %s',
  (zone) => {
    const time = createTimeFormat(zone);
    const cell = createTimeCell(time, '  ');
    for (const seconds of [1_795_255_200, 1_795_255_201, -1, 0, 253_402_300_800]) {
      for (const nanos of [0, 1, 9, 10, 123_456_789, 900_000_000, 999_999_999]) {
        const text = Buffer.from(cell({ seconds, nanos })).toString();
        expect(text).toBe(`${time.format({ seconds, nanos }).padEnd(time.width)}  `);
        if (zone === 'utc') expect(text).toBe(`${formatTimestamp({ seconds, nanos }).padEnd(30)}  `);
      }
    }
  },
);
