/** What a flag's value is. `bare`: the value that is meant when the flag is given without one. */
export type FlagValue =
  | { readonly kind: 'boolean' }
  /** A count; with `optional` a bare flag takes a following integer, and no other argument. */
  | { readonly kind: 'count'; readonly optional: boolean }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'text'; readonly placeholder: string }
  | { readonly kind: 'list'; readonly placeholder: string; readonly choices?: readonly string[] }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly bare?: string };

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

/** One flag of one or more commands. Parsing, help, environment variables and configuration keys follow from it. */
export interface Flag {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Commands that have it; `all` for global flags. */
  readonly commands: readonly string[] | 'all';
  readonly group: FlagGroup;
  readonly value: FlagValue;
  /** As help shows it. Left out where not giving the flag is no value at all. */
  readonly default?: string;
  readonly doc: string;
  /** What `--no-NAME` does, of a switch that is on by default: help shows that form. */
  readonly negated?: string;
  /** What giving it twice does: the last one counts, or all of them do. */
  readonly repeats: 'last' | 'all';
  readonly suggests?: Suggestion;
  /** It can be set by an environment variable, `LOGTOOL_` and the name in capitals. */
  readonly env?: true;
  /** Key of the configuration file (config-file/keys.ts). */
  readonly configKey?: string;
  /** Other names that are accepted for it, as users of other tools type them. */
  readonly aliases?: readonly string[];
  /** Names that other tools have for it: an unknown flag of such a name gets this one suggested. */
  readonly otherNames?: readonly string[];
}

/** The flag of that long name, or of that alias. */
export function findFlag(flags: readonly Flag[], name: string): Flag | undefined {
  return flags.find((flag) => flag.name === name || flag.aliases?.includes(name));
}

/** `LOGTOOL_MAX_LOG_REQUESTS`, or undefined when the flag has no variable. */
export function environmentName(flag: Flag): string | undefined {
  return flag.env ? `LOGTOOL_${flag.name.toUpperCase().replaceAll('-', '_')}` : undefined;
}

/** A boolean that counts as given: what a person writes is its `--no-` form. */
export function isOnByDefault({ value, default: standard }: Flag): boolean {
  return value.kind === 'boolean' && standard === 'true';
}

/** One occurrence of a flag among the arguments. */
export interface FlagUse {
  /** The long form, for messages: `--tail`. */
  readonly written: string;
  /** Undefined for a bare flag whose value is optional. */
  readonly value: string | undefined;
}

/** Arguments of one command, told apart but not yet understood. */
export interface RawArguments {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly flags: ReadonlyMap<string, readonly FlagUse[]>;
}
