import { stripSgr } from './ansi.ts';
import { LEVELS, type Level } from './filter.ts';
import { type JsonScalar, resemblesJson, scanJsonFields, WantedKeys } from './json-line.ts';
import { levelOfHead } from './level-head.ts';
import {
  ANY_CASE_LEVEL_KEYS,
  LEVEL_KEYS,
  levelOfField,
  levelOfLetter,
  levelOfNumber,
  levelOfValue,
  NET_LEVEL_KEY,
} from './level-names.ts';
import { isFailedAccess } from './structured/access-line.ts';

/** Bytes of a line to examine: a level stands near the beginning. */
const MAX_BYTES = 4096;
const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();

/**
 * Returns the level of a line, from common log formats: a field of JSON (`level`, `severity`, `lvl`) or logfmt, klog
 * and glog, a syslog priority, or a word where log4j, nginx, postgres and similar programs put it; a request that a
 * server answered with status 500 or above is an error. Returns undefined if none applies; a word in the middle of a
 * sentence does not count.
 */
export function detectLevel(message: Uint8Array): Level | undefined {
  const head = stripSgr(message.length > MAX_BYTES ? message.subarray(0, MAX_BYTES) : message);
  if (resemblesJson(head)) return levelOfJson(head);
  const text = decoder.decode(head).trimStart();
  if (isFailedAccess(text)) return 'error';
  return levelOfPrefix(text) ?? levelOfLogfmt(text) ?? levelOfHead(text) ?? levelOfInnerJson(text);
}

/** Whether a line is an error only because of the status of its request, as in an access log. */
export function isFailedRequest(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return isFailedAccess(text);
  const fields = scanJsonFields(encoder.encode(text), WANTED);
  return statedLevel(fields) === NONE_STATED && levelOfAccess(fields) !== undefined;
}

const LEVEL_INDEX: ReadonlyMap<Level, number> = new Map(LEVELS.map((level, index) => [level, index]));

/**
 * Returns the index of a line's level in LEVELS, or their number for a line without a level: the order of counts
 * (COUNTED_LEVELS).
 */
export function levelIndex(message: Uint8Array): number {
  const level = detectLevel(message);
  return (level && LEVEL_INDEX.get(level)) ?? LEVELS.length;
}

/** An access line in JSON has a status and the method of the request. */
const STATUS_KEYS = ['status', 'status_code', 'statusCode'] as const;
const METHOD_KEYS = ['method', 'request_method', 'http_method'] as const;
/** Keys that tell formats: MongoDB, Serilog's compact JSON, ECS, .NET. */
const FORMAT_KEYS = [
  's',
  'c',
  '@t',
  '@m',
  '@mt',
  '@timestamp',
  'message',
  NET_LEVEL_KEY,
  'Category',
] as const;
/** ECS may write `log.level` as an object: `{"log":{"level":"error"}}`. */
const ECS_LEVEL = 'log/level';
const WANTED = new WantedKeys(
  [...LEVEL_KEYS, ...FORMAT_KEYS, ...STATUS_KEYS, ...METHOD_KEYS],
  ANY_CASE_LEVEL_KEYS,
  new Map([['log', new WantedKeys(['level'])]]),
);
type Fields = ReadonlyMap<string, JsonScalar | undefined>;

function levelOfJson(head: Uint8Array): Level | undefined {
  const fields = scanJsonFields(head, WANTED);
  const stated = statedLevel(fields);
  return stated === NONE_STATED ? levelOfAccess(fields) : stated;
}

/** The line has no level field. */
const NONE_STATED = 'none-stated';

/** Returns the level that the fields of a JSON line name. */
function statedLevel(fields: Fields): Level | typeof NONE_STATED | undefined {
  for (const key of LEVEL_KEYS) {
    const level = levelAt(fields, key);
    if (level !== undefined) return level;
  }
  for (const [key, value] of fields) {
    const level = value === undefined ? undefined : levelOfField(key, value);
    if (level !== undefined) return level;
  }
  return levelOfFormat(fields);
}

function levelAt(fields: Fields, key: string): Level | undefined {
  const value = fields.get(key);
  return value === undefined ? undefined : levelOfValue(value);
}

/** Returns the level of formats whose keys alone say too little. */
function levelOfFormat(fields: Fields): Level | typeof NONE_STATED | undefined {
  // A program that prints its configuration may have such keys too, but neither a time nor a message nor a category.
  const isEcs = fields.has('@timestamp') || fields.has('message');
  const key = isEcs ? ECS_LEVEL : fields.has('Category') ? NET_LEVEL_KEY : undefined;
  const level = key === undefined ? undefined : levelAt(fields, key);
  if (level !== undefined) return level;
  // Serilog's compact JSON leaves out the level of information (clef-json.org).
  if (fields.has('@t') && !fields.has('@l') && (fields.has('@mt') || fields.has('@m'))) return 'info';
  // MongoDB: {"t":{"$date":...},"s":"I","c":"NETWORK",...}; debug is D1 to D5.
  const severity = fields.get('s');
  if (typeof severity !== 'string' || typeof fields.get('c') !== 'string') return NONE_STATED;
  return /^(?:[FEWI]|D[1-5]?)$/.test(severity) ? levelOfLetter(severity.slice(0, 1)) : undefined;
}

function levelOfAccess(fields: Fields): Level | undefined {
  const hasMethod = METHOD_KEYS.some((key) => typeof fields.get(key) === 'string');
  return hasMethod && STATUS_KEYS.some((key) => /^5\d\d$/.test(String(fields.get(key))))
    ? 'error'
    : undefined;
}

/** `I1121 10:00:00.123456 1 main.go:12]`; glog may write the year too. */
const KLOG = /^([IWEF])(?:\d{4}|\d{8}) \d\d:\d\d:\d\d\.\d+ +\d+ \S+\]/;
/** RFC 5424, 6.2.1: `<34>`. */
const SYSLOG = /^<(\d{1,3})>/;
/** Ruby's Logger: `E, [2026-11-21T10:00:00.123456 #1] ERROR -- : message`. */
const RUBY = /^([DIWEF]), \[/;
/** Redis: `1:M 21 Nov 2026 10:00:00.123 # message`. */
const REDIS = /^\d{1,10}:[XCSM] \d\d \w{3} \d{4} [\d:.]{8,16} ([.*#-]) /;
const REDIS_LEVELS = new Map<string, Level>([
  ['.', 'debug'],
  ['-', 'info'],
  ['*', 'info'],
  ['#', 'warn'],
]);
/** Output of the Go runtime, Python and the Java virtual machine when a program dies. */
const DYING = /^(?:(fatal error: )|Traceback \(most recent call last\):|Exception in thread ")/;

function levelOfPrefix(text: string): Level | undefined {
  const letter = (KLOG.exec(text) ?? RUBY.exec(text))?.[1];
  if (letter !== undefined) return levelOfLetter(letter);
  const priority = SYSLOG.exec(text)?.[1];
  // 23 facilities of 8 severities.
  if (priority !== undefined && Number(priority) <= 191) return levelOfNumber(Number(priority) % 8);
  const redis = REDIS.exec(text)?.[1];
  if (redis !== undefined) return REDIS_LEVELS.get(redis);
  const dying = DYING.exec(text);
  if (dying === null) return undefined;
  return dying[1] === undefined ? 'error' : 'fatal';
}

const LOGFMT =
  /(?:^|[\s,;|({[])(?:level|severity|lvl|log\.level|loglevel)=(?:"([^"]{1,20})"|([A-Za-z0-9]{1,20})(?=$|[\s,;|)}\]]))/gi;

function levelOfLogfmt(text: string): Level | undefined {
  for (const match of text.matchAll(LOGFMT)) {
    const level = levelOfValue(match[1] ?? match[2] ?? '');
    if (level !== undefined) return level;
  }
  return undefined;
}

const INNER_JSON = /"(?:level|severity|lvl)"\s{0,4}:\s{0,4}(?:"([A-Za-z]{1,20})"|(\d{1,3})\b)/i;

/** Returns the level of a JSON object that follows other text, such as a time or a name. */
function levelOfInnerJson(text: string): Level | undefined {
  const match = INNER_JSON.exec(text);
  if (match === null) return undefined;
  return match[1] === undefined ? levelOfNumber(Number(match[2])) : levelOfValue(match[1]);
}
