import type { Level } from './filter.ts';

/** JSON keys that hold a level. The first that names a level wins. */
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
