import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../settings/settings.ts';
import { readText } from '../settings/values.ts';
import type { ProgramPlan } from './plans.ts';

/** Reads the global flags. Checks each on first use: a wrong one must not prevent help. */
export function planProgram({ env }: Pick<CliContext, 'env'>, raw: RawArguments): ProgramPlan {
  const settings = mergeSettings('', raw, env, undefined);
  return {
    get help() {
      return settings.value('help');
    },

    get version() {
      return settings.value('version');
    },

    get debug() {
      return settings.value('debug');
    },

    get configFile() {
      const asked = settings.first('config');
      return asked && readText(asked, 'FILE');
    },
  };
}
