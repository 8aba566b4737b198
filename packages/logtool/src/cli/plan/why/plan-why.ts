import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { readStart } from '../logs/bounds.ts';
import { readTimezone } from '../logs/plan-output.ts';
import { planWholeSource } from '../logs/plan-source.ts';
import { planConnection } from '../plan-connection.ts';
import type { WhyPlan } from './why-plan.ts';

/** Makes the plan from raw arguments, environment and configuration file. Throws usage errors. */
export async function planWhy(
  context: Pick<CliContext, 'env' | 'clock' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<WhyPlan> {
  const settings = await loadSettings(context, 'why', raw);
  return {
    connection: planConnection(settings, context),
    source: planWholeSource(settings, raw.positionals),
    query: { from: readStart(settings, timestampFromMs(context.clock.now())) },
    output: {
      format: settings.value('output'),
      color: settings.value('color'),
      timezone: readTimezone(settings),
    },
  };
}
