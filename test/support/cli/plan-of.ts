import { parseCommandLine } from '@logtool/logtool/src/cli/flags/find-command.ts';
import { CliError } from '@logtool/logtool/src/cli/messages/cli-error.ts';
import type { LogsPlan } from '@logtool/logtool/src/cli/plan/logs/logs-plan.ts';
import { planLogs } from '@logtool/logtool/src/cli/plan/logs/plan-logs.ts';
import { type CaptureOptions, capture } from './capture.ts';

/** Returns the plan of `logtool logs ARGUMENTS`. */
export async function planOf(argv: readonly string[], options?: CaptureOptions): Promise<LogsPlan> {
  const { context } = capture([], options);
  return planLogs(context, parseCommandLine(['logs', ...argv]));
}

/** Returns the code of the arguments' usage error; `no error` if they make a valid plan. */
export async function codeOf(argv: readonly string[], options?: CaptureOptions): Promise<string> {
  try {
    await planOf(argv, options);
    return 'no error';
  } catch (error) {
    if (error instanceof CliError && error.exit === 'usage') return error.code;
    throw error;
  }
}
