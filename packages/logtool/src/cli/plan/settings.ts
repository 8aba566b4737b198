import type { ConfigFile } from '../config-file/read.ts';
import { environmentName, type FlagUse, type RawArguments } from '../flags/flag.ts';
import { flagsOf } from '../flags/table.ts';

/** A value and where it came from, in the words of the person who gave it. */
export interface Setting {
  /** Undefined for a flag that was given without its optional value. */
  readonly value: string | undefined;
  /** `--tail`, `LOGTOOL_TAIL`, `commands.logs.tail in /home/ada/.logtool/config.yaml`. */
  readonly written: string;
}

/** Flags, environment and configuration file as one, by the names of the flags. */
export interface Settings {
  /** The flag itself, last use; undefined when it was not given. */
  given(name: string): FlagUse | undefined;
  /** Uses of a flag that may be repeated, in order. */
  allGiven(name: string): readonly FlagUse[];
  /** Environment, else configuration file: what counts where the flag says nothing. Empty values are no values. */
  fallback(name: string): Setting | undefined;
  /** A key of the configuration file that no flag of the command has. Empty values are no values. */
  stored(key: string): Setting | undefined;
  /** Flag, else environment, else file. */
  first(name: string): Setting | undefined;
}

/** Precedence: flag, then environment, then configuration file; the default is the caller's. */
export function mergeSettings(
  raw: RawArguments,
  env: Readonly<Record<string, string | undefined>>,
  config: ConfigFile | undefined,
): Settings {
  const flags = flagsOf(raw.command);
  const storedValue = (key: string): Setting | undefined => {
    const value = config?.values.get(key);
    if (value === undefined || value === '') return undefined;
    return { value: String(value), written: `${key} in ${config?.path}` };
  };
  const fallback = (name: string): Setting | undefined => {
    const flag = flags.find((each) => each.name === name);
    if (flag === undefined) return undefined;
    const variable = environmentName(flag);
    const value = variable === undefined ? undefined : env[variable];
    if (variable !== undefined && value !== undefined && value !== '') return { value, written: variable };
    return flag.configKey === undefined ? undefined : storedValue(flag.configKey);
  };
  const given = (name: string) => raw.flags.get(name)?.at(-1);
  return {
    given,
    allGiven: (name) => raw.flags.get(name) ?? [],
    fallback,
    stored: storedValue,
    first: (name) => given(name) ?? fallback(name),
  };
}
