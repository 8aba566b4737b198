import * as files from 'node:fs/promises';
import { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import type { CliContext } from '@logtool/logtool/src/cli/context.ts';
import { findInPackage } from '@logtool/logtool/src/cli/start-cli.ts';

export interface Capture {
  readonly context: CliContext;
  readonly stdoutBytes: () => Buffer;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly controller: AbortController;
  /** Resolves once standard output contains the text. */
  readonly written: (text: string) => Promise<void>;
  /** Number of writes to standard output. */
  readonly writes: () => number;
}

export interface CaptureOptions {
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly overrides?: Partial<CliContext>;
}

/**
 * Creates a context without a process: it keeps what a command writes, time stands still, and the home does
 * not exist.
 */
export function capture(argv: readonly string[], options: CaptureOptions = {}): Capture {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const controller = new AbortController();
  const watchers = new Set<() => void>();
  const stream = (to: Buffer[]) => ({
    isTTY: options.terminal ?? false,
    columns: options.terminal ? 100 : undefined,
    write: async (chunk: string | Uint8Array) => {
      to.push(Buffer.from(chunk));
      for (const watcher of watchers) watcher();
    },
  });
  const context: CliContext = {
    argv,
    env: options.env ?? {},
    stdout: stream(out),
    stderr: stream(err),
    keyboard: undefined,
    workingDirectory: '/nowhere',
    homeDirectory: options.home ?? '/nowhere/home',
    clock: new FakeClock(),
    files: { ...files, readSmallFile },
    signal: controller.signal,
    version: '0.0.0-test',
    program: 'logtool',
    packageFile: (path) => findInPackage(import.meta.dirname, path),
    ...options.overrides,
  };
  return {
    context,
    controller,
    stdoutBytes: () => Buffer.concat(out),
    stdout: () => Buffer.concat(out).toString(),
    stderr: () => Buffer.concat(err).toString(),
    written: (text) =>
      new Promise((resolve) => {
        const check = () => {
          if (!Buffer.concat(out).includes(text)) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
    writes: () => out.length,
  };
}
