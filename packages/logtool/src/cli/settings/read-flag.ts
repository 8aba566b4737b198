import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { COLUMN_NAMES, type ColumnName, parseColumn } from '../../domain/columns.ts';
import { parseDuration } from '../../domain/duration.ts';
import type { Flag, SettingValue } from '../flags/flag.ts';
import { badValue } from '../messages/errors.ts';
import type { Setting } from './setting.ts';
import { readBoolean, readBytes, readChoice, readCount, readText, splitList } from './values.ts';

/**
 * Reads the value of a flag: from its uses, else from the environment or the configuration file, else its
 * default. Undefined for a command without the flag. Throws usage errors.
 */
export function readFlag(
  row: Flag | undefined,
  uses: readonly Setting[],
  fallback: Setting | undefined,
): SettingValue | undefined {
  if (row === undefined) return undefined;
  const { value, default: standard } = row;
  const setting = uses.at(-1) ?? fallback;
  const read = (as: (setting: Setting) => SettingValue) => (setting === undefined ? standard : as(setting));
  switch (value.kind) {
    case 'boolean':
      return read(readBoolean) ?? false;
    case 'count':
      return readCountOf(value.example, setting, fallback) ?? standard;
    case 'bytes':
      return read(readBytes);
    case 'duration':
      return read(readDuration);
    case 'choice':
      return read((each) => readChoiceOf(value, each));
    case 'text':
      if (row.repeats === 'all')
        return allOf(uses, fallback)?.map((use) => use.value ?? '') ?? listOf(standard);
      return read((each) => readText(each, value.example ?? value.placeholder));
    case 'list':
      return readList(uses, fallback, value) ?? standard ?? [];
    case 'columns':
      return allOf(uses, fallback)?.flatMap(readColumns) ?? standard ?? [];
  }
}

const listOf = (standard: SettingValue | undefined) => (standard === undefined ? [] : [String(standard)]);

/** Without a number, the flag means the value that applies without the flag. */
function readCountOf(
  example: number | undefined,
  setting: Setting | undefined,
  fallback: Setting | undefined,
): number | undefined {
  const named = setting?.value === undefined ? fallback : setting;
  return named === undefined ? undefined : readCount(named, example);
}

function readChoiceOf(
  { choices, bare, aliases }: Extract<Flag['value'], { kind: 'choice' }>,
  setting: Setting,
): string {
  return setting.value === undefined && bare !== undefined ? bare : readChoice(setting, choices, aliases);
}

/** Returns all uses of a flag, else its other source. */
function allOf(uses: readonly Setting[], fallback: Setting | undefined): readonly Setting[] | undefined {
  if (uses.length > 0) return uses;
  return fallback === undefined ? undefined : [fallback];
}

/**
 * Reads comma-separated values of all uses of a flag. Each use must have a value; skips empty parts between
 * commas.
 */
function readList(
  uses: readonly Setting[],
  fallback: Setting | undefined,
  { choices, aliases }: Extract<Flag['value'], { kind: 'list' }>,
): readonly string[] | undefined {
  const items = allOf(uses, fallback)?.flatMap((setting) =>
    splitList(setting).map((value) => ({ value, written: setting.written })),
  );
  if (items === undefined) return undefined;
  const read = choices === undefined ? undefined : choices;
  return [
    ...new Set(
      items.map((item) =>
        read === undefined ? item.value : readChoice(item, read, aliases, read.slice(1, 3).join(',')),
      ),
    ),
  ];
}

/** Reads names of columns, ignoring case. */
export function readColumns(setting: Setting): readonly ColumnName[] {
  return (setting.value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => readColumn({ value: name, written: setting.written }));
}

function readColumn(setting: Setting): ColumnName {
  const text = setting.value ?? '';
  const column = parseColumn(text);
  if (column !== undefined) return column;
  throw badValue('unknown-column', setting, {
    columns: COLUMN_NAMES,
    near: nearNames(text, COLUMN_NAMES, 1)[0],
  });
}

/** Reads a duration in milliseconds. */
function readDuration(setting: Setting): number {
  const parsed = parseDuration(setting.value ?? '');
  if (parsed.kind === 'duration')
    return parsed.duration.seconds * 1000 + Math.floor(parsed.duration.nanos / 1e6);
  throw badValue('bad-duration', setting, { examples: ['5m', '90s'] });
}
