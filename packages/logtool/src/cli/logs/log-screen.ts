import { readSources } from '../../resolve/sources/read-sources.ts';
import type { CliContext } from '../context.ts';
import { LogProgress } from '../output/progress/log-progress.ts';
import { StatusLine } from '../output/progress/status-line.ts';
import type { LogsPlan } from '../plan/logs/logs-plan.ts';

/** Where `logs` writes records and messages, and the line that shows what it is waiting for. */
export interface LogScreen {
  readonly status: StatusLine;
  readonly progress: LogProgress;
  /** Its streams erase the status line before they write. */
  readonly context: CliContext;
}

/**
 * Creates a line that shows what `logs` is waiting for before it reads, and a context whose streams erase it
 * before they write.
 */
export function statusOf(
  context: CliContext,
  { output }: Pick<LogsPlan, 'output'>,
): Pick<LogScreen, 'status' | 'context'> {
  const { stderr, clock, env } = context;
  const status = new StatusLine(stderr, { clock, env, quiet: output.quiet });
  return { status, context: status.guardBoth(context) };
}

/** Starts by showing that it is connecting. Throws the usage error of a wrong source. */
export function screenOf(
  outer: CliContext,
  plan: LogsPlan,
  { status, context } = statusOf(outer, plan),
): LogScreen {
  const sources = readSources(plan.source).specs.map(({ argument }) => argument);
  const progress = new LogProgress(status, sources, !outer.stdout.isTTY);
  progress.begin('connecting');
  return { status, progress, context };
}
