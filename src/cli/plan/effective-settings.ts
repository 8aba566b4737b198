import { CONFIG_KEYS, type ConfigKey } from '../config-file/keys.ts';
import type { ConfigFile } from '../config-file/read.ts';
import { environmentName } from '../flags/flag.ts';
import { FLAGS } from '../flags/table.ts';

type Value = string | number | boolean | readonly string[];
type Environment = Readonly<Record<string, string | undefined>>;

/** One setting as it counts where no flag says otherwise. */
export interface EffectiveSetting {
  /** Key of the configuration file, else the flag that the variable stands for: `commands.logs.tail`, `--color`. */
  readonly key: string;
  /** A text as it was given where it comes from a variable: commands check it when they use it. */
  readonly value: Value;
  /** `default`, the path of the configuration file, or the name of the variable. */
  readonly from: string;
}

/** Variables that count for a key although no flag of that name has it. */
const OTHER_VARIABLES: Readonly<Record<string, string>> = { 'cluster.repo-url': 'LOGTOOL_CHART_REPO' };

/** All keys of the configuration file, in its order, then what variables set that have no key. */
export function effectiveSettings(env: Environment, config: ConfigFile): readonly EffectiveSetting[] {
  const keyed = CONFIG_KEYS.map((key) => effective(key, env, config));
  const counted = new Set(keyed.map(({ from }) => from));
  const others = FLAGS.flatMap((flag): EffectiveSetting[] => {
    const from = environmentName(flag);
    const value = from === undefined ? '' : (env[from] ?? '');
    if (from === undefined || value === '' || counted.has(from)) return [];
    counted.add(from);
    return [{ key: `--${flag.name}`, value, from }];
  });
  return [...keyed, ...others];
}

function effective(key: ConfigKey, env: Environment, config: ConfigFile): EffectiveSetting {
  const variable = variableOf(key);
  const given = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && given) return { key: key.path, value: given, from: variable };
  const stored = config.values.get(key.path);
  if (stored !== undefined && stored !== '') return { key: key.path, value: stored, from: config.path };
  // kubectl's own variable counts where logtool is told nothing.
  if (key.path === 'general.kubeconfig' && env.KUBECONFIG)
    return { key: key.path, value: env.KUBECONFIG, from: 'KUBECONFIG' };
  return { key: key.path, value: key.default, from: 'default' };
}

function variableOf(key: ConfigKey): string | undefined {
  const flag = FLAGS.find(({ configKey, env }) => configKey === key.path && env === true);
  return flag === undefined ? OTHER_VARIABLES[key.path] : environmentName(flag);
}
