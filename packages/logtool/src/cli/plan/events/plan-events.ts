import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Severity } from '../../../domain/facts/fact.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { usageFailure } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { readRange } from '../logs/bounds.ts';
import { readTimezone } from '../logs/plan-output.ts';
import { planWholeSource } from '../logs/plan-source.ts';
import { planConnection } from '../plan-connection.ts';
import type { EventsPlan } from './events-plan.ts';

/** Makes the plan from raw arguments, environment and configuration file. Throws usage errors. */
export async function planEvents(
  context: Pick<CliContext, 'env' | 'clock' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<EventsPlan> {
  const settings = await loadSettings(context, 'events', raw);
  return {
    connection: planConnection(settings, context),
    source: planWholeSource(settings, raw.positionals),
    query: planQuery(settings, context),
    severities: severitiesOf(settings.value('types')),
    output: {
      format: settings.value('output'),
      header: !settings.value('hide-header'),
      color: settings.value('color'),
      timezone: readTimezone(settings),
    },
  };
}

function planQuery(settings: Settings<'events'>, { clock }: Pick<CliContext, 'clock'>): EventsPlan['query'] {
  const follow = settings.value('follow');
  const end = settings.given('until');
  if (follow && end !== undefined)
    throw usageFailure('follow-with-end', {
      follow: settings.given('follow')?.written ?? '--follow',
      end: end.written,
    });
  return { follow, ...readRange(settings, timestampFromMs(clock.now())) };
}

/** For the cluster, a fatal fact is a warning, too. */
function severitiesOf(types: readonly ('Normal' | 'Warning')[]): readonly Severity[] {
  if (types.length === 0) return ['normal', 'warning', 'fatal'];
  return types.flatMap((type) =>
    type === 'Normal' ? (['normal'] as const) : (['warning', 'fatal'] as const),
  );
}
