import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Clock } from '../values/clock.ts';
import { LogtoolError } from '../values/errors.ts';

export interface ExecCommand {
  /** A path, or a name to be looked for in PATH. */
  readonly file: string;
  /** As the kubeconfig has it. */
  readonly shown: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It may ask the person at the terminal. */
  readonly interactive: boolean;
  readonly installHint: string;
}

const OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;
const STDERR_KEPT_BYTES = 8 * 1024;
/**
 * A plugin that takes longer may be waiting for the person it writes to (a login in a browser): show what it writes,
 * and say what is waited for where it writes nothing.
 */
const SHOW_STDERR_AFTER_MS = 2000;

export interface ExecEvents {
  /** What it says to the person at the terminal. */
  readonly onShown: (bytes: Uint8Array) => void;
  /** It takes long and has said nothing; told once. */
  readonly onSilent: () => void;
}

/**
 * Runs a plugin to its end; resolves with its standard output. An abort ends it, and its children where it has no
 * terminal. Rejects with LogtoolError `exec-plugin-missing`, `exec-plugin-failed`, or the signal's reason.
 */
export function runExecCommand(
  command: ExecCommand,
  clock: Clock,
  signal: AbortSignal,
  { onShown, onSilent }: ExecEvents,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // A process group of its own can be ended whole; but only the terminal's own group may read from it.
    const ownGroup = !command.interactive && process.platform !== 'win32';
    let child: ChildProcess;
    try {
      child = spawn(command.file, command.args, {
        env: { ...command.env },
        stdio: [command.interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
        detached: ownGroup,
        windowsHide: true,
      });
    } catch (cause) {
      return reject(failed(command, String(cause), cause));
    }
    const output: Buffer[] = [];
    let outputBytes = 0;
    let stderr = Buffer.alloc(0);
    let isShown = command.interactive;
    const cancelShow = clock.after(SHOW_STDERR_AFTER_MS, () => {
      if (stderr.length === 0) onSilent();
      else if (!isShown) onShown(stderr);
      isShown = true;
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();

    child.stdout?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= OUTPUT_LIMIT_BYTES) output.push(chunk);
      else end(() => reject(failed(command, `it wrote more than ${OUTPUT_LIMIT_BYTES} bytes`)));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (isShown) onShown(chunk);
      stderr = Buffer.concat([stderr, chunk]);
      if (stderr.length > STDERR_KEPT_BYTES) stderr = stderr.subarray(-STDERR_KEPT_BYTES);
    });
    let hasStarted = true;
    child.once('error', (error: NodeJS.ErrnoException) => {
      stop();
      hasStarted = false;
      startFailure(command, error).then(reject, reject);
    });
    child.once('close', (code, killedBy) => {
      stop();
      // A program that could not be started closes too; the error event has told why.
      if (!hasStarted) return;
      if (code === 0) return resolve(Buffer.concat(output).toString('utf8'));
      const how = code === null ? `it was ended by ${killedBy}` : `it ended with exit code ${code}`;
      const said = stderr.toString('utf8').trim();
      reject(failed(command, said === '' ? `${how} and printed nothing` : `${how}: ${said}`));
    });

    function onAbort(): void {
      end(() => reject(signal.reason));
    }

    function end(settle: () => void): void {
      stop();
      killAll(child, ownGroup);
      // A grandchild may hold the pipes open for ever.
      child.stdout?.destroy();
      child.stderr?.destroy();
      settle();
    }

    function stop(): void {
      cancelShow();
      signal.removeEventListener('abort', onAbort);
    }
  });
}

function killAll(child: ChildProcess, ownGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (ownGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch (error) {
    // ESRCH: it has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function startFailure(command: ExecCommand, error: NodeJS.ErrnoException): Promise<LogtoolError> {
  if (error.code !== 'ENOENT') return failed(command, error.message, error);
  const isPath = command.file !== command.shown || /[/\\]/.test(command.file);
  // ENOENT also means that the interpreter in its first line is missing.
  const isThere = isPath && (await stat(command.file).catch(() => undefined)) !== undefined;
  if (isThere) return failed(command, 'the program that its first line names does not exist', error);
  return new LogtoolError({
    code: 'exec-plugin-missing',
    what: `the credential plugin ${command.shown} was not found`,
    why: isPath
      ? `there is no file ${command.file}`
      : `it is in none of the folders of PATH (${command.env.PATH ?? 'not set'})`,
    next: command.installHint.trim() || `install ${command.shown}, or add its folder to PATH`,
    cause: error,
  });
}

function failed(command: ExecCommand, why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'exec-plugin-failed',
    what: `the credential plugin ${command.shown} failed`,
    why,
    next: `run it by hand to see more: ${[command.shown, ...command.args].join(' ').slice(0, 300)}`,
    cause,
  });
}
