import { formatTimestamp, type Timestamp } from '../../domain/timestamp.ts';

export interface TimeFormat {
  /** Width of the widest text. */
  readonly width: number;
  readonly format: (at: Timestamp) => string;
}

/**
 * Timestamps with all nine digits, in UTC (30 characters) or in a zone with its offset (35). Intl is touched only for
 * a zone: it costs 13 ms of start-up. The offset is looked up once a minute of log time.
 */
export function createTimeFormat(timezone: string): TimeFormat {
  if (timezone === 'utc') return { width: 30, format: formatTimestamp };
  const offsetAt = zoneOffset(timezone === 'local' ? undefined : timezone);
  let minute = Number.NaN;
  let offsetMinutes = 0;
  return {
    width: 35,
    format(at) {
      const current = Math.floor(at.seconds / 60);
      if (current !== minute) {
        minute = current;
        offsetMinutes = offsetAt(at.seconds);
      }
      const shifted = { seconds: at.seconds + offsetMinutes * 60, nanos: at.nanos };
      return formatTimestamp(shifted).slice(0, -1) + offsetText(offsetMinutes);
    },
  };
}

/** Minutes east of UTC at a time. Offsets with seconds (before 1972 or so) are rounded down to the minute. */
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
    const parts = Object.fromEntries(
      format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
    );
    const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
    wall.setUTCHours(Number(parts.hour), Number(parts.minute));
    return Math.round(wall.getTime() / 60_000) - Math.floor(seconds / 60);
  };
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
