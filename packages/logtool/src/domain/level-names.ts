import type { Level } from './filter.ts';

/** Keys of JSON that hold a level. The first of these that names a level counts. */
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

/** Names that programs give to levels, in small letters. */
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

/** The level that a word names, in any letter case. */
export function levelOfName(name: string): Level | undefined {
  return BY_NAME.get(name.toLowerCase());
}

const SYSLOG: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

/**
 * The level that a number names: 0 to 7 are severities of syslog (RFC 5424, 6.2.1), from 10 on those of bunyan and
 * pino (10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal).
 */
export function levelOfNumber(value: number): Level | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (value < 10) return SYSLOG[value];
  if (value > 100) return undefined;
  const tens: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error'];
  return tens[Math.floor(value / 10) - 1] ?? 'fatal';
}

/** The level that a field's value names: `error`, `"WARNING"`, `30`, `"4"`. */
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

/** The level that a single capital letter means, as klog, glog and Ruby's Logger write it. */
export function levelOfLetter(letter: string): Level | undefined {
  return LETTERS.get(letter);
}
