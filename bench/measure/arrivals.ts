import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { atExit } from './at-exit.ts';

/** The arrival times of lines from a program. */
export interface LineArrivals {
  /** The times (ms since the epoch) at which each text has arrived so far. */
  readonly all: ReadonlyMap<string, readonly number[]>;
  /** Resolves to the times of one text, once it has arrived `count` times or the timeout is over. */
  of(text: string, count: number, timeoutMs: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Starts a program and reads the matching part of each line that it prints. */
export function listen(command: readonly string[], env: NodeJS.ProcessEnv, pattern: RegExp): LineArrivals {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const undone = atExit(() => child.kill('SIGKILL'));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const came = new Map<string, number[]>();
  let wake = () => {};
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-2000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const text = pattern.exec(line)?.[0];
    if (text === undefined) return;
    came.set(text, [...(came.get(text) ?? []), Date.now()]);
    wake();
  });
  return {
    all: came,
    async of(text, count, timeoutMs) {
      const endMs = Date.now() + timeoutMs;
      for (;;) {
        const times = came.get(text) ?? [];
        const leftMs = endMs - Date.now();
        if (times.length >= count || leftMs <= 0) return times;
        if (child.exitCode !== null) throw new Error(`it ended while it followed: ${errors.trim()}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(leftMs, 1000));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },

    async close() {
      child.kill('SIGINT');
      await closed;
      undone();
    },
  };
}
