import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { planConnection } from '../plan-connection.ts';
import type { LogsPlan } from './logs-plan.ts';
import { planCount } from './plan-count.ts';
import { planFilter } from './plan-filter.ts';
import { planOutput } from './plan-output.ts';
import { planSource } from './plan-source.ts';
import { planWindow } from './plan-window.ts';

/** Makes the plan from raw arguments, environment and configuration file. Throws usage errors. */
export async function planLogs(
  context: Pick<CliContext, 'env' | 'clock' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<LogsPlan> {
  const settings = await loadSettings(context, 'logs', raw);
  const { window, countIsDefault } = planWindow(settings, context.clock);
  const filter = await planFilter(settings, window);
  const output = await planOutput(settings);
  const limitBytes = settings.value('limit-bytes') || undefined;
  const count = planCount(settings, window);
  return {
    connection: planConnection(settings, context),
    source: planSource(settings, raw.positionals, output),
    engine: {
      window,
      filter,
      maxLogRequests: planMaxLogRequests(settings),
      searchLimitBytes: settings.value('search-limit'),
      cursors: output.cursors,
      // Bytes that are copied unchanged are not counted.
      raw: output.format === 'raw' && limitBytes === undefined,
    },
    output,
    limitBytes,
    countIsDefault,
    events: planEvents(settings, output),
    ...planBackend(settings),
    failEmpty: settings.value('fail-empty'),
    count,
  };
}

/**
 * Plans which facts to show. Facts are rows, which raw output and counts do not have. A variable applies to
 * all commands, so it yields to these flags.
 */
function planEvents(settings: Settings<'logs'>, { format }: LogsPlan['output']): LogsPlan['events'] {
  const events = settings.value('events');
  if (events === 'none' || (format !== 'raw' && !settings.value('count'))) return events;
  const given = settings.given('events');
  if (given === undefined) return 'none';
  throw usageFailure('events-with-raw', {
    written: given.written,
    raw: settings.first('raw')?.written ?? '--raw',
  });
}

/** An agent reads the rotated files of its node in any case. */
function planBackend(settings: Settings<'logs'>): Pick<LogsPlan, 'rotated' | 'backend'> {
  const backend = settings.value('backend');
  const rotated = planRotated(settings);
  if (backend === 'api' || rotated === 'no') return { backend, rotated };
  const written = settings.first('rotated')?.written ?? '--rotated';
  throw usageFailure('backend-with-rotated', {
    backend: settings.first('backend')?.written ?? '--backend',
    rotated: written,
  });
}

/** Nothing is written to a rotated file any more. */
function planRotated(settings: Settings<'logs'>): LogsPlan['rotated'] {
  const rotated = settings.value('rotated');
  if (rotated !== 'only' || !settings.value('follow')) return rotated;
  const follow = settings.first('follow')?.written ?? '--follow';
  const written = settings.first('rotated')?.written ?? '--rotated';
  throw usageFailure('follow-with-rotated', { follow, rotated: written });
}

function planMaxLogRequests(settings: Settings<'logs'>): number {
  const count = settings.value('max-log-requests');
  if (count > 0) return count;
  const setting = settings.first('max-log-requests') ?? { value: '0', written: '--max-log-requests' };
  throw badValue('count-zero', setting, {});
}
