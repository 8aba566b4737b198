const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
const TIME_WITH_ZONE = /^[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))$/;
const TIME_WITHOUT_ZONE = /^ +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?$/;

/**
 * Whether a text is a YAML 1.1 timestamp (https://yaml.org/type/timestamp.html) in one of the forms that go-yaml takes:
 * a date; a date, `T` and a time with a zone; a date, spaces and a time without one.
 */
export function isTimestamp(text: string): boolean {
  const date = DATE.exec(text);
  if (date === null || !isDay(Number(date[1]), Number(date[2]), Number(date[3]))) return false;
  const rest = text.slice(date[0].length);
  if (rest === '') return true;
  const time = TIME_WITH_ZONE.exec(rest) ?? TIME_WITHOUT_ZONE.exec(rest);
  if (time === null) return false;
  const [, hour, minute, second, zoneHour = '0', zoneMinute = '0'] = time;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return Number(zoneHour) <= 24 && Number(zoneMinute) <= 60;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}
