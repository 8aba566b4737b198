import { formatTimestamp, type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';

/** Reads the clock of one time zone. Looks up offsets once per quarter of an hour: no zone changes within one. */
export interface ZoneClock {
  /** IANA name: `Europe/Madrid`, `UTC`. */
  readonly name: string;
  /** Seconds east of UTC at that moment. */
  offsetSeconds(seconds: number): number;
}

const QUARTER_SECONDS = 900;
const LIMIT_OFFSETS = 10_000;
const LATEST_SECONDS = 8_640_000_000_000;

/** `local` is the browser's own zone; a name that the browser does not know counts as `local`. */
export function makeZoneClock(zone: string): ZoneClock {
  const format = makeFormat(zone);
  const offsets = new Map<number, number>();
  return {
    name: format.resolvedOptions().timeZone,
    offsetSeconds(seconds) {
      const quarter = Math.floor(seconds / QUARTER_SECONDS);
      let offset = offsets.get(quarter);
      if (offset === undefined) {
        if (offsets.size >= LIMIT_OFFSETS) offsets.clear();
        offset = readOffset(format, quarter * QUARTER_SECONDS);
        offsets.set(quarter, offset);
      }
      return offset;
    },
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function makeFormat(zone: string): Intl.DateTimeFormat {
  const timeZone = zone === 'local' || !isTimeZone(zone) ? undefined : zone;
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    era: 'short',
  });
}

function readOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const fields = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(fields.get(type));
  const isBc = /^B/.test(fields.get('era') ?? '');
  const wall = new Date(0);
  wall.setUTCFullYear(isBc ? 1 - number('year') : number('year'), number('month') - 1, number('day'));
  wall.setUTCHours(number('hour'), number('minute'), number('second'));
  return Math.round(wall.getTime() / 1000 - seconds);
}

/** Date and time of day on that zone's clock: `2026-11-21` and `13:42:01.118`. */
export function wallTime(clock: ZoneClock, at: Timestamp): { readonly date: string; readonly time: string } {
  const text = wallText(clock, at.seconds);
  const millis = String(Math.floor(at.nanos / 1e6)).padStart(3, '0');
  return { date: text.slice(0, -9), time: `${text.slice(-8)}.${millis}` };
}

function wallText(clock: ZoneClock, seconds: number): string {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > LATEST_SECONDS - 86_400) return '????-??-?? ??:??:??';
  const text = new Date((seconds + clock.offsetSeconds(seconds)) * 1000).toISOString();
  return text.slice(0, -5).replace('T', ' ');
}

/** RFC 3339 with all nine fractional digits and the zone's offset: `2026-11-21T13:42:01.118000000+01:00`. */
export function isoTime(clock: ZoneClock, at: Timestamp): string {
  const offset = clock.offsetSeconds(at.seconds);
  // Before about 1930 zone offsets had seconds, which RFC 3339 cannot express.
  if (offset % 60 !== 0) return formatTimestamp(at);
  const wall = formatTimestamp({ seconds: at.seconds + offset, nanos: at.nanos }).slice(0, -1);
  if (offset === 0) return `${wall}Z`;
  const minutes = Math.abs(offset) / 60;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** How long ago a time was, in one or two units: `12 s ago`, `3 min ago`, `2 h 5 min ago`. */
export function ageText(at: Timestamp, nowMs: number): string {
  const seconds = (nowMs - timestampToMs(at)) / 1000;
  // Small differences between the clocks of cluster and browser are normal.
  if (seconds < 1) return seconds < -5 ? `in ${spanText(-seconds)}` : 'just now';
  return `${spanText(seconds)} ago`;
}

function spanText(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min`;
  const pair = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
  if (whole < 86_400) return pair(Math.floor(whole / 3_600), 'h', Math.floor(whole / 60) % 60, 'min');
  return pair(Math.floor(whole / 86_400), 'd', Math.floor(whole / 3_600) % 24, 'h');
}

/**
 * How many characters of `HH:MM:SS.mmm` equal the time in the line above: `13:42:` or `13:` or none. The seconds are
 * always bright, because readers look at them.
 */
export function unchangedChars(time: string, above: string | undefined): number {
  if (above === undefined) return 0;
  if (time.slice(0, 6) === above.slice(0, 6)) return 6;
  return time.slice(0, 3) === above.slice(0, 3) ? 3 : 0;
}
