import type { SourcePlan } from '../../resolve/resolve.ts';
import type { EnginePlan } from '../../stream/engine.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { type ConnectionPlan, planConnection } from './connection.ts';
import { planFilter } from './filter.ts';
import { loadSettings } from './load-settings.ts';
import { type OutputPlan, planOutput } from './output.ts';
import { planSource } from './source.ts';
import { badValue, readBoolean, readBytes, readCount } from './values.ts';
import { planWindow } from './window.ts';

/** All that `logs` was asked to do: complete, checked, and changed by nothing afterwards. */
export interface LogsPlan {
  readonly connection: ConnectionPlan;
  readonly source: SourcePlan;
  readonly engine: EnginePlan;
  readonly output: OutputPlan;
  /** Bytes of messages that are shown of each container; undefined: all. */
  readonly limitBytes: number | undefined;
  /** Nobody named a number of records. */
  readonly countIsDefault: boolean;
  /** A result without a record is a failure. */
  readonly failEmpty: boolean;
}

const DEFAULT_LOG_REQUESTS = 100;
const DEFAULT_SEARCH_LIMIT_BYTES = 2 ** 30;

/** From raw arguments, environment and configuration file to the plan. Throws usage errors. */
export async function planLogs(
  context: Pick<CliContext, 'env' | 'clock' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<LogsPlan> {
  const settings = await loadSettings(context, raw);
  const { window, countIsDefault } = planWindow(settings, context.clock);
  const filter = await planFilter(settings);
  const output = await planOutput(settings);
  const requests = settings.first('max-log-requests');
  const limit = settings.first('search-limit');
  const bytes = settings.first('limit-bytes');
  const limitBytes = bytes === undefined ? undefined : readBytes(bytes) || undefined;
  return {
    connection: planConnection(settings, context),
    source: planSource(settings, raw.positionals, output),
    engine: {
      window,
      filter,
      maxLogRequests: requests === undefined ? DEFAULT_LOG_REQUESTS : readPositive(requests),
      searchLimitBytes: limit === undefined ? DEFAULT_SEARCH_LIMIT_BYTES : readBytes(limit),
      cursors: output.cursors,
      // Bytes that are copied straight through are not counted.
      raw: output.format === 'raw' && limitBytes === undefined,
    },
    output,
    limitBytes,
    countIsDefault,
    failEmpty: readBoolean(settings, 'fail-empty'),
  };
}

function readPositive(setting: { readonly value: string | undefined; readonly written: string }): number {
  const count = readCount(setting);
  if (count > 0) return count;
  throw badValue('count-zero', setting, 'with 0 nothing could be read', `write ${setting.written}=1 or more`);
}
