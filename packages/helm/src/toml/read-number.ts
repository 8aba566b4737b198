import { parseTime } from '../functions/sprig/time/parse-time.ts';
import { fixedZone, UTC, type Zone } from '../functions/sprig/time/zones.ts';
import { GoError } from '../template/errors.ts';
import { quote } from '../value/quote.ts';
import { GoInt, type Value } from '../value/value.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './read-text.ts';

const FLOAT = /[\d_.\-+eE]/;
const BASES: Readonly<Record<string, readonly [RegExp, string]>> = {
  b: [/[01]/, 'a binary'],
  o: [/[0-7]/, 'an octal'],
  x: [/[\da-fA-F]/, 'a hexadecimal'],
};

/** Reads a number or a time, from its first digit. */
export function readNumberOrTime(cursor: Cursor): Value {
  const from = cursor.at;
  const first = cursor.next();
  if (first === '0' && cursor.peek() in BASES) return readBased(cursor);
  const digits = first + cursor.skip(/\d/);
  if (digits.length > (first === '0' ? 1 : 0) && /[-:]/.test(cursor.peek())) {
    return timeOf(cursor, digits + cursor.skip(/[\d\-:Tt .Zz+]/));
  }
  return readDecimal(cursor, from);
}

/** Reads the rest of a decimal number that starts at `from`. */
function readDecimal(cursor: Cursor, from: number): Value {
  cursor.skip(/[\d_]/);
  const isFloat = /[.eE]/.test(cursor.peek());
  if (isFloat) cursor.skip(FLOAT);
  const text = cursor.text.slice(from, cursor.at);
  return isFloat ? floatOf(cursor, text) : integerOf(cursor, text);
}

/** Reads a number after its sign. */
export function readSigned(cursor: Cursor): Value {
  const from = cursor.at - 1;
  const character = cursor.next();
  if (character === 'i')
    return namedFloat(cursor, from, 'nf', cursor.text[from] === '-' ? -Infinity : Infinity);
  if (character === 'n') return namedFloat(cursor, from, 'an', Number.NaN);
  if (character === '0' && cursor.peek() in BASES) {
    const written = cursor.text.slice(from, cursor.at) + cursor.peek();
    throw cursor.problem(`cannot use sign with non-decimal numbers: '${written}'`);
  }
  if (character === '.') throw cursor.problem("floats must start with a digit, not '.'");
  if (!/\d/.test(character)) throw cursor.problem(`expected a digit but got ${shown(character)}`);
  return readDecimal(cursor, from);
}

/** Reads `inf` or `nan`, after its first letter. */
function namedFloat(cursor: Cursor, from: number, letters: string, value: number): number {
  if (![...letters].every((letter) => cursor.accept(letter))) {
    throw cursor.problem(`invalid float: '${cursor.text.slice(from, cursor.at)}'`);
  }
  return value;
}

function readBased(cursor: Cursor): Value {
  const base = cursor.next();
  const [digit, name] = BASES[base]!;
  const first = cursor.peek();
  if (!digit.test(first)) {
    throw cursor.problem(`not ${name} number: '0${base}${first === '' ? '\0' : first}'`);
  }
  return integerOf(cursor, `0${base}${cursor.skip(new RegExp(`${digit.source}|_`))}`);
}

function integerOf(cursor: Cursor, text: string): Value {
  cursor.peek();
  if (!hasDigitsAround(text))
    throw invalid(cursor, 'integer', text, 'underscores must be surrounded by digits');
  if (hasLeadingZero(text)) throw invalid(cursor, 'integer', text, 'cannot have leading zeroes');
  const digits = text.replaceAll('_', '');
  const value = digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) {
    throw cursor.problemAt(cursor.line, `${text} is out of range for int64`);
  }
  return new GoInt(value, 'int64');
}

function floatOf(cursor: Cursor, text: string): Value {
  cursor.peek();
  const numerals = text.split(/[.eE]/).filter((numeral) => numeral !== '');
  if (!numerals.every(hasDigitsAround)) {
    throw invalid(cursor, 'float', text, 'underscores must be surrounded by digits');
  }
  if (hasLeadingZero(numerals[0] ?? '')) throw invalid(cursor, 'float', text, 'cannot have leading zeroes');
  if (/\.(?!\d)/.test(text)) {
    throw invalid(cursor, 'float', text, "'.' must be followed by one or more digits");
  }
  const digits = text.replaceAll('_', '');
  const isFloat = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits);
  if (!isFloat) throw cursor.problemAt(cursor.line, `Invalid float value: ${quote(text)}`);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw cursor.problemAt(cursor.line, `${text} is out of range for float64`);
  return value;
}

/** Whether a digit, of any base, is before each underscore and at the end. */
function hasDigitsAround(text: string): boolean {
  return !/(?<![\da-fA-F])_/.test(text) && /[\da-fA-F]$/.test(text);
}

function hasLeadingZero(text: string): boolean {
  return /^0[^box]/.test(text) || /^[+-]0./.test(text);
}

function invalid(cursor: Cursor, kind: string, text: string, why: string) {
  return cursor.problemAt(cursor.line, `Invalid ${kind} ${quote(text)}: ${why}`);
}

const LOCAL_DATETIME = fixedZone('datetime-local', 0);
const LOCAL_TIME = fixedZone('time-local', 0);
const LAYOUTS: readonly (readonly [string, Zone])[] = [
  ['2006-01-02T15:04:05.999999999Z07:00', UTC],
  ['2006-01-02T15:04:05.999999999', LOCAL_DATETIME],
  ['2006-01-02', fixedZone('date-local', 0)],
  ['15:04:05.999999999', LOCAL_TIME],
  ['2006-01-02T15:04Z07:00', UTC],
  ['2006-01-02T15:04', LOCAL_DATETIME],
  ['15:04', LOCAL_TIME],
];

/** Reads a time, possibly without a zone, or only a date or a time of day. */
function timeOf(cursor: Cursor, written: string): Value {
  cursor.peek();
  const text = written.trim().replaceAll('z', 'Z').replaceAll('t', 'T').replaceAll(' ', 'T');
  for (const [layout, zone] of LAYOUTS) {
    try {
      const time = parseTime(layout, text, zone);
      if (isAligned(layout, text)) return time;
      break;
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
    }
  }
  throw cursor.problemAt(cursor.line, `invalid datetime: ${quote(text)}`);
}

/** Go's time parser accepts numbers without their leading zeros; TOML does not. */
function isAligned(layout: string, text: string): boolean {
  for (const [at, character] of [...layout].entries()) {
    if (character === '.' || character === 'Z') return true;
    if (!/\d/.test(character) && text[at] !== character) return false;
  }
  return true;
}
