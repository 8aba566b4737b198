import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { findCommand } from './commands/commands.ts';
import { isCompletion } from './completion/is-completion.ts';
import type { CliContext } from './context.ts';
import { readDebug } from './debug.ts';
import { type ExitCode, exitCodeOf, Stop } from './exit-codes.ts';
import { parseCommandLine } from './flags/find-command.ts';
import type { RawArguments } from './flags/flag.ts';
import { flagsOf } from './flags/table.ts';
import { debugText, errorText } from './output/error-text.ts';
import { namedAs } from './program-name.ts';

/** One whole call of the program: never throws, and everything is written when it resolves. */
export async function run(context: CliContext): Promise<ExitCode> {
  if (isCompletion(context.argv)) return (await import('./completion/complete.ts')).complete(context);
  let debug = !/^(|0|false)$/i.test(context.env.LOGTOOL_DEBUG ?? '') || context.argv.includes('--debug');
  try {
    const raw = parseCommandLine(context.argv);
    debug = readDebug(context, raw);
    return await dispatch(context, raw);
  } catch (error) {
    if (context.signal.aborted && context.signal.reason instanceof Stop)
      return context.signal.reason.exitCode;
    if (debug) await context.stderr.write(debugText(error));
    const told = error instanceof LogtoolError ? error : unexpected(error);
    await context.stderr.write(namedAs(errorText(told), context.program));
    return exitCodeOf(told);
  }
}

async function dispatch(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const asksHelp = raw.flags.get('help')?.at(-1);
  if (asksHelp !== undefined && asksHelp.value !== 'false') return showHelp(context, raw.command);
  if (raw.flags.has('version') && !takesVersion(raw.command))
    return (await import('./commands/version.ts')).version(context, raw);
  const command = findCommand(raw.command);
  if (command === undefined) {
    if (raw.command !== '') throw needsSubcommand(raw.command);
    return showHelp(context, '');
  }
  if (raw.positionals.length > command.maxOperands) throw unexpectedOperand(raw, command.maxOperands);
  const runCommand = await command.load();
  return runCommand(context, raw);
}

/** `--version` of a command that has a flag of that name itself is that flag. */
function takesVersion(command: string): boolean {
  return flagsOf(command).find(({ name }) => name === 'version')?.value.kind === 'text';
}

async function showHelp(context: CliContext, name: string): Promise<ExitCode> {
  const { help } = await import('./commands/help.ts');
  return help(context, { command: 'help', positionals: name === '' ? [] : [name], flags: new Map() });
}

function needsSubcommand(name: string): LogtoolError {
  return usageError({
    code: 'needs-subcommand',
    what: `${name} needs a subcommand`,
    why: `logtool ${name} does nothing by itself`,
    next: `see: logtool ${name} --help`,
  });
}

function unexpectedOperand(raw: RawArguments, most: number): LogtoolError {
  const operand = raw.positionals[most] ?? '';
  return usageError({
    code: 'unexpected-argument',
    what: `unexpected argument ${sanitizeText(operand)}`,
    why: `logtool ${raw.command} takes ${most === 0 ? 'no arguments' : `${most} at most`}`,
    next: `see: logtool ${raw.command} --help`,
  });
}

/** A defect of this program, or a failure that no part of it has words for. */
function unexpected(error: unknown): LogtoolError {
  return new LogtoolError({
    code: 'unexpected',
    what: 'logtool failed unexpectedly',
    why: error instanceof Error ? error.message : String(error),
    next: 'run the same with --debug and report what it prints',
    cause: error,
  });
}
