import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../settings/settings.ts';
import type { VersionPlan } from './plans.ts';

/** For other commands, `--version` has no further flags. */
export function planVersion({ env }: Pick<CliContext, 'env'>, raw: RawArguments): VersionPlan {
  if (raw.command !== 'version') return { licenses: false };
  return { licenses: mergeSettings('version', raw, env, undefined).value('licenses') };
}
