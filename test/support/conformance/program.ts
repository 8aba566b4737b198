import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface ProgramResult {
  readonly stdout: Buffer;
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A program that runs until it is stopped. */
export interface RunningProgram {
  /** All complete lines so far. */
  readonly lines: readonly string[];
  /** Its stderr so far. */
  readonly stderr: string;
  /**
   * Waits until the lines, or the output on stderr, fulfill the condition; throws if the program ends first.
   */
  until(condition: (lines: readonly string[], stderr: string) => boolean): Promise<void>;
  /** Sends Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code once the program has ended by itself. */
  readonly ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts the built program. Removes the settings of the user who runs the tests, but keeps the environment
 * that plugins for credentials and proxies need.
 */
function start(args: readonly string[]): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LOGTOOL_'));
  const env = { ...Object.fromEntries(inherited), LOGTOOL_CONFIG: '/dev/null' };
  const child = spawn(process.execPath, [join(ROOT, 'bin/logtool.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Runs the built program to its end. */
export async function runLogtool(args: readonly string[]): Promise<ProgramResult> {
  const child = start(args);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  const exitCode = await closed(child);
  const bytes = Buffer.concat(stdout);
  const lines = bytes.toString().split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { stdout: bytes, lines, stderr: Buffer.concat(stderr).toString(), exitCode };
}

/** Starts the built program in a test and collects its output, at most until the test ends. */
export function followLogtool(args: readonly string[]): RunningProgram {
  const child = start(args);
  // A failing test does not reach its end, and a test worker gets no signal of its own.
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  let over = false;
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const check of waiting) check();
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    lines.push(...pieces);
    notify();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    notify();
  });
  const ended = closed(child).then((code) => {
    over = true;
    notify();
    return code;
  });
  return {
    lines,
    get stderr() {
      return stderr;
    },
    ended,
    until: (condition) =>
      new Promise((done, fail) => {
        const check = () => {
          const met = condition(lines, stderr);
          if (!met && !over) return;
          waiting.delete(check);
          if (met) done();
          else fail(new Error(`logtool ended too soon: ${stderr}\n${lines.slice(-20).join('\n')}`));
        };
        waiting.add(check);
        check();
      }),
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('close', done));
}
