import { LEVELS } from '../../domain/filter.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { MAX_SHAPE_TEXT, SHAPE, type Shape, shapeOf } from '../../domain/records/line-shape.ts';
import type { ShapedLine } from '../../domain/records/open-record.ts';
import { levelOfRecord } from '../../domain/records/record-summary.ts';

/** A line as the record rules see it. */
export interface LeveledLine extends ShapedLine {
  readonly record: LogRecord;
  /** Its own level, as an index of LEVELS (LEVELS.length: none). */
  readonly level: number;
  /** The level was read. */
  readonly isLeveled: boolean;
  /** Whether the pattern matches it; undefined: not tested yet. */
  readonly isMatch: boolean | undefined;
}

const ERROR = LEVELS.indexOf('error');
const WARN = LEVELS.indexOf('warn');
const decoder = new TextDecoder('latin1');

/** Returns a line with the level that it names. */
export function leveledLine(record: LogRecord, isMatch?: boolean): LeveledLine {
  const level = levelIndex(record.message);
  return shapedLine(record, { level, shape: shapeOfLine(record, level), isMatch });
}

/** Returns a line with a known level and shape. */
export function shapedLine(
  record: LogRecord,
  known: { readonly level: number; readonly shape: Shape; readonly isMatch: boolean | undefined },
): LeveledLine {
  const { message, at } = record;
  const { seconds, nanos } = at;
  return { record, ...known, isLeveled: true, bytes: message.length, seconds, nanos };
}

/**
 * Returns a line without its level, which takes longest to read: a line that is plain for `leveledLine` may be an
 * alarm here, and its level must not be used.
 */
export function unleveledLine(record: LogRecord, isMatch?: boolean): LeveledLine {
  const shape = shapeOfLine(record, ERROR);
  return { ...shapedLine(record, { level: ERROR, shape, isMatch }), isLeveled: false };
}

/** Returns the shape of a line with this level (an index of LEVELS, LEVELS.length: none). */
export function shapeOfLine(record: Pick<LogRecord, 'message'>, level: number): Shape {
  return isPlain(record.message, level) ? SHAPE.plain : shapeOf(headText(record), level);
}

/** Endings of lines that may open JSON: `{`, `[`, and what a color or Windows puts after them. */
const ENDS: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x6d, 0x0d]);
const [ESCAPE, BLANK, COLON, EQUALS, BRACKET, LETTER_I] = [0x1b, 0x20, 0x3a, 0x3d, 0x5b, 0x69];
const [RETURN, LETTER_P] = [0x0d, 0x50];

/**
 * Whether the bytes prove that a line is plain, as for most lines: they begin with a digit, with JSON, or with a word
 * that begins no line of a record.
 */
function isPlain(message: Uint8Array, level: number): boolean {
  if (level <= WARN || level === LEVELS.length) return false;
  if (ENDS.has(message[message.length - 1]!)) return false;
  const first = message[0]!;
  const isQuick = (first >= 0x30 && first <= 0x39) || (first === 0x7b && message[1] === 0x22);
  return isQuick || beginsPlain(message);
}

const TOKEN_BYTES = byteTable(/\w/);
/** First letters of words that may begin a line of a record, with a blank after them: `Caused by`, `LINE 1`. */
const RECORD_FIRSTS = byteTable(/[ACDEFLNPSTUcefgrst]/);
/** Last letters of the names of errors. */
const ERROR_LASTS = byteTable(/[enprt]/);

function byteTable(pattern: RegExp): readonly boolean[] {
  return Array.from({ length: 256 }, (_, byte) => byte < 128 && pattern.test(String.fromCharCode(byte)));
}

/** Whether the first word proves that a line belongs to no record: `level=info ...`, `INFO ...`. */
function beginsPlain(message: Uint8Array): boolean {
  let end = 0;
  while (TOKEN_BYTES[message[end]!] === true) end++;
  if (end === 0) return false;
  if (message[end] === BLANK)
    return !RECORD_FIRSTS[message[0]!]! && !ERROR_LASTS[message[end - 1]!]! && !namesError(message, end + 1);
  // Go: `PC=0x48bee1 m=0`.
  return message[end] === EQUALS && message[0] !== LETTER_P && !namesFile(message, end);
}

/** Whether a line may name an error in brackets here, as in Node: `OutOfStock [Error]: ...`. */
function namesError(message: Uint8Array, from: number): boolean {
  if (message[from] !== BRACKET) return false;
  let end = from + 1;
  while (TOKEN_BYTES[message[end]!] === true) end++;
  const after = message[end + 1];
  return ERROR_LASTS[message[end - 1]!]! && (after === undefined || after === COLON || after === RETURN);
}

/** Whether a line may name a file and a line number before its first blank, as in Ruby: `a=b.rb:3:in ...`. */
function namesFile(message: Uint8Array, from: number): boolean {
  for (let at = from; at < message.length; at++) {
    const byte = message[at]!;
    if (byte === BLANK) return false;
    if (byte === ESCAPE || (byte === COLON && message[at + 1] === LETTER_I)) return true;
  }
  return false;
}

/** Returns the text that determines the shape of a line. */
export function headText({ message }: Pick<LogRecord, 'message'>): string {
  // One more byte shows that the line continues.
  return decoder.decode(message.subarray(0, MAX_SHAPE_TEXT + 1));
}

/** Returns the level of the record that consists of these lines, as an index of LEVELS. */
export function levelOfLines(lines: readonly LeveledLine[], isJson: boolean): number {
  const levels = lines.map(({ level }) => level);
  return lines.length === 1 ? levels[0]! : levelOfRecord(levels, isJson);
}
