import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { atExit } from './at-exit.ts';

/** When lines came out of a program. */
export interface LineArrivals {
  /** Times (ms since the epoch) at which each text came until now. */
  readonly all: ReadonlyMap<string, readonly number[]>;
  /** The same of one text, once it came so often, or as often as it did within a time. */
  of(text: string, count: number, timeoutMs: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Starts a program and reads what it prints, of each line the part that matches. */
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
