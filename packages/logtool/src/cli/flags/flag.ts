import type { ColumnName } from '../../domain/columns.ts';
import type { CommandName, GlobalPlan, PathOf, Plans } from '../plan/plans.ts';

/** The kind of a flag's value. `bare`: the value of a flag given without one. */
export type FlagValue =
  | { readonly kind: 'boolean' }
  /** A count; with `optional`, a bare flag takes a following integer, and no other argument. */
  | { readonly kind: 'count'; readonly optional: boolean; readonly max?: number; readonly example?: number }
  | { readonly kind: 'bytes' }
  /** A duration; the value is in milliseconds. */
  | { readonly kind: 'duration' }
  | { readonly kind: 'text'; readonly placeholder: string; readonly example?: string }
  | {
      readonly kind: 'list';
      readonly placeholder: string;
      readonly choices?: readonly string[];
      /** Other words for a choice. */
      readonly aliases?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'columns' }
  | {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      readonly bare?: string;
      readonly aliases?: Readonly<Record<string, string>>;
    };

/** The type of a flag's value, read and checked. */
type ValueOf<V extends FlagValue> = V extends { readonly kind: 'boolean' }
  ? boolean
  : V extends { readonly kind: 'count' | 'bytes' | 'duration' }
    ? number
    : V extends { readonly kind: 'columns' }
      ? readonly ColumnName[]
      : V extends { readonly kind: 'list'; readonly choices: readonly (infer T)[] }
        ? readonly T[]
        : V extends { readonly kind: 'list' }
          ? readonly string[]
          : V extends { readonly kind: 'choice'; readonly choices: readonly (infer T)[] }
            ? T
            : string;

export type FlagGroup =
  | 'Sources'
  | 'Window'
  | 'Filters'
  | 'Output'
  | 'Cluster'
  | 'General'
  | 'Options'
  | 'Release'
  | 'Chart'
  | 'Server';

/** The source of a flag's values, if the machine or the cluster knows them; completion offers these. */
export type Suggestion =
  | 'files'
  | 'contexts'
  | 'namespaces'
  | 'nodes'
  | 'pods'
  | 'containers'
  | 'regions'
  | 'zones'
  | 'os'
  | 'arch'
  | 'releases'
  | 'revisions'
  | 'labels'
  | 'chart-versions'
  | 'time-zones';

/** Sections of the configuration file, in its order. */
export const CONFIG_SECTIONS = [
  'general',
  'commands.logs',
  'commands.serve',
  'cluster',
  'dashboard',
] as const;

/** The path of a key in one of them: `commands.logs.tail`. */
export type ConfigPath = `${(typeof CONFIG_SECTIONS)[number]}.${string}`;

/** A default, a value of the configuration file, or a flag's value. */
export type SettingValue = string | number | boolean | readonly string[];

/**
 * One flag of one or more commands. Parsing, help, environment variables and configuration keys are derived
 * from it.
 */
export interface Flag {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Commands with this flag; `all` for global flags. */
  readonly commands: readonly CommandName[] | 'all';
  readonly group: FlagGroup;
  readonly value: FlagValue;
  /** The part of each command's plan that the flag sets. */
  readonly sets: string;
  /** The default value; absent if there is none. */
  readonly default?: SettingValue;
  readonly doc: string;
  /** For a switch that is on by default: what `--no-NAME` does. Help shows that form. */
  readonly negated?: string;
  /** If given several times, whether the last value or all values apply. */
  readonly repeats: 'last' | 'all';
  readonly suggests?: Suggestion;
  /** An environment variable can set it: `LOGTOOL_` and the name in capitals. */
  readonly env?: true;
  /** Its key in the configuration file, with a description. */
  readonly config?: { readonly key: ConfigPath; readonly doc: string };
  /** Other names that logtool accepts for it, because users of other tools type them. */
  readonly aliases?: readonly string[];
  /** Names of this flag in other tools: for an unknown flag of such a name, logtool suggests this one. */
  readonly otherNames?: readonly string[];
}

/** The parts that the plans of all these commands share. */
type CommonPath<C extends CommandName> = (
  C extends CommandName
    ? (path: PathOf<Plans[C]>) => void
    : never
) extends (path: infer P) => void
  ? P
  : never;

/** What a flag of these commands may set. */
type Settable<F extends Flag> = F['commands'] extends readonly (infer C extends CommandName)[]
  ? CommonPath<C>
  : PathOf<GlobalPlan>;

/** The compiler's message shows this if a row is wrong. */
interface NotInThePlanOfEachCommand {
  readonly sets: never;
}
interface NotAValueOfThisFlag {
  readonly default: never;
}

/**
 * Defines a row of the table of flags. It does not compile if it sets nothing, or something that the plan of
 * one of its commands lacks, or if its default is not a valid value of the flag.
 */
export function flag<const F extends Flag>(
  row: F & {
    readonly sets: Settable<F> | NotInThePlanOfEachCommand;
    readonly default?: ValueOf<F['value']> | NotAValueOfThisFlag;
  },
): F {
  return row;
}

/**
 * The value of a flag after reading: a list may be empty; a switch is off if it is not given and has no
 * default.
 */
export type ReadValue<F extends Flag> = F extends {
  readonly repeats: 'all';
  readonly value: { readonly kind: 'text' };
}
  ? readonly string[]
  : F extends { readonly value: { readonly kind: 'boolean' | 'list' | 'columns' } }
    ? ValueOf<F['value']>
    : F extends { readonly default: SettingValue }
      ? ValueOf<F['value']>
      : ValueOf<F['value']> | undefined;

/** Finds the flag with this long name or alias. */
export function findFlag(flags: readonly Flag[], name: string): Flag | undefined {
  return flags.find((each) => each.name === name || each.aliases?.includes(name));
}

/** Returns `LOGTOOL_MAX_LOG_REQUESTS`; undefined if the flag has no variable. */
export function environmentName({ name, env }: Flag): string | undefined {
  return env ? `LOGTOOL_${name.toUpperCase().replaceAll('-', '_')}` : undefined;
}

/** Whether the flag is a boolean that is on by default: the user writes its `--no-` form. */
export function isOnByDefault(row: Flag): boolean {
  return row.default === true;
}

/** One occurrence of a flag among the arguments. */
export interface FlagUse {
  /** The long form, for messages: `--tail`. */
  readonly written: string;
  /** Undefined for a bare flag with an optional value. */
  readonly value: string | undefined;
}

/** Arguments of one command, separated but not yet interpreted. */
export interface RawArguments {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly flags: ReadonlyMap<string, readonly FlagUse[]>;
}
