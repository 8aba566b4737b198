import { readSources } from '../../resolve/read-sources.ts';
import type { CliContext } from '../context.ts';
import { LogProgress } from '../output/log-progress.ts';
import { StatusLine } from '../output/status-line.ts';
import type { LogsPlan } from '../plan/logs-plan.ts';

/** Where `logs` writes records and messages, and the line that says what it waits for. */
export interface LogScreen {
  readonly status: StatusLine;
  readonly progress: LogProgress;
  /** Its streams erase the status line before they write. */
  readonly context: CliContext;
}

/** Begins with waiting for the connection. Throws the usage error of a source that is wrong. */
export function screenOf(context: CliContext, { source, output }: LogsPlan): LogScreen {
  const sources = readSources(source).specs.map(({ argument }) => argument);
  const { stdout, stderr, clock, env } = context;
  const status = new StatusLine(stderr, { clock, env, quiet: output.quiet });
  const progress = new LogProgress(status, sources, !stdout.isTTY);
  progress.begin('connecting');
  return {
    status,
    progress,
    context: { ...context, stdout: status.guard(stdout), stderr: status.guard(stderr) },
  };
}
