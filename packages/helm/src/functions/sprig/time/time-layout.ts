/** A part of a time layout, split as Go does: literal text and the field after it (https://pkg.go.dev/time#Layout). */
export interface LayoutField {
  /** The literal text before the field. */
  readonly prefix: string;
  /** The field as written; empty at the end of the layout. */
  readonly field: string;
}

const FIELDS = new RegExp(
  [
    'January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST',
    '0[1-6]|002|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm',
    '-070000|-07:00:00|-0700|-07:00|-07|Z070000|Z07:00:00|Z0700|Z07:00|Z07',
    '[.,](?:0+|9+)(?!\\d)',
  ].join('|'),
  'g',
);

export function layoutFields(layout: string): LayoutField[] {
  const fields: LayoutField[] = [];
  let from = 0;
  for (const { 0: field, index } of layout.matchAll(FIELDS)) {
    fields.push({ prefix: layout.slice(from, index), field });
    from = index + field.length;
  }
  return [...fields, { prefix: layout.slice(from), field: '' }];
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A date and time of the proleptic Gregorian calendar. */
export interface Civil {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 1 to 366. */
  readonly yearDay: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAYS_OF_400_YEARS = 146_097;

/** Returns the days from 1970 to a date; months and days out of range overflow. */
export function daysOf(year: number, month: number, day: number): number {
  const shifted = year + Math.floor((month - 1) / 12);
  const inYear = ((((month - 1) % 12) + 12) % 12) + 1;
  const y = inYear <= 2 ? shifted - 1 : shifted;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (inYear > 2 ? inYear - 3 : inYear + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_OF_400_YEARS + dayOfEra - 719_468;
}

/** Converts seconds since 1970 to a date and time. */
export function civilOf(seconds: bigint): Civil {
  const ofDay = Number(((seconds % 86_400n) + 86_400n) % 86_400n);
  const days = Number((seconds - BigInt(ofDay)) / 86_400n);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    yearDay: days - daysOf(year, 1, 1) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
  };
}
