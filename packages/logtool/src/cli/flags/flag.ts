import type { ColumnName } from '../../domain/columns.ts';
import type { CommandName, GlobalPlan, PathOf, Plans } from '../plan/plans.ts';

/** What a flag's value is. `bare`: the value that is meant when the flag is given without one. */
export type FlagValue =
  | { readonly kind: 'boolean' }
  /** A count; with `optional` a bare flag takes a following integer, and no other argument. */
  | { readonly kind: 'count'; readonly optional: boolean; readonly max?: number; readonly example?: number }
  | { readonly kind: 'bytes' }
  /** A length of time, as a value in milliseconds. */
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

/** The type of such a value, read and checked. */
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

/** What the values of a flag are, where they are known on the machine or to the cluster: what completion offers. */
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

/** A default, a value of the configuration file, or what a flag was given. */
export type SettingValue = string | number | boolean | readonly string[];

/** One flag of one or more commands. Parsing, help, environment variables and configuration keys follow from it. */
export interface Flag {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Commands that have it; `all` for global flags. */
  readonly commands: readonly CommandName[] | 'all';
  readonly group: FlagGroup;
  readonly value: FlagValue;
  /** The part of each command's plan that it sets. */
  readonly sets: string;
  /** The default value. Left out if there is none. */
  readonly default?: SettingValue;
  readonly doc: string;
  /** What `--no-NAME` does, of a switch that is on by default: help shows that form. */
  readonly negated?: string;
  /** What giving it twice does: the last one counts, or all of them do. */
  readonly repeats: 'last' | 'all';
  readonly suggests?: Suggestion;
  /** It can be set by an environment variable, `LOGTOOL_` and the name in capitals. */
  readonly env?: true;
  /** Its key in the configuration file, and its description there. */
  readonly config?: { readonly key: string; readonly doc: string };
  /** Other names that are accepted for it, as users of other tools type them. */
  readonly aliases?: readonly string[];
  /** Names that other tools have for it: an unknown flag of such a name gets this one suggested. */
  readonly otherNames?: readonly string[];
}

/** The parts that the plan of every one of these commands has: a parameter of all their functions takes no other. */
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

/** Shown in the compiler's message if a row is wrong. */
interface NotInThePlanOfEachCommand {
  readonly sets: never;
}
interface NotAValueOfThisFlag {
  readonly default: never;
}

/**
 * A row of the table of flags. It does not compile where it sets nothing, or something that the plan of one of its
 * commands does not have, or where its default is no value that the flag can have.
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

/** The flag of that long name, or of that alias. */
export function findFlag(flags: readonly Flag[], name: string): Flag | undefined {
  return flags.find((each) => each.name === name || each.aliases?.includes(name));
}

/** `LOGTOOL_MAX_LOG_REQUESTS`, or undefined when the flag has no variable. */
export function environmentName({ name, env }: Flag): string | undefined {
  return env ? `LOGTOOL_${name.toUpperCase().replaceAll('-', '_')}` : undefined;
}

/** A boolean that is on by default: the user writes its `--no-` form. */
export function isOnByDefault(row: Flag): boolean {
  return row.default === true;
}

/** One occurrence of a flag among the arguments. */
export interface FlagUse {
  /** The long form, for messages: `--tail`. */
  readonly written: string;
  /** Undefined for a bare flag whose value is optional. */
  readonly value: string | undefined;
}

/** Arguments of one command, separated but not yet interpreted. */
export interface RawArguments {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly flags: ReadonlyMap<string, readonly FlagUse[]>;
}
