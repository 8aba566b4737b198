import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { COLUMN_NAMES, parseColumn } from '../../domain/columns.ts';
import type { CliError } from '../messages/cli-error.ts';
import { configFailure } from '../messages/errors.ts';
import type { ConfigEntry } from './entry.ts';
import { CONFIG_KEYS, CONFIG_VERSION, type ConfigKey } from './keys.ts';

/** Checked values by the path of their key; keys missing from the file are absent. */
export type ConfigValues = ReadonlyMap<string, string | number | boolean | readonly string[]>;

/**
 * Checks every value against the table of keys. Throws a usage error for the first wrong one. `rewrite` is
 * the command that writes a new file.
 */
export function checkEntries(
  entries: readonly ConfigEntry[],
  file: string,
  rewrite = 'logtool config init --force',
): ConfigValues {
  const values = new Map<string, string | number | boolean | readonly string[]>();
  for (const { path, value, line } of entries) {
    const position = line === undefined ? file : `${file}:${line}`;
    if (isEmptySection(path, value)) continue;
    const key = CONFIG_KEYS.find((each) => each.path === path);
    if (key !== undefined) values.set(path, checkValue(key, value, position, rewrite));
    else if (isSection(path)) throw notASection(path, position);
    else throw unknownKey(path, position);
  }
  return values;
}

/** Whether this is a section with nothing in it (`commands:`), or an empty file. */
function isEmptySection(path: string, value: unknown): boolean {
  const empty =
    value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);
  return empty && isSection(path);
}

/** The empty path means the whole file. */
function isSection(path: string): boolean {
  return path === '' || CONFIG_KEYS.some((key) => key.path.startsWith(`${path}.`));
}

function notASection(path: string, position: string): CliError {
  const keys = CONFIG_KEYS.filter((key) => path === '' || key.path.startsWith(`${path}.`));
  return configFailure('config-not-a-section', { position, path, keys: keys.map((key) => key.path) });
}

function checkValue(
  key: ConfigKey,
  value: unknown,
  position: string,
  rewrite: string,
): string | number | boolean | readonly string[] {
  switch (key.kind) {
    case 'text':
      if (typeof value === 'string') return value;
      if (value === null) return '';
      throw wrongType(key, position, 'a text');
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw wrongType(key, position, 'true or false');
    case 'integer':
      if (key.default === '' && (value === '' || value === null)) return '';
      return checkInteger(key, value, position, rewrite);
    case 'columns':
      if (!Array.isArray(value)) throw wrongType(key, position, 'a list of column names');
      return value.map((name) => checkColumn(key, name, position));
  }
}

function checkInteger(key: ConfigKey, value: unknown, position: string, rewrite: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  const [least, greatest] = key.range ?? [0, Number.MAX_SAFE_INTEGER];
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw wrongType(key, position, key.default === '' ? 'an integer, or empty' : 'an integer');
  if (key.path === 'version' && number !== CONFIG_VERSION) {
    throw configFailure('config-version', { position, version: number, known: CONFIG_VERSION, rewrite });
  }
  if (number < least || number > greatest) throw wrongType(key, position, `from ${least} to ${greatest}`);
  return number;
}

function checkColumn(key: ConfigKey, name: unknown, position: string): string {
  const column = typeof name === 'string' ? parseColumn(name) : undefined;
  if (column === undefined) throw unknownColumn(key, position, name);
  return column;
}

function unknownColumn(key: ConfigKey, position: string, name: unknown): CliError {
  const text = typeof name === 'string' ? name : JSON.stringify(name);
  return configFailure('config-unknown-column', {
    position,
    key: key.path,
    name: text,
    columns: COLUMN_NAMES,
    near: nearNames(text, COLUMN_NAMES, 1)[0],
  });
}

function wrongType(key: ConfigKey, position: string, wanted: string): CliError {
  return configFailure('config-wrong-type', {
    position,
    key: key.path,
    wanted,
    doc: key.doc,
    default: key.default,
  });
}

function unknownKey(path: string, position: string): CliError {
  const keys = CONFIG_KEYS.map((key) => key.path);
  return configFailure('config-unknown-key', {
    position,
    key: path,
    keys,
    near: nearNames(path, keys, 1)[0],
  });
}
