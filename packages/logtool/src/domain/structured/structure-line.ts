import type { Level } from '../filter.ts';
import { levelOfField, levelOfLetter, levelOfName, NET_LEVEL_KEY } from '../level-names.ts';
import { jsonFields } from './json-fields.ts';
import { MESSAGE_KEYS } from './message-keys.ts';
import { filledMessage } from './message-template.ts';
import { quoteOf } from './quote-of.ts';
import {
  type FoundField,
  type FoundFields,
  type LineField,
  MAX_UNITS,
  type Piece,
  type StructuredLine,
} from './structured-line.ts';
import { textFields } from './text-heads.ts';

/**
 * Splits a line of a known format into fields: JSON (zap, pino, ECS, Serilog, Google Cloud), logfmt, klog, zap for
 * people, Spring and logback, PostgreSQL, access and error lines of nginx and Apache. Returns undefined for plain text,
 * for a line with colors, because its program formatted it, and for one that has only a level and a time. `level`: the line's own, so that a level stays visible
 * if the reader does not see it elsewhere. Linear in the line; never throws.
 */
export function structureLine(text: string, level: Level | undefined): StructuredLine | undefined {
  if (text.length > MAX_UNITS || text.includes('\x1b')) return undefined;
  const found = findFields(text);
  if (found === undefined) return undefined;
  const line = inOrder(found, level);
  // Of a line with nothing but its level and time, no text would be left.
  return line.message.length === 0 && line.fields.length === 0 ? undefined : line;
}

function findFields(text: string): FoundFields | undefined {
  if (!/^\s*\{/.test(text)) return textFields(text);
  const fields = jsonFields(text);
  return fields === undefined || fields.length === 0 ? undefined : { message: undefined, fields };
}

/** ECS may write its level in an object. */
const ECS_LEVEL = 'log.level';

function inOrder(found: FoundFields, level: Level | undefined): StructuredLine {
  const own = found.message === undefined ? messageOf(found.fields) : undefined;
  const rest = found.fields.filter((field) => field !== own);
  const isHidden = (field: FoundField) =>
    (!field.isNested || field.key === ECS_LEVEL) && (isLevel(field, level) || isTime(field)) && field !== own;
  const shown = rest.filter((field) => !isHidden(field)).map(judged);
  return {
    message: found.message ?? (own === undefined ? [] : filledMessage(own, rest)),
    fields: shown
      .map((field, at) => ({ field, rank: rankOf(field), at }))
      .sort(byRank)
      .map(({ field }) => field),
    hidden: rest.filter(isHidden).map(judged),
  };
}

function messageOf(fields: readonly FoundField[]): FoundField | undefined {
  for (const key of MESSAGE_KEYS) {
    const found = fields.find((field) => field.key === key && field.value.trim() !== '');
    if (found !== undefined) return found;
  }
  return undefined;
}

const LEVEL_NUMBERS: ReadonlySet<string> = new Set(['levelno', 'level_value', 'severity_number']);

function isLevel({ key, value }: FoundField, level: Level | undefined): boolean {
  if (level === undefined) return false;
  if (key === 's') return levelOfLetter(value.slice(0, 1)) === level;
  if (key === NET_LEVEL_KEY) return levelOfName(value) === level;
  return LEVEL_NUMBERS.has(key) || levelOfField(key, value) === level;
}

const TIME_KEYS: ReadonlySet<string> = new Set([
  'time',
  'Time',
  'TIME',
  'timestamp',
  'Timestamp',
  'TIMESTAMP',
  'ts',
  't',
  '@timestamp',
  '@t',
  'date',
  'datetime',
  'asctime',
  'eventTime',
  'receiveTimestamp',
  'time_local',
  'time_iso8601',
  'timeMillis',
  't.$date',
]);
/** A date, or a time of day; seconds, milliseconds or nanoseconds since 1970. Not a duration. */
const TIME_VALUE =
  /^(?:\d{4}-\d\d|\d{4}\/\d\d|\d{1,2}\/\w{3}\/\d{4}|\d\d:\d\d|\w{3},? \d|\d{10,19}(?:\.\d+)?$|1\.\d+[eE]\+?\d+$)/;

function isTime({ key, value }: FoundField): boolean {
  return TIME_KEYS.has(key) && TIME_VALUE.test(value);
}

/** A key that reports an error, alone or inside a longer key. */
const ERROR_KEY =
  /(?:^|[._])(?:error|err|exception|exc|exc_info|panic|@x|stack_?trace|stack)(?:[._]|$)|^@x$|(?:error|exception)(?:_?message|_?msg)?$/i;
const NO_ERROR = /^(?:|0|null|nil|<nil>|none|false|undefined|-|\{\}|\[\])$/i;
const STATUS_KEY = /(?:^|[._])(?:status|status_?code|response_?code|http_?status)$/i;
const FAILED = /^5\d\d$/;

function judged({ isNested: _, ...field }: FoundField): LineField {
  const { key, value } = field;
  const isError =
    (ERROR_KEY.test(key) && !NO_ERROR.test(value)) || (STATUS_KEY.test(key) && FAILED.test(value));
  return { ...field, isError };
}

/** A longer error is ordered like other long values: a stack trace would push everything else out of sight. */
const MAX_FIRST = 200;
/** Shorter values keep the order of the line, so that similar lines look alike. */
const MAX_SHORT = 40;

function rankOf({ isError, value }: LineField): number {
  if (isError && value.length <= MAX_FIRST) return -1;
  return value.length <= MAX_SHORT ? 0 : value.length;
}

interface Ranked {
  readonly rank: number;
  readonly at: number;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.at - b.at;
}

/** Number of characters shown at the ends of an id. */
const ID_HEAD = 4;
const ID_TAIL = 2;
const HEX_ID = /^(?=.*[a-f])[\da-f-]{16,64}$|^(?=.*[A-F])[\dA-F-]{16,64}$/;
const LETTER_ID = /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[\dA-Za-z]{20,64}$/;

/** Returns the pieces of a value as a row shows it: omits the middle of an id, which nobody reads. */
export function shortPieces({ value, shown }: Pick<LineField, 'value' | 'shown'>): readonly Piece[] {
  const only = shown.length === 1 ? shown[0] : undefined;
  if (only === undefined || only.text !== value) return shown;
  if (!HEX_ID.test(value) && !LETTER_ID.test(value)) return shown;
  const [head, tail] = [only.start + ID_HEAD, only.end - ID_TAIL];
  return [
    { start: only.start, end: head, text: value.slice(0, ID_HEAD) },
    { start: head, end: tail, text: '…' },
    { start: tail, end: only.end, text: value.slice(-ID_TAIL) },
  ];
}

/**
 * Returns a line in one text as a row of the log shows it: the message, then each field that no column shows. A line of
 * no known format stays as written.
 */
export function shownLine(text: string, level: Level | undefined): string {
  const structured = structureLine(text, level);
  if (structured === undefined) return text;
  const fields = structured.fields.map((field) => {
    const quote = quoteOf(field.value);
    return `${field.key}=${quote}${joined(shortPieces(field))}${quote}`;
  });
  return [joined(structured.message), ...fields].filter((each) => each !== '').join(' ');
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('');
}
