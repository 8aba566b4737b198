import { setMaxListeners } from 'node:events';
import * as files from 'node:fs/promises';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { findThreadScripts } from '@logtool/kube/src/thread/thread-scripts.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { CliContext, OutputStream } from './context.ts';
import { EXIT, Stop } from './exit-codes.ts';
import { homeDirectory } from './home-directory.ts';
import { programArguments, programName } from './program-name.ts';
import { run } from './run.ts';
import { openTerminal } from './terminal/open.ts';
import { outliveTerminal } from './terminal/outlive.ts';
import { Terminal } from './terminal/terminal.ts';

/** Replaced when the program is built. */
declare const LOGTOOL_VERSION: string | undefined;

/** How long everything may take to end behind a signal before the process goes without it. */
const ENDING_TIMEOUT_MS = 3000;

/**
 * The program as one process: its arguments, its streams, its signals. Ends the process with the command's exit code.
 * `startedAs` is the file that was started; `packageFile` finds what comes with the program.
 */
export async function startCli(startedAs: string, packageFile: CliContext['packageFile']): Promise<never> {
  // Every request of a thousand containers listens to the same few signals; that is no leak.
  setMaxListeners(0);
  findThreadScripts(packageFile);
  outliveTerminal();
  const controller = new AbortController();
  const stop = (reason: Stop) => {
    if (controller.signal.aborted) process.exit(reason.exitCode);
    controller.abort(reason);
    setTimeout(() => process.exit(reason.exitCode), ENDING_TIMEOUT_MS).unref();
  };
  process.on('SIGINT', () => stop(new Stop(EXIT.interrupted, 'interrupted')));
  process.on('SIGTERM', () => stop(new Stop(EXIT.terminated, 'terminated')));
  // The terminal is gone; what is left to do is the same.
  process.on('SIGHUP', () => {
    if (!isTerminalGone) stop(new Stop(EXIT.hungUp, 'hung up'));
  });
  /** A write has told so before the signal did. */
  let isTerminalGone = false;

  let isUnwritable = false;
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const onUnwritable = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO' && process.stdout.isTTY) {
      if (!controller.signal.aborted) {
        isTerminalGone = true;
        stop(new Stop(EXIT.hungUp, 'hung up'));
      }
      return onCut();
    }
    const closed = error.code === 'EPIPE' || error.code === 'EOF';
    if (!closed && !isUnwritable)
      process.stderr.write(`error: cannot write to standard output\n  why: ${error.message}\n`);
    isUnwritable ||= !closed;
    if (!controller.signal.aborted)
      stop(new Stop(closed ? EXIT.done : EXIT.failure, 'standard output closed'));
  };
  const terminal = new Terminal(controller.signal);
  const opened = (stream: NodeJS.WriteStream & { readonly fd: number }) =>
    openTerminal(stream, systemClock, controller.signal);
  process.stdout.on('error', onUnwritable);
  process.stderr.on('error', ignored);
  const context: CliContext = {
    argv: programArguments(startedAs, process.argv.slice(2)),
    env: process.env,
    stdout: process.stdout.isTTY
      ? terminal.stream(process.stdout, opened(process.stdout), { onError: onUnwritable, onCut })
      : plainStream(process.stdout, onUnwritable, controller.signal),
    // Nobody is left to tell when standard error is closed.
    stderr: process.stderr.isTTY
      ? terminal.stream(process.stderr, opened(process.stderr), { onError: ignored, onCut: ignored })
      : plainStream(process.stderr, ignored),
    keyboard: isatty(0) ? () => ({ input: process.stdin, rows: () => process.stderr.rows }) : undefined,
    workingDirectory: process.cwd(),
    homeDirectory: homeDirectory(process.env, homedir),
    clock: systemClock,
    files: { ...files, readSmallFile },
    signal: controller.signal,
    program: programName(startedAs),
    packageFile,
    version: typeof LOGTOOL_VERSION === 'string' ? LOGTOOL_VERSION : '0.0.0',
  };

  const exitCode = await run(context);
  await terminal.written();
  // A command that was done with its last write has not heard that it was cut short, or failed.
  if (exitCode === EXIT.done && isCut) process.exit((controller.signal.reason as Stop).exitCode);
  process.exit(exitCode === EXIT.done && isUnwritable ? EXIT.failure : exitCode);
}

const ignored = () => undefined;

/**
 * A file, or a pipe that somebody reads. `onError` may be told more than once. A write resolves when it is done or has
 * failed, and where a `signal` is given when that is aborted: whoever does not read must not keep the program from
 * ending.
 */
function plainStream(
  stream: NodeJS.WriteStream,
  onError: (error: NodeJS.ErrnoException) => void,
  signal?: AbortSignal,
): OutputStream {
  const waiting = new Set<() => void>();
  signal?.addEventListener('abort', () => {
    for (const resolve of waiting) resolve();
  });
  return {
    isTTY: false,
    columns: undefined,
    write: (chunk) =>
      new Promise((resolve) => {
        waiting.add(resolve);
        stream.write(chunk, (error) => {
          if (error) onError(error);
          waiting.delete(resolve);
          resolve();
        });
      }),
  };
}
