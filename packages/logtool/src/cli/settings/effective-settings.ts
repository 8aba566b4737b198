import { CONFIG_KEYS, type ConfigKey } from '../config-file/keys.ts';
import type { ConfigFile } from '../config-file/read.ts';
import { environmentName, type FlagUse, type SettingValue } from '../flags/flag.ts';
import { FLAGS, STORED_SETTINGS, type StoredSetting } from '../flags/table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One setting as it applies to the present command line. */
export interface EffectiveSetting {
  /** Key of the configuration file, else the variable's flag: `commands.logs.tail`, `--color`. */
  readonly key: string;
  /** A flag's or a variable's text, unparsed: commands check it when they use it. */
  readonly value: SettingValue;
  /** `default`, the path of the configuration file, or the name of the variable or of the flag. */
  readonly from: string;
}

/** Flags by their names, the last use counts. */
type Given = ReadonlyMap<string, readonly FlagUse[]>;

/** All keys of the configuration file, in its order, then what variables and flags set that have no key. */
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

/** What a flag of this line, else a variable, says. */
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
