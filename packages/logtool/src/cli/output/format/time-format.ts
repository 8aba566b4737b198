import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

export interface TimeFormat {
  /** Width of the widest text. */
  readonly width: number;
  readonly format: (at: Timestamp) => string;
  /** Times without a fraction: `around` does not apply. */
  readonly isWhole?: boolean;
  /** Returns the text before and after the nine digits of all times within a second, in ASCII. */
  readonly around: (seconds: number) => readonly [before: string, after: string];
}

/**
 * Formats timestamps with all nine digits, in UTC (30 characters) or in a zone with its offset (35). Uses
 * Intl only for a zone, because it adds 13 ms to start-up. Looks up the offset once per minute of log time,
 * and formats each second once: thousands of lines may share it.
 */
export function createTimeFormat(timezone: string): TimeFormat {
  const isUtc = timezone === 'utc';
  const around = isUtc ? inUtc : inZone(timezone === 'local' ? undefined : timezone);
  let second = Number.NaN;
  let texts: readonly [before: string, after: string] = ['', ''];
  const known = (seconds: number) => {
    if (seconds !== second) {
      texts = around(seconds);
      second = seconds;
    }
    return texts;
  };
  return {
    width: isUtc ? 30 : 35,
    around: known,
    format({ seconds, nanos }) {
      const [before, after] = known(seconds);
      return `${before}${String(nanos).padStart(9, '0')}${after}`;
    },
  };
}

/**
 * Formats the same times without a fraction, marked with `~`: the cluster writes some times in whole seconds.
 */
export function wholeSeconds(time: TimeFormat): TimeFormat {
  const format = ({ seconds }: Timestamp) => {
    const [before, after] = time.around(seconds);
    return `${before.slice(0, -1)}~${after === 'Z' ? '' : after}`;
  };
  return { ...time, format, isWhole: true };
}

const NANOS = 9;

/**
 * Formats times as a table cell, followed by `gap`. The bytes are valid until the next call; within a second
 * only the nine digits change.
 */
export function createTimeCell(time: TimeFormat, gap: string): (at: Timestamp) => Uint8Array {
  let second = Number.NaN;
  let cell = Buffer.alloc(0);
  let digits = 0;
  if (time.isWhole === true) return (at) => Buffer.from(time.format(at).padEnd(time.width) + gap);
  return ({ seconds, nanos }) => {
    if (seconds !== second) {
      const [before, after] = time.around(seconds);
      digits = before.length + NANOS;
      cell = Buffer.from((before + '0'.repeat(NANOS) + after).padEnd(time.width) + gap);
      second = seconds;
    }
    let left = nanos;
    for (let index = digits - 1; index >= digits - NANOS; index--) {
      const tenth = Math.trunc(left / 10);
      cell[index] = 48 + left - tenth * 10;
      left = tenth;
    }
    return cell;
  };
}

function inUtc(seconds: number): readonly [string, string] {
  return [formatTimestamp({ seconds, nanos: 0 }).slice(0, -NANOS - 1), 'Z'];
}

function inZone(timeZone: string | undefined): TimeFormat['around'] {
  const offsetAt = zoneOffset(timeZone);
  let minute = Number.NaN;
  let offsetMinutes = 0;
  return (seconds) => {
    const current = Math.floor(seconds / 60);
    if (current !== minute) {
      minute = current;
      offsetMinutes = offsetAt(seconds);
    }
    return [inUtc(seconds + offsetMinutes * 60)[0], offsetText(offsetMinutes)];
  };
}

/**
 * Returns minutes east of UTC at a time. Rounds offsets with seconds (before about 1972) down to the minute.
 */
function zoneOffset(timeZone: string | undefined): (seconds: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(timeZone === undefined ? {} : { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    era: 'short',
  });
  return (seconds) => {
    const fields = Object.fromEntries(
      format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
    );
    const year = fields.era === 'BC' ? 1 - Number(fields.year) : Number(fields.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(fields.month) - 1, Number(fields.day));
    wall.setUTCHours(Number(fields.hour), Number(fields.minute));
    return Math.round(wall.getTime() / 60_000) - Math.floor(seconds / 60);
  };
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
