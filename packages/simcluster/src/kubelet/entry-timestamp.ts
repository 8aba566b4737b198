const DASH = 45;
const COLON = 58;
const DOT = 46;
const COMMA = 44;
const ZERO = 48;
const UTC = 90;

/** Whether these bytes are an RFC 3339 time that Go accepts: `2026-11-21T01:52:05.99407409Z`, with any fraction. */
export function isTimestampText(file: Buffer, start: number, end: number): boolean {
  if (end - start < 20 || file[start + 4] !== DASH || file[start + 7] !== DASH || file[start + 10] !== 84)
    return false;
  if (file[start + 13] !== COLON || file[start + 16] !== COLON) return false;
  if (!areDigits(file, start, start + 4)) return false;
  const month = twoDigits(file, start + 5);
  const day = twoDigits(file, start + 8);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false;
  if (
    !(
      twoDigits(file, start + 11) < 24 &&
      twoDigits(file, start + 14) < 60 &&
      twoDigits(file, start + 17) < 60
    )
  ) {
    return false;
  }
  const zone = zoneStart(file, start, end);
  if (zone - start === 20) return false;
  if (file[zone] === UTC) return zone + 1 === end;
  const sign = file[zone];
  if (zone + 6 !== end || (sign !== 43 && sign !== DASH) || file[zone + 3] !== COLON) return false;
  return twoDigits(file, zone + 1) <= 24 && twoDigits(file, zone + 4) < 60;
}

/**
 * Returns whole milliseconds since the epoch (floor) of a text that isTimestampText accepted. Fractions of a
 * millisecond would be inexact: a number there resolves only a quarter of a microsecond, and .9999999 would round up to
 * the next second.
 */
export function millisecondsOf(file: Buffer, start: number, end: number): number {
  const year = twoDigits(file, start) * 100 + twoDigits(file, start + 2);
  const days = daysSinceEpoch(year, twoDigits(file, start + 5), twoDigits(file, start + 8));
  const minutes = days * 1440 + twoDigits(file, start + 11) * 60 + twoDigits(file, start + 14);
  const zone = zoneStart(file, start, end);
  let offset = 0;
  if (file[zone] !== UTC) {
    offset = twoDigits(file, zone + 1) * 60 + twoDigits(file, zone + 4);
    if (file[zone] === DASH) offset = -offset;
  }
  let fraction = 0;
  let unit = 100;
  for (let index = start + 20; index < Math.min(zone, start + 23); index++, unit /= 10)
    fraction += ((file[index] ?? ZERO) - ZERO) * unit;
  return ((minutes - offset) * 60 + twoDigits(file, start + 17)) * 1000 + fraction;
}

/** Writes the timestamp with nine digits in its own zone and a blank after it; returns the offset after the blank. */
export function writeTimestamp(
  file: Buffer,
  start: number,
  end: number,
  target: Buffer,
  offset: number,
): number {
  const zone = zoneStart(file, start, end);
  const digitsEnd = Math.min(zone, start + 29);
  for (let index = 0; index < 19; index++) target[offset + index] = file[start + index] ?? ZERO;
  target[offset + 19] = DOT;
  let position = offset + 20;
  for (let index = start + 20; index < digitsEnd; index++, position++) target[position] = file[index] ?? ZERO;
  for (; position < offset + 29; position++) target[position] = ZERO;
  // Go writes a zero offset as Z.
  const isUtc = file[zone] === UTC || (twoDigits(file, zone + 1) === 0 && twoDigits(file, zone + 4) === 0);
  if (isUtc) target[position++] = UTC;
  else for (let index = zone; index < end; index++, position++) target[position] = file[index] ?? ZERO;
  target[position] = 32;
  return position + 1;
}

function zoneStart(file: Buffer, start: number, end: number): number {
  let index = start + 19;
  if (file[index] !== DOT && file[index] !== COMMA) return index;
  for (index += 1; index < end; index++) {
    const byte = file[index] ?? 0;
    if (byte < ZERO || byte > 57) break;
  }
  return index;
}

/** Returns 1000, which no field allows, if the bytes are not digits. */
function twoDigits(file: Buffer, offset: number): number {
  const tens = (file[offset] ?? 0) - ZERO;
  const ones = (file[offset + 1] ?? 0) - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? 1000 : tens * 10 + ones;
}

function areDigits(file: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const byte = file[index] ?? 0;
    if (byte < ZERO || byte > 57) return false;
  }
  return true;
}

/**
 * Returns days from 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms").
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}
