import { levelOfName } from '../level-names.ts';
import { ACCESS_KEYS, accessFields } from './access-fields.ts';
import { jsonFields, stringPieces } from './json-fields.ts';
import { closingQuote, trailingPairs } from './logfmt-fields.ts';
import { type FoundField, type FoundFields, namedField, pieceOf, trimmedEnd } from './structured-line.ts';

/** A date and a time, or only a time, as loggers write it at the head of a line. */
const TIME = String.raw`(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[A-Z]{3,4}|[+-]\d\d:?\d\d))?`;
const LEVEL = String.raw`(?<level>[A-Z]{3,9}\d?)`;
const BRACKETS = (name: string) => String.raw`\[ {0,40}(?<${name}>[^\]\s][^\]]{0,80})\]`;
const LOGGER = String.raw`(?<logger>[\w.$/\[\]@-]{1,200})`;
const MESSAGE = '(?<message>.*)$';

/** Heads of lines by format: the first match wins. Its named groups, except the message, are fields. */
const HEADS: readonly RegExp[] = [
  // klog and glog; their level is a letter next to the date.
  String.raw`^[IWEF]\d{4,8} \d\d:\d\d:\d\d\.\d{1,9} {1,9}(?<thread>\d{1,12}) (?<caller>[^\s\]]{1,200})\] ${MESSAGE}`,
  // Spring Boot.
  String.raw`^${TIME} {1,3}${LEVEL} (?<pid>\d{1,10}) --- (?:${BRACKETS('app')} )?${BRACKETS('thread')} (?:${BRACKETS('correlation')} {0,3})?${LOGGER} {0,60}: ${MESSAGE}`,
  // logback, log4j and Quarkus.
  `^${TIME} ${BRACKETS('thread')} ${LEVEL} {1,4}${LOGGER} {0,60}- ${MESSAGE}`,
  `^${TIME} {1,3}${LEVEL} {1,4}${BRACKETS('thread')} {1,3}${LOGGER} {0,60}[-:] ${MESSAGE}`,
  String.raw`^${TIME} {1,3}${LEVEL} {1,4}\[(?<logger>[\w.$-]{1,200})\] \((?<thread>[^)]{1,80})\) ${MESSAGE}`,
  // PostgreSQL, which writes details in further lines.
  String.raw`^${TIME} \[(?<pid>\d{1,10})\](?: (?<user>[^\s@]{1,64})@(?<db>[^\s:]{1,64}))?:? (?:(?=(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY): )|${LEVEL}: {1,2}(?=\S))${MESSAGE}`,
  // nginx and Apache error logs.
  String.raw`^${TIME} \[(?<level>[a-z]{3,8})\] (?<pid>\d{1,10})#\d{1,10}: (?:\*(?<connection>\d{1,20}) )?${MESSAGE}`,
  String.raw`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [\d :.]{8,30}\] \[(?<module>\w{0,40}):(?<level>[a-z]{3,8}\d?)\] \[pid (?<pid>\d{1,10})(?::tid \d{1,20})?\] (?:\[client (?<client>[^\]\s]{1,80})\] )?${MESSAGE}`,
].map((source) => new RegExp(source, 'ds'));

/** Fields that lines may have without writing their names: those of their heads. */
export const UNWRITTEN_KEYS: ReadonlySet<string> = new Set([
  ...ACCESS_KEYS,
  ...HEADS.flatMap(({ source }) => [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name)),
  'caller',
]);

/** Returns the fields of a line that is not JSON: from its head, its message, and the pairs at its end. */
export function textFields(text: string): FoundFields | undefined {
  return accessFields(text) ?? headFields(text) ?? tabFields(text) ?? pairFields(text);
}

function headFields(text: string): FoundFields | undefined {
  // No head begins with a lowercase letter.
  if (!/^[\dIWEF[]/.test(text)) return undefined;
  for (const head of HEADS) {
    const match = head.exec(text);
    if (match === null || !namesLevel(match)) continue;
    const start = match.indices?.groups?.message?.[0] ?? 0;
    const after = messageFields(text, start);
    return { message: after.message, fields: [...after.fields, ...groupFields(text, match)] };
  }
  return undefined;
}

/** Whether the level group names a level. Capitals in that position may be something else, such as a time zone. */
function namesLevel({ groups }: RegExpExecArray): boolean {
  return groups?.level === undefined || levelOfName(groups.level) !== undefined;
}

/** Returns the named groups of a pattern, except the message, as fields. */
function groupFields(text: string, match: RegExpExecArray): readonly FoundField[] {
  const groups = Object.entries(match.indices?.groups ?? {});
  return groups.flatMap(([key, range]) => {
    // The types omit that a group may be unmatched.
    const found = range as readonly [number, number] | undefined;
    if (found === undefined || key === 'message') return [];
    const value = text.slice(...found);
    return value === '-' || value === '' ? [] : [namedField(text, key, found)];
  });
}

/** Returns the message after a head: quoted as in klog, or text, each with pairs after it. */
function messageFields(
  text: string,
  start: number,
): FoundFields & { readonly message: [] | FoundFields['message'] } {
  const close = text[start] === '"' ? closingQuote(text, start) : -1;
  if (close !== -1 && (close + 1 === text.length || text[close + 1] === ' ')) {
    const pairs = trailingPairs(text, close + 1);
    if (close + 1 === text.length || pairs?.start === close + 2)
      return { message: stringPieces(text, start + 1, close), fields: pairs?.fields ?? [] };
  }
  const nginx = nginxFields(text, start);
  const pairs = nginx ?? trailingPairs(text, start);
  const end = trimmedEnd(text, start, pairs?.start ?? text.length);
  return { message: [pieceOf(text, start, end)], fields: pairs?.fields ?? [] };
}

const NGINX_KEYS =
  /, (client|server|request|subrequest|upstream|host|referrer): (?:"([^"]{0,8000})"|([^\s,"]{0,300}))(?=, |$)/dg;

/** Returns what nginx writes after the message of an error: `, client: 10.0.0.1, request: "GET / HTTP/1.1"`. */
function nginxFields(
  text: string,
  start: number,
): { readonly start: number; readonly fields: readonly FoundField[] } | undefined {
  const fields: FoundField[] = [];
  let end = -1;
  let first = -1;
  NGINX_KEYS.lastIndex = start;
  for (const match of text.matchAll(NGINX_KEYS)) {
    if (match.index < start) continue;
    // The pairs are contiguous up to the end of the line.
    if (match.index !== end) {
      fields.length = 0;
      first = match.index;
    }
    end = match.index + match[0].length;
    const range = match.indices?.[2] ?? match.indices?.[3];
    if (range !== undefined)
      fields.push({ ...namedField(text, match[1] ?? '', range), start: match.index + 2, end });
  }
  return fields.length > 0 && end === text.length ? { start: first, fields } : undefined;
}

/** Reads zap's console format: the time, the level, the logger, the caller and the message between tabs, then JSON. */
function tabFields(text: string): FoundFields | undefined {
  if (!/^\d[\w:.+-]{9,40}\t/.test(text)) return undefined;
  const cells = cellsOf(text);
  const level = cells[1];
  if (level === undefined || levelOfName(text.slice(...level)) === undefined) return undefined;
  const last = cells.at(-1);
  const json = last !== undefined && text[last[0]] === '{' ? jsonOfCell(text, last) : undefined;
  const rest = cells.slice(2, json === undefined ? undefined : -1);
  const message = rest.pop();
  if (message === undefined) return undefined;
  const caller = rest.findIndex((range) => /:\d{1,6}$/.test(text.slice(...range)));
  const named = rest.map((range, at) => namedField(text, at === caller ? 'caller' : 'logger', range));
  return {
    message: [pieceOf(text, ...message)],
    fields: [...(json ?? []), ...named, namedField(text, 'level', level)],
  };
}

const MAX_CELLS = 6;

function cellsOf(text: string): (readonly [number, number])[] {
  const cells: [number, number][] = [];
  for (let start = 0; start <= text.length; ) {
    const tab = cells.length === MAX_CELLS - 1 ? -1 : text.indexOf('\t', start);
    const end = tab === -1 ? text.length : tab;
    cells.push([start, end]);
    start = end + 1;
  }
  return cells;
}

function jsonOfCell(
  text: string,
  [start, end]: readonly [number, number],
): readonly FoundField[] | undefined {
  return jsonFields(text.slice(start, end))?.map((field) => ({
    ...field,
    start: field.start + start,
    end: field.end + start,
    shown: field.shown.map((piece) => ({ ...piece, start: piece.start + start, end: piece.end + start })),
    isNested: true,
  }));
}

const MIN_PAIRS = 2;

/** Reads logfmt: pairs, or a text with pairs after it. */
function pairFields(text: string): FoundFields | undefined {
  if (!text.includes('=')) return undefined;
  const pairs = trailingPairs(text, 0);
  if (pairs === undefined || pairs.fields.length < MIN_PAIRS) return undefined;
  const end = trimmedEnd(text, 0, pairs.start);
  return { message: end === 0 ? undefined : [pieceOf(text, 0, end)], fields: pairs.fields };
}
