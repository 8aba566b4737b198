import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { findThreadScripts } from '@logtool/kube/src/thread/thread-scripts.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { CliContext, OutputStream } from './context.ts';
import { EXIT, type ExitCode, Stop } from './exit-codes.ts';
import { programArguments, programName } from './program-name.ts';
import { run } from './run.ts';
import { openTerminal } from './terminal/open.ts';
import { outliveTerminal } from './terminal/outlive.ts';
import { Terminal } from './terminal/terminal.ts';

/** The build replaces this. */
declare const LOGTOOL_VERSION: string | undefined;

/** How long open work may take to end after a signal before the process exits anyway. */
const ENDING_TIMEOUT_MS = 3000;

/**
 * Runs the program as one process, with its arguments, streams and signals. Exits the process with the
 * command's exit code. `startedAs` is the file that was started; `packageFile` finds what ships with the
 * program.
 */
export async function startCli(startedAs: string, packageFile: CliContext['packageFile']): Promise<never> {
  // Every request of a thousand containers listens to the same few signals; this is not a leak.
  setMaxListeners(0);
  findThreadScripts(packageFile);
  outliveTerminal();
  const ending = new Ending();
  ending.onSignals();
  const terminal = new Terminal(ending.signal);
  const context: CliContext = {
    argv: programArguments(startedAs, process.argv.slice(2)),
    env: process.env,
    ...openStreams(terminal, ending),
    keyboard: isatty(0) ? () => ({ input: process.stdin, rows: () => process.stderr.rows }) : undefined,
    workingDirectory: process.cwd(),
    homeDirectory: homeDirectory(process.env, homedir),
    clock: systemClock,
    files: { ...files, readSmallFile },
    signal: ending.signal,
    program: programName(startedAs),
    packageFile,
    version: typeof LOGTOOL_VERSION === 'string' ? LOGTOOL_VERSION : '0.0.0',
  };
  const exitCode = await run(context);
  await terminal.written();
  process.exit(ending.exitCode(exitCode));
}

/** What ends the program early: signals, and a standard output that accepts no more writes. */
class Ending {
  readonly #controller = new AbortController();
  /** A write noticed this before the signal arrived. */
  #isTerminalGone = false;
  #isUnwritable = false;
  #isCut = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  onSignals(): void {
    process.on('SIGINT', () => this.#stop(new Stop(EXIT.interrupted, 'interrupted')));
    process.on('SIGTERM', () => this.#stop(new Stop(EXIT.terminated, 'terminated')));
    // The terminal is gone; the remaining steps are the same.
    process.on('SIGHUP', () => {
      if (!this.#isTerminalGone) this.#stop(new Stop(EXIT.hungUp, 'hung up'));
    });
  }

  /** Standard output was cut short. */
  onCut(): void {
    this.#isCut = true;
  }

  /** Standard output cannot be written to. */
  onUnwritable(error: NodeJS.ErrnoException): void {
    if (error.code === 'EIO' && process.stdout.isTTY) {
      this.#onTerminalGone();
      return;
    }
    const isClosed = error.code === 'EPIPE' || error.code === 'EOF';
    if (!isClosed && !this.#isUnwritable)
      process.stderr.write(`error: cannot write to standard output\n  why: ${error.message}\n`);
    this.#isUnwritable ||= !isClosed;
    if (!this.signal.aborted)
      this.#stop(new Stop(isClosed ? EXIT.done : EXIT.failure, 'standard output closed'));
  }

  #onTerminalGone(): void {
    if (!this.signal.aborted) {
      this.#isTerminalGone = true;
      this.#stop(new Stop(EXIT.hungUp, 'hung up'));
    }
    this.onCut();
  }

  /** A command that finished with its last write does not know that this write was cut short or failed. */
  exitCode(ofCommand: ExitCode): ExitCode {
    if (ofCommand !== EXIT.done) return ofCommand;
    if (this.#isCut) return (this.signal.reason as Stop).exitCode;
    return this.#isUnwritable ? EXIT.failure : EXIT.done;
  }

  #stop(reason: Stop): void {
    if (this.signal.aborted) process.exit(reason.exitCode);
    this.#controller.abort(reason);
    setTimeout(() => process.exit(reason.exitCode), ENDING_TIMEOUT_MS).unref();
  }
}

function openStreams(terminal: Terminal, ending: Ending): Pick<CliContext, 'stdout' | 'stderr'> {
  const opened = (stream: NodeJS.WriteStream & { readonly fd: number }) =>
    openTerminal(stream, systemClock, ending.signal);
  const onError = (error: NodeJS.ErrnoException) => ending.onUnwritable(error);
  process.stdout.on('error', onError);
  process.stderr.on('error', ignored);
  return {
    stdout: process.stdout.isTTY
      ? terminal.stream(process.stdout, opened(process.stdout), { onError, onCut: () => ending.onCut() })
      : plainStream(process.stdout, onError, ending.signal),
    // Nobody reads a message once standard error is closed.
    stderr: process.stderr.isTTY
      ? terminal.stream(process.stderr, opened(process.stderr), { onError: ignored, onCut: ignored })
      : plainStream(process.stderr, ignored),
  };
}

const ignored = () => undefined;

/**
 * Writes to a file, or to a pipe with a reader. `onError` may be called more than once. A write resolves when
 * it is done or has failed, or when `signal` aborts: a stalled reader must not keep the program from ending.
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

/**
 * Returns the user's home: HOME, else what the system reports. In a container the process may run as a user
 * that the system does not know, and so without a home; the result is then the root, so that nothing is found
 * in it, which is intended.
 */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>, ask: () => string): string {
  if (env.HOME) return env.HOME;
  try {
    return ask();
  } catch {
    return '/';
  }
}

/**
 * Finds a file of the package; dist/ and src/ lie at different depths in it. Returns undefined if missing.
 */
export function findInPackage(from: string, path: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, path);
    if (existsSync(found)) return found;
    if (dirname(folder) === folder) return undefined;
  }
}
