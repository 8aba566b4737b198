import { GoError } from '../../../template/errors.ts';
import {
  type FunctionCall,
  type FunctionTable,
  type GoFunction,
  goFunction,
} from '../../../template/function.ts';
import { isGoObject } from '../../../value/type.ts';
import { GoInt, type Value } from '../../../value/value.ts';
import { clampDuration, formatDuration, parseDuration, roundToSeconds } from './go-duration.ts';
import { GoTime, goTimeOf, ZERO_TIME_NS } from './go-time.ts';
import { parseTime } from './parse-time.ts';
import { UTC, zoneOf } from './zones.ts';

const SECOND = 1_000_000_000n;
const local = () => zoneOf('Local') ?? UTC;

const now = (call: FunctionCall) => new GoTime(BigInt(Math.round(call.nowMs * 1000)) * 1000n, local());

/**
 * Returns the date argument of a date function: a time, or seconds since 1970 of one of the given integer types;
 * otherwise the current time.
 */
function timeOf(call: FunctionCall, value: Value, integers: readonly string[]): GoTime {
  if (value instanceof GoInt && integers.includes(value.kind))
    return new GoTime(value.value * SECOND, local());
  return isGoObject(value) && value.goType === 'time.Time' ? goTimeOf(value) : now(call);
}

function inZone(call: FunctionCall, layout: string, date: Value, zone: string): string {
  call.charge(layout.length * 4);
  return timeOf(call, date, ['int', 'int32', 'int64'])
    .in(zoneOf(zone) ?? UTC)
    .format(layout);
}

const HTML_DATE = '2006-01-02';

const DATE_IN_ZONE = goFunction(['string', 'interface {}', 'string'], 'string', (call, layout, date, zone) =>
  inZone(call, layout, date, zone),
);

const MUST_MODIFY = goFunction(['string', 'time.Time'], 'time.Time', (_call, change, date) => {
  const time = goTimeOf(date);
  return new GoTime(time.ns + parseDuration(change), time.zone);
});

/** Returns the function's result, or, for an error, its substitute. */
function orElse(run: () => Value, otherwise: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return otherwise();
    throw error;
  }
}

const MODIFY = goFunction(['string', 'time.Time'], 'time.Time', (_call, change, date) =>
  orElse(
    () => {
      const time = goTimeOf(date);
      return new GoTime(time.ns + parseDuration(change), time.zone);
    },
    () => date,
  ),
);

const sinceNs = (call: FunctionCall, time: GoTime) => clampDuration(now(call).ns - time.ns);

const AGO = goFunction(['interface {}'], 'string', (call, date) =>
  formatDuration(roundToSeconds(sinceNs(call, timeOf(call, date, ['int', 'int64'])))),
);

/** Go's strconv.ParseInt, ignoring its error: a value out of range becomes the nearest limit. */
function integerText(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) return 0n;
  const value = BigInt(text.replace(/^\+/, ''));
  return clampDuration(value);
}

const DURATION = goFunction(['interface {}'], 'string', (_call, value) => {
  const isSeconds = value instanceof GoInt && value.kind === 'int64';
  const seconds = isSeconds ? value.value : typeof value === 'string' ? integerText(value) : 0n;
  return formatDuration(BigInt.asIntN(64, seconds * SECOND));
});

const MINUTE = 60n * SECOND;
const DAY = 1440n * MINUTE;
const STEPS: readonly (readonly [string, bigint])[] = [
  ['y', 365n * DAY],
  ['mo', 30n * DAY],
  ['d', DAY],
  ['h', 60n * MINUTE],
  ['m', MINUTE],
  ['s', SECOND],
];

function durationOf(call: FunctionCall, value: Value): bigint {
  if (typeof value === 'string') {
    try {
      return parseDuration(value);
    } catch (error) {
      if (error instanceof GoError) return 0n;
      throw error;
    }
  }
  if (value instanceof GoInt) return value.kind === 'int64' ? value.value : 0n;
  return isGoObject(value) && value.goType === 'time.Time' ? sinceNs(call, goTimeOf(value)) : 0n;
}

/** Formats with the largest unit that fits more than once. */
const DURATION_ROUND = goFunction(['interface {}'], 'string', (call, value) => {
  const ns = durationOf(call, value);
  const size = ns < 0n ? -ns : ns;
  const step = STEPS.find(([, length]) => size > length);
  return step === undefined ? '0s' : `${size / step[1]}${step[0]}`;
});

/** Sprig's date functions: http://masterminds.github.io/sprig/date.html */
export const DATE_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['now', goFunction([], 'time.Time', now)],
  [
    'date',
    goFunction(['string', 'interface {}'], 'string', (call, layout, date) =>
      inZone(call, layout, date, 'Local'),
    ),
  ],
  ['dateInZone', DATE_IN_ZONE],
  ['date_in_zone', DATE_IN_ZONE],
  [
    'htmlDate',
    goFunction(['interface {}'], 'string', (call, date) => inZone(call, HTML_DATE, date, 'Local')),
  ],
  [
    'htmlDateInZone',
    goFunction(['interface {}', 'string'], 'string', (call, date, zone) =>
      inZone(call, HTML_DATE, date, zone),
    ),
  ],
  ['dateModify', MODIFY],
  ['date_modify', MODIFY],
  ['mustDateModify', MUST_MODIFY],
  ['must_date_modify', MUST_MODIFY],
  ['ago', AGO],
  ['duration', DURATION],
  ['durationRound', DURATION_ROUND],
  [
    'toDate',
    goFunction(['string', 'string'], 'time.Time', (_call, layout, text) =>
      orElse(
        () => parseTime(layout, text, local()),
        () => new GoTime(ZERO_TIME_NS, UTC),
      ),
    ),
  ],
  [
    'mustToDate',
    goFunction(['string', 'string'], 'time.Time', (_call, layout, text) => parseTime(layout, text, local())),
  ],
  ['unixEpoch', goFunction(['time.Time'], 'string', (_call, date) => String(goTimeOf(date).seconds))],
]);
