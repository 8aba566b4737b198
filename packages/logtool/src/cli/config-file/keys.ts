import { COLUMN_NAMES } from '../../domain/columns.ts';
import type { Flag, FlagValue, SettingValue } from '../flags/flag.ts';
import { FLAGS, STORED_SETTINGS } from '../flags/table.ts';

/** One key of the configuration file. */
export interface ConfigKey {
  /** Path with dots: `commands.logs.tail`. */
  readonly path: string;
  readonly kind: 'text' | 'integer' | 'boolean' | 'columns';
  readonly default: SettingValue;
  readonly doc: string;
  /** For integers: the minimum and maximum. */
  readonly range?: readonly [number, number];
}

/** The schema version that this program writes and reads. */
export const CONFIG_VERSION = 1;

const VERSION: ConfigKey = {
  path: 'version',
  kind: 'integer',
  default: CONFIG_VERSION,
  doc: 'Schema version of this file',
  range: [1, CONFIG_VERSION],
};

/** Sections in the order of the file. */
const SECTIONS = ['version', 'general', 'commands.logs', 'commands.serve', 'cluster', 'dashboard'];

/** Every key of the file, in the order of the file: those of flags, and settings without a flag. */
export const CONFIG_KEYS: readonly ConfigKey[] = SECTIONS.flatMap((section) =>
  [
    VERSION,
    ...FLAGS.flatMap(keyOf),
    ...STORED_SETTINGS.map(({ key, ...more }) => ({ path: key, ...more })),
  ].filter(({ path }) => path === section || path.slice(0, path.lastIndexOf('.')) === section),
);

function keyOf({ config, value, default: standard }: Flag): readonly ConfigKey[] {
  if (config === undefined) return [];
  const common = { path: config.key, default: standard ?? '', doc: config.doc };
  if (value.kind === 'columns') {
    return [{ ...common, kind: 'columns', doc: `${config.doc}: ${COLUMN_NAMES.join(', ')}` }];
  }
  if (value.kind !== 'count') return [{ ...common, kind: kindOf(value) }];
  return [{ ...common, kind: 'integer', range: [0, value.max ?? Number.MAX_SAFE_INTEGER] }];
}

function kindOf({ kind }: FlagValue): 'text' | 'boolean' {
  return kind === 'boolean' ? 'boolean' : 'text';
}
