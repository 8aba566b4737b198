import type { Level } from './filter.ts';

/** Keys that hold a level. The first that names a level wins. */
export const LEVEL_KEYS = [
  'level',
  'severity',
  'lvl',
  'log.level',
  'levelname',
  'loglevel',
  'log_level',
  'severity_text',
  'severityText',
  '@level',
  '@l',
] as const;

const EXACT_KEYS: ReadonlySet<string> = new Set(LEVEL_KEYS);
/**
 * Keys that hold a level in any letter case (`Level`, `SEVERITY`), in lower case. Not those that begin with `log`:
 * `logLevel` and `LOG_LEVEL` are settings that programs print when they start.
 */
export const ANY_CASE_LEVEL_KEYS: readonly string[] = LEVEL_KEYS.map((key) => key.toLowerCase()).filter(
  (key) => !key.startsWith('log'),
);
const ANY_CASE: ReadonlySet<string> = new Set(ANY_CASE_LEVEL_KEYS);
/** The key that .NET's JSON console writes; in other lines it is a setting. */
export const NET_LEVEL_KEY = 'LogLevel';

/** Names that programs give to levels, in lowercase. */
const LEVEL_NAMES: readonly (readonly [Level, string])[] = [
  ['fatal', 'fatal ftl crit critical emerg emergency alert panic pnc dpanic'],
  ['error', 'error err eror severe fail'],
  ['warn', 'warn wrn warning'],
  ['info', 'info inf information informational notice note log system'],
  ['debug', 'debug dbg dbug fine debug1 debug2 debug3 debug4 debug5'],
  ['trace', 'trace trc trce finer finest verbose vrb silly'],
];

const BY_NAME = new Map(
  LEVEL_NAMES.flatMap(([level, names]) => names.split(' ').map((name) => [name, level] as const)),
);

/** Returns the level that a word names, in any letter case. */
export function levelOfName(name: string): Level | undefined {
  return BY_NAME.get(name.toLowerCase());
}

const SYSLOG: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

/**
 * Returns the level of a number: 0 to 7 are syslog severities (RFC 5424, 6.2.1); from 10 on, bunyan and pino levels (10
 * trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal).
 */
export function levelOfNumber(value: number): Level | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (value < 10) return SYSLOG[value];
  if (value > 100) return undefined;
  const tens: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error'];
  return tens[Math.floor(value / 10) - 1] ?? 'fatal';
}

/** Returns the level that a field's value names: `error`, `"WARNING"`, `30`, `"4"`. */
export function levelOfValue(value: string | number): Level | undefined {
  if (typeof value === 'number') return levelOfNumber(value);
  return /^\d{1,3}$/.test(value) ? levelOfNumber(Number(value)) : (levelOfName(value) ?? LETTERS.get(value));
}

/**
 * Returns the level that a field states; undefined if its key holds no level. In other letter case than LEVEL_KEYS, a
 * key counts only with a name as its value: what a number means there differs between programs (`"Level":3`).
 */
export function levelOfField(key: string, value: string | number): Level | undefined {
  if (EXACT_KEYS.has(key)) return levelOfValue(value);
  const isName = typeof value === 'string' && !/^\d/.test(value);
  return isName && ANY_CASE.has(key.toLowerCase()) ? levelOfValue(value) : undefined;
}

const LETTERS = new Map<string, Level>([
  ['F', 'fatal'],
  ['E', 'error'],
  ['W', 'warn'],
  ['I', 'info'],
  ['D', 'debug'],
  ['T', 'trace'],
]);

/** Returns the level of a single capital letter, as klog, glog and Ruby's Logger write it. */
export function levelOfLetter(letter: string): Level | undefined {
  return LETTERS.get(letter);
}
