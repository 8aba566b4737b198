import { CONFIG_KEYS, type ConfigKey } from '../config-file/keys.ts';
import type { ConfigFile } from '../config-file/read.ts';
import { environmentName, type FlagUse, type SettingValue } from '../flags/flag.ts';
import { FLAGS, STORED_SETTINGS, type StoredSetting } from '../flags/table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One setting in effect for the current command line. */
export interface EffectiveSetting {
  /** Key of the configuration file, else the flag of the variable: `commands.logs.tail`, `--color`. */
  readonly key: string;
  /** For a flag or a variable, the unparsed text: commands check it on use. */
  readonly value: SettingValue;
  /** `default`, the path of the configuration file, or the name of the variable or the flag. */
  readonly from: string;
}

/** Flags by name; the last use applies. */
type Given = ReadonlyMap<string, readonly FlagUse[]>;

/**
 * Lists all keys of the configuration file in order, then the settings of variables and flags without a key.
 */
export function effectiveSettings(
  env: Environment,
  config: ConfigFile,
  given: Given = new Map(),
): readonly EffectiveSetting[] {
  const keyed = CONFIG_KEYS.map((key) => effective(key, env, config, given));
  const counted = new Set<string | undefined>(CONFIG_KEYS.map(variableOf));
  const others = FLAGS.flatMap((flag): EffectiveSetting[] => {
    const variable = environmentName(flag);
    if (variable === undefined || counted.has(variable)) return [];
    const { value, from } = givenValue(flag.name, variable, env, given) ?? {};
    if (value === undefined || from === undefined) return [];
    counted.add(variable);
    return [{ key: `--${flag.name}`, value, from }];
  });
  return [...keyed, ...others];
}

/** Returns the value of a flag on this line, else of a variable. */
function givenValue(
  flag: string | undefined,
  variable: string | undefined,
  env: Environment,
  given: Given,
): { readonly value: string; readonly from: string } | undefined {
  const use = flag === undefined ? undefined : given.get(flag)?.at(-1);
  if (use !== undefined) return { value: use.value ?? 'true', from: `--${flag}` };
  const value = variable === undefined ? undefined : env[variable];
  return variable !== undefined && value ? { value, from: variable } : undefined;
}

function effective(key: ConfigKey, env: Environment, config: ConfigFile, given: Given): EffectiveSetting {
  const flag = FLAGS.find(({ config, env: has }) => config?.key === key.path && has === true);
  const asked = givenValue(flag?.name, variableOf(key), env, given);
  if (asked !== undefined) return { key: key.path, ...asked };
  const stored = config.values.get(key.path);
  if (stored !== undefined && stored !== '') return { key: key.path, value: stored, from: config.path };
  // kubectl's own variable applies if logtool has no setting.
  if (key.path === 'general.kubeconfig' && env.KUBECONFIG)
    return { key: key.path, value: env.KUBECONFIG, from: 'KUBECONFIG' };
  return { key: key.path, value: key.default, from: 'default' };
}

function variableOf(key: ConfigKey): string | undefined {
  const flag = FLAGS.find(({ config, env }) => config?.key === key.path && env === true);
  return flag === undefined
    ? STORED_SETTINGS.map((each): StoredSetting => each).find((each) => each.key === key.path)?.variable
    : environmentName(flag);
}
