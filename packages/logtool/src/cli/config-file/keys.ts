import { COLUMN_NAMES } from '../../domain/columns.ts';
import { defaultText } from '../flags/default-text.ts';
import { CONFIG_SECTIONS, type Flag, type SettingValue } from '../flags/flag.ts';
import { FLAGS, STORED_SETTINGS } from '../flags/table.ts';

/** One key of the configuration file. */
export interface ConfigKey {
  /** Path with dots: `commands.logs.tail`. */
  readonly path: string;
  readonly kind: 'text' | 'integer' | 'boolean' | 'columns';
  /** An empty text if there is none: such a text in a file leaves the setting unset. */
  readonly default: SettingValue;
  readonly doc: string;
  /** For integers: the minimum and maximum. */
  readonly range?: readonly [number, number];
}

/** The schema version that this program writes and reads. */
export const CONFIG_VERSION = 1;

const MAX_COUNT = Number.MAX_SAFE_INTEGER;

const VERSION: ConfigKey = {
  path: 'version',
  kind: 'integer',
  default: CONFIG_VERSION,
  doc: 'Schema version of this file',
  range: [1, CONFIG_VERSION],
};

/** Every key of the file, in the order of the file: those of flags, and settings without a flag. */
export const CONFIG_KEYS: readonly ConfigKey[] = ['version', ...CONFIG_SECTIONS].flatMap((section) =>
  [
    VERSION,
    ...FLAGS.flatMap(keyOf),
    ...STORED_SETTINGS.map(({ key, ...more }) => ({ path: key, ...more })),
  ].filter(({ path }) => path === section || path.slice(0, path.lastIndexOf('.')) === section),
);

/** Values whose kind the file lacks (sizes, durations, lists, choices) are texts, as on a command line. */
function keyOf(row: Flag): readonly ConfigKey[] {
  const { config, value, default: standard } = row;
  if (config === undefined) return [];
  const { key: path, doc } = config;
  switch (value.kind) {
    case 'columns':
      return [{ path, kind: 'columns', default: standard ?? [], doc: `${doc}: ${COLUMN_NAMES.join(', ')}` }];
    case 'count':
      return [{ path, kind: 'integer', default: standard ?? '', doc, range: [0, value.max ?? MAX_COUNT] }];
    case 'boolean':
      return [{ path, kind: 'boolean', default: standard ?? false, doc }];
    case 'bytes':
    case 'choice':
    case 'duration':
    case 'list':
    case 'text':
      return [{ path, kind: 'text', default: defaultText(row) ?? '', doc }];
  }
}
