import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { findCommand } from './commands/commands.ts';
import { loadCommand } from './commands/load-command.ts';
import { isCompletion } from './completion/is-completion.ts';
import type { CliContext } from './context.ts';
import { type ExitCode, exitCodeOf, Stop } from './exit-codes.ts';
import { parseCommandLine } from './flags/find-command.ts';
import type { RawArguments } from './flags/flag.ts';
import { flagsOf } from './flags/table.ts';
import type { CliError } from './messages/cli-error.ts';
import { commandFailure, usageFailure, withMessage } from './messages/errors.ts';
import { debugText, errorText } from './output/error-text.ts';
import { planProgram } from './plan/plan-program.ts';
import type { ProgramPlan } from './plan/plans.ts';
import { namedAs } from './program-name.ts';

/** Runs the program once. Never throws; all output is written when it resolves. */
export async function run(context: CliContext): Promise<ExitCode> {
  if (isCompletion(context.argv)) return (await import('./completion/complete.ts')).complete(context);
  let debug = !/^(|0|false)$/i.test(context.env.LOGTOOL_DEBUG ?? '') || context.argv.includes('--debug');
  try {
    const raw = parseCommandLine(context.argv);
    const plan = planProgram(context, raw);
    debug = plan.debug;
    return await dispatch(context, raw, plan);
  } catch (error) {
    if (context.signal.aborted && context.signal.reason instanceof Stop)
      return context.signal.reason.exitCode;
    if (debug) await context.stderr.write(debugText(error));
    const shown = await withMessage(error instanceof CodedError ? error : unexpected(error));
    await context.stderr.write(namedAs(errorText(shown), context.program));
    return exitCodeOf(shown);
  }
}

async function dispatch(context: CliContext, raw: RawArguments, plan: ProgramPlan): Promise<ExitCode> {
  if (plan.help) return showHelp(context, raw.command);
  if (!takesVersion(raw.command) && plan.version)
    return (await import('./commands/version.ts')).version(context, raw);
  const command = findCommand(raw.command);
  if (command === undefined) {
    if (raw.command !== '') throw needsSubcommand(raw.command);
    return showHelp(context, '');
  }
  if (raw.positionals.length > command.maxOperands) throw unexpectedOperand(raw, command.maxOperands);
  const runCommand = await loadCommand[command.name]();
  return runCommand(context, raw);
}

/** For a command with its own `--version` flag, `--version` is that flag. */
function takesVersion(command: string): boolean {
  return flagsOf(command).find(({ name }) => name === 'version')?.value.kind === 'text';
}

async function showHelp(context: CliContext, name: string): Promise<ExitCode> {
  const { help } = await import('./commands/help.ts');
  return help(context, { command: 'help', positionals: name === '' ? [] : [name], flags: new Map() });
}

function needsSubcommand(name: string): CliError {
  return usageFailure('needs-subcommand', { name });
}

function unexpectedOperand(raw: RawArguments, max: number): CliError {
  const operand = raw.positionals[max] ?? '';
  return usageFailure('unexpected-argument', { command: raw.command, operand, max });
}

/** A bug in this program, or a failure without a message of its own. */
function unexpected(error: unknown): CliError {
  return commandFailure('unexpected', { why: error instanceof Error ? error.message : String(error) }, error);
}
