import type { ConfigFile } from '../config-file/read.ts';
import { environmentName, type FlagUse, type RawArguments } from '../flags/flag.ts';
import { type FlagName, type FlagResult, flagsOf, STORED_SETTINGS } from '../flags/table.ts';
import type { CommandName } from '../plan/plans.ts';
import { readFlag } from './read-flag.ts';
import type { Setting } from './setting.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type StoredKey = (typeof STORED_SETTINGS)[number]['key'];

/**
 * Merges flags, environment and configuration file, by the names of the flags of a command, or of several
 * that share a part of their plans. `''` is the program without a command.
 */
export interface Settings<C extends CommandName | ''> {
  /**
   * Returns the value, read and checked: flag, else environment, else file, else default. Throws usage
   * errors.
   */
  value<N extends FlagName<C>>(name: N): FlagResult<C, N>;
  /** Returns the last use of the flag; undefined if the user did not give it. */
  given(name: FlagName<C>): FlagUse | undefined;
  /** Returns all uses of a flag, in order. */
  allGiven(name: FlagName<C>): readonly FlagUse[];
  /**
   * Returns the value if the flag is not given: environment, else configuration file. Ignores empty values.
   */
  fallback(name: FlagName<C>): Setting | undefined;
  /** Returns flag, else environment, else file; undefined if the default applies. */
  first(name: FlagName<C>): Setting | undefined;
  /** Returns a setting without a flag: environment, else configuration file. Ignores empty values. */
  stored(key: StoredKey): Setting | undefined;
  /** Whether the value comes from the configuration file. */
  isFromFile(name: FlagName<C>): boolean;
}

/** Precedence: flag, then environment, then configuration file, then the default of the table. */
export function mergeSettings<C extends CommandName | ''>(
  command: C,
  given: Pick<RawArguments, 'flags'>,
  env: Environment,
  config: ConfigFile | undefined,
): Settings<C> {
  const rows = new Map(flagsOf(command).map((row) => [row.name, row]));
  const fromEnvironment = (variable: string | undefined): Setting | undefined => {
    const value = variable === undefined ? undefined : env[variable];
    return variable === undefined || value === undefined || value === ''
      ? undefined
      : { value, written: variable };
  };
  const fromFile = (key: string | undefined): Setting | undefined => {
    const value = key === undefined ? undefined : config?.values.get(key);
    if (value === undefined || value === '') return undefined;
    return { value: String(value), written: `${key} in ${config?.path}` };
  };
  const usesOf = (name: string) => given.flags.get(name) ?? [];
  const last = (name: string) => usesOf(name).at(-1);
  const fallback = (name: string) => {
    const row = rows.get(name);
    return row && (fromEnvironment(environmentName(row)) ?? fromFile(row.config?.key));
  };
  return {
    // The type follows from the row with this name.
    value: <N extends FlagName<C>>(name: N) =>
      readFlag(rows.get(name), usesOf(name), fallback(name)) as FlagResult<C, N>,
    given: last,
    allGiven: usesOf,
    fallback,
    first: (name) => last(name) ?? fallback(name),
    stored: (key) => {
      const row = STORED_SETTINGS.find((each) => each.key === key);
      return row && (fromEnvironment('variable' in row ? row.variable : undefined) ?? fromFile(key));
    },
    isFromFile: (name) => {
      const row = rows.get(name);
      const isUnset = last(name) === undefined && row && fromEnvironment(environmentName(row)) === undefined;
      return isUnset === true && fromFile(row?.config?.key) !== undefined;
    },
  };
}
