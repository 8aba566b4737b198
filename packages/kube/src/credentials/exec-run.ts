import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Clock } from '../values/clock.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure, type PluginEnd } from '../values/failures.ts';

export interface ExecCommand {
  /** A path, or a name to find in PATH. */
  readonly file: string;
  /** The command as the kubeconfig spells it. */
  readonly shown: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether it may ask the user at the terminal. */
  readonly interactive: boolean;
  readonly installHint: string;
}

const OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;
const STDERR_KEPT_BYTES = 8 * 1024;
/**
 * A plugin that takes longer may be waiting for the user (a login in a browser): then show its output, or what logtool
 * waits for if there is none.
 */
const SHOW_STDERR_AFTER_MS = 2000;

export interface ExecEvents {
  /** Receives the plugin's output, for the user at the terminal. */
  readonly onShown: (bytes: Uint8Array) => void;
  /** Called once if the plugin takes long and has written nothing. */
  readonly onSilent: () => void;
}

/**
 * Runs a plugin to its end; resolves with its standard output. An abort ends it, and its children if it has no
 * terminal. Rejects with CodedError `exec-plugin-missing`, `exec-plugin-failed`, or the signal's reason.
 */
export async function runExecCommand(
  command: ExecCommand,
  clock: Clock,
  signal: AbortSignal,
  events: ExecEvents,
): Promise<string> {
  return new PluginRun(command, clock, signal, events).output;
}

/** One process of a plugin, from its start to its end. */
class PluginRun {
  readonly output: Promise<string>;
  readonly #command: ExecCommand;
  readonly #signal: AbortSignal;
  readonly #events: ExecEvents;
  readonly #child: ChildProcess;
  /**
   * A separate process group can be killed as a whole, but only the terminal's own group may read from the terminal.
   */
  readonly #hasOwnGroup: boolean;
  readonly #chunks: Buffer[] = [];
  #resolve: (output: string) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  readonly #cancelShow: () => void;
  #outputBytes = 0;
  #stderr: Buffer = Buffer.alloc(0);
  #isShown: boolean;
  #startError: NodeJS.ErrnoException | undefined;

  /** Throws CodedError `exec-plugin-failed`. */
  constructor(command: ExecCommand, clock: Clock, signal: AbortSignal, events: ExecEvents) {
    this.#command = command;
    this.#signal = signal;
    this.#events = events;
    this.#isShown = command.interactive;
    this.#hasOwnGroup = !command.interactive && process.platform !== 'win32';
    this.#child = start(command, this.#hasOwnGroup);
    this.output = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#cancelShow = clock.after(SHOW_STDERR_AFTER_MS, () => this.#showWaiting());
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#takeOutput(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#takeError(chunk));
    this.#child.once('error', (error) => this.#onStartError(error));
    this.#child.once('close', (code, killedBy) => this.#onClose(code, killedBy));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  readonly #onAbort = (): void => this.#end(this.#signal.reason);

  #showWaiting(): void {
    if (this.#stderr.length === 0) this.#events.onSilent();
    else if (!this.#isShown) this.#events.onShown(this.#stderr);
    this.#isShown = true;
  }

  #takeOutput(chunk: Buffer): void {
    this.#outputBytes += chunk.length;
    if (this.#outputBytes <= OUTPUT_LIMIT_BYTES) this.#chunks.push(chunk);
    else this.#end(failed(this.#command, { end: 'too-long', limitBytes: OUTPUT_LIMIT_BYTES }));
  }

  #takeError(chunk: Buffer): void {
    if (this.#isShown) this.#events.onShown(chunk);
    this.#stderr = Buffer.concat([this.#stderr, chunk]);
    if (this.#stderr.length > STDERR_KEPT_BYTES) this.#stderr = this.#stderr.subarray(-STDERR_KEPT_BYTES);
  }

  #onStartError(error: NodeJS.ErrnoException): void {
    this.#stop();
    this.#startError = error;
    startFailure(this.#command, error).then(this.#reject, this.#reject);
  }

  #onClose(code: number | null, killedBy: NodeJS.Signals | null): void {
    this.#stop();
    // A program that could not be started also closes; the error event has already reported why.
    if (this.#startError !== undefined) return;
    if (code === 0) this.#resolve(Buffer.concat(this.#chunks).toString('utf8'));
    else this.#reject(this.#failure(code, killedBy));
  }

  #failure(code: number | null, killedBy: NodeJS.Signals | null): CodedError {
    const printed = this.#stderr.toString('utf8').trim();
    return failed(
      this.#command,
      code === null
        ? { end: 'killed', signal: killedBy ?? 'SIGKILL', printed }
        : { end: 'exit', exitCode: code, printed },
    );
  }

  #end(reason: unknown): void {
    this.#stop();
    killAll(this.#child, this.#hasOwnGroup);
    // A grandchild may hold the pipes open forever.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#reject(reason);
  }

  #stop(): void {
    this.#cancelShow();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}

function start(command: ExecCommand, ownGroup: boolean): ChildProcess {
  try {
    return spawn(command.file, command.args, {
      env: { ...command.env },
      stdio: [command.interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      detached: ownGroup,
      windowsHide: true,
    });
  } catch (cause) {
    throw failed(command, { end: 'not-started', why: String(cause) }, cause);
  }
}

function killAll(child: ChildProcess, ownGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (ownGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch (error) {
    // ESRCH: the process has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function startFailure(command: ExecCommand, error: NodeJS.ErrnoException): Promise<CodedError> {
  if (error.code !== 'ENOENT') return failed(command, { end: 'not-started', why: error.message }, error);
  const isPath = command.file !== command.shown || /[/\\]/.test(command.file);
  // ENOENT also occurs if the interpreter in the file's first line is missing.
  const exists = isPath && (await stat(command.file).catch(() => undefined)) !== undefined;
  if (exists) return failed(command, { end: 'no-interpreter' }, error);
  const where = isPath ? { file: command.file } : { path: command.env.PATH };
  return kubeFailure(
    'exec-plugin-missing',
    { plugin: command.shown, ...where, installHint: command.installHint.trim() },
    { cause: error },
  );
}

function failed(command: ExecCommand, why: PluginEnd, cause?: unknown): CodedError {
  const line = [command.shown, ...command.args].join(' ').slice(0, 300);
  return kubeFailure(
    'exec-plugin-failed',
    { problem: 'run', plugin: command.shown, command: line, why },
    { cause },
  );
}
