/** When a CronJob runs: the five fields of its schedule. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 and 7 are both Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
};
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Parses a schedule; undefined if the text is not one. */
export function parseSchedule(text: string): CronSchedule | undefined {
  const fields = (MACROS[text.trim()] ?? text).trim().split(/\s+/);
  if (fields.length !== RANGES.length) return undefined;
  const [minutes, hours, days, months, weekdays] = RANGES.map((range, index) =>
    parseField(fields[index] ?? '', range),
  );
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  return { minutes, hours, days, months, weekdays };
}

/** Returns the first whole minute of the schedule after that time (ms since the epoch, UTC), within four years. */
export function nextTime(schedule: CronSchedule, afterMs: number): number | undefined {
  let at = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const end = at + 4 * 366 * 24 * 60 * MINUTE_MS;
  while (at < end) {
    const possible = earliestFrom(schedule, at);
    if (possible === at) return at;
    at = possible;
  }
  return undefined;
}

/**
 * Returns the time itself if the schedule contains it, else the start of the next minute, hour or day that it may
 * contain.
 */
function earliestFrom(schedule: CronSchedule, at: number): number {
  const date = new Date(at);
  if (!isDayOf(schedule, date))
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
  if (!schedule.hours.has(date.getUTCHours())) return Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS;
  return schedule.minutes.has(date.getUTCMinutes()) ? at : at + MINUTE_MS;
}

/**
 * Whether a day matches. If both the day of the month and the weekday are restricted, one of them is enough (man 5
 * crontab).
 */
function isDayOf({ days, months, weekdays }: CronSchedule, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const weekday = date.getUTCDay();
  const isDay = days.has(date.getUTCDate());
  const isWeekday = weekdays.has(weekday) || (weekday === 0 && weekdays.has(7));
  const isAnyDay = days.size === 31 || weekdays.size === 8;
  return isAnyDay ? isDay && isWeekday : isDay || isWeekday;
}

function parseField(field: string, limits: readonly [number, number]): Set<number> | undefined {
  const out = new Set<number>();
  for (const range of field.split(',')) {
    const values = parseRange(range, limits);
    if (values === undefined) return undefined;
    for (const value of values) out.add(value);
  }
  return out;
}

/** Parses `*`, `5`, `1-5`, each with an optional step after a slash; `5/10` continues to the end of the range. */
function parseRange(range: string, [low, high]: readonly [number, number]): readonly number[] | undefined {
  const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(range);
  if (match === null) return undefined;
  const [, first, last, step = '1'] = match;
  const from = Number(first ?? low);
  const isOpen = first === undefined || (last === undefined && match[3] !== undefined);
  const to = isOpen ? high : Number(last ?? first);
  if (Number(step) < 1 || from < low || to > high || from > to) return undefined;
  const count = Math.floor((to - from) / Number(step)) + 1;
  return Array.from({ length: count }, (_, index) => from + index * Number(step));
}
