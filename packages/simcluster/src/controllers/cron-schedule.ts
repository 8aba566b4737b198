/** The five fields of a schedule: minute, hour, day of month, month, day of week. Undefined when it is not one. */
export type CronSchedule = readonly ReadonlySet<number>[];

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

export function parseSchedule(text: string): CronSchedule | undefined {
  const fields = (MACROS[text.trim()] ?? text).trim().split(/\s+/);
  if (fields.length !== RANGES.length) return undefined;
  const sets = fields.map((field, index) => parseField(field, RANGES[index] as readonly [number, number]));
  return sets.every((set): set is Set<number> => set !== undefined) ? sets : undefined;
}

/** The first whole minute behind that time (ms since the epoch, UTC) which the schedule names; within four years. */
export function nextTime(schedule: CronSchedule, afterMs: number): number | undefined {
  const [minutes, hours, days, months, weekdays] = schedule as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  let at = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const end = at + 4 * 366 * 24 * 60 * MINUTE_MS;
  while (at < end) {
    const date = new Date(at);
    const anyDay = days.size === 31;
    const anyWeekday = weekdays.size === 8;
    const dayOk = days.has(date.getUTCDate());
    const weekday = date.getUTCDay();
    const weekdayOk = weekdays.has(weekday) || (weekday === 0 && weekdays.has(7));
    const day = anyDay || anyWeekday ? dayOk && weekdayOk : dayOk || weekdayOk;
    if (!day || !months.has(date.getUTCMonth() + 1)) {
      at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
    } else if (!hours.has(date.getUTCHours())) {
      at = Math.floor(at / 3_600_000) * 3_600_000 + 3_600_000;
    } else if (!minutes.has(date.getUTCMinutes())) {
      at += MINUTE_MS;
    } else return at;
  }
  return undefined;
}

function parseField(field: string, [low, high]: readonly [number, number]): Set<number> | undefined {
  const out = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const from = match[1] === undefined ? low : Number(match[1]);
    const to =
      match[1] === undefined || (match[2] === undefined && match[3] !== undefined)
        ? high
        : Number(match[2] ?? match[1]);
    const step = Number(match[3] ?? 1);
    if (step < 1 || from < low || to > high || from > to) return undefined;
    for (let value = from; value <= to; value += step) out.add(value);
  }
  return out;
}
