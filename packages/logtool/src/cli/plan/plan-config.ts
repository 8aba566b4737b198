import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../settings/settings.ts';
import type { ConfigInitPlan, ConfigShowPlan } from './plans.ts';

export function planConfigInit({ env }: Pick<CliContext, 'env'>, raw: RawArguments): ConfigInitPlan {
  const settings = mergeSettings('config init', raw, env, undefined);
  // A default that the user did not give yields to the other flags.
  const isAsked = (name: 'path' | 'format') => settings.first(name) !== undefined;
  return {
    format: isAsked('format') ? settings.value('format') : undefined,
    path: isAsked('path') ? settings.value('path') : undefined,
    force: settings.value('force'),
    dryRun: settings.value('dry-run'),
  };
}

/**
 * The format belongs to the list of settings and is not a setting itself: neither a variable nor a file sets
 * it.
 */
export function planConfigShow({ env }: Pick<CliContext, 'env'>, raw: RawArguments): ConfigShowPlan {
  return { output: mergeSettings('config show', raw, env, undefined).value('output') };
}
