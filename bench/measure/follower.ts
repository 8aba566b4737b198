import { type ChildProcess, spawn } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';
import { type ProcessUse, processUse } from './process-file.ts';

const NEWLINE = 10;

/** A program that follows logs and prints to a file, so that no reader slows it down. */
export class FollowerRun {
  readonly #child: ChildProcess;
  readonly #path: string;
  readonly #closed: Promise<unknown>;
  readonly #undone: () => void;
  #errors = '';
  #position = 0;
  /** Lines counted so far. */
  lines = 0;

  private constructor(child: ChildProcess, path: string) {
    this.#child = child;
    this.#path = path;
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    this.#undone = atExit(() => child.kill('SIGKILL'));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk).slice(-2000);
    });
  }

  static async start(
    command: readonly string[],
    env: NodeJS.ProcessEnv,
    directory: string,
  ): Promise<FollowerRun> {
    const [file = '', ...args] = command;
    const path = join(directory, 'followed');
    const output = await open(path, 'w');
    const child = spawn(file, args, { stdio: ['ignore', output.fd, 'pipe'], env });
    const run = new FollowerRun(child, path);
    await output.close();
    return run;
  }

  /** Throws if the program has ended. */
  async use(): Promise<ProcessUse> {
    const use = await processUse(this.#child.pid ?? 0);
    if (use === undefined) throw new Error(`it ended while it followed: ${this.#errors.trim()}`);
    return use;
  }

  /** Counts the lines printed since the last count. */
  async count(): Promise<number> {
    const file = await open(this.#path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#position);
        if (bytesRead === 0) return this.lines;
        this.#position += bytesRead;
        const read = buffer.subarray(0, bytesRead);
        for (let at = read.indexOf(NEWLINE); at >= 0; at = read.indexOf(NEWLINE, at + 1)) this.lines += 1;
      }
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#closed;
    this.#undone();
    await rm(this.#path, { force: true });
  }
}
