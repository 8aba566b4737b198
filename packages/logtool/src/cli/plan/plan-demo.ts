import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { mergeSettings } from '../settings/settings.ts';
import { planPort } from './plan-port.ts';
import type { DemoPlan } from './plans.ts';

export function planDemo({ env }: Pick<CliContext, 'env'>, raw: RawArguments): DemoPlan {
  const settings = mergeSettings('demo', raw, env, undefined);
  return {
    scenario: settings.value('scenario'),
    follow: settings.value('follow'),
    skipOpen: settings.value('skip-open'),
    ...planPort(settings),
  };
}
