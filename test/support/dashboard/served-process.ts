import { type ChildProcess, spawn } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { builtPage } from '../../suites/browser/built-page.ts';
import { buildCli } from '../program/build-cli.ts';

/** `logtool serve` as a process, which a test can kill and restart on its port. */
export interface ServedProcess {
  readonly origin: string;
  readonly pid: number;
  /** Undefined while it runs. */
  readonly exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  /** What it wrote on stderr. */
  readonly outputText: string;
  /** Kills the process without notice. */
  kill(): Promise<void>;
  /** Sends Ctrl-C; resolves with the exit code and the time it took. */
  interrupt(): Promise<{ readonly code: number | null; readonly tookMs: number }>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function serveProcess(
  kubeconfig: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const [cli, page] = await Promise.all([buildCli(), builtPage()]);
  const { folder } = cli;
  const [file, ...args] = cli.command;
  await symlink(folder, join(folder, 'dist'), 'dir');
  await symlink(page, join(folder, 'ui'), 'dir');
  let child: ChildProcess | undefined;
  let origin = '';
  let outputText = '';

  async function start(): Promise<void> {
    const port = origin === '' ? '0' : new URL(origin).port;
    const argv = [...args, 'serve', '--skip-open', `--port=${port}`, `--kubeconfig=${kubeconfig}`, ...flags];
    const started = spawn(file, argv, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
    child = started;
    started.stderr.on('data', (chunk) => {
      outputText += chunk;
    });
    const address = await addressIn(started.stdout);
    if (address === undefined) throw new Error(`serve ended: ${outputText}`);
    origin = address;
  }
  await start();
  return {
    get origin() {
      return origin;
    },

    get outputText() {
      return outputText;
    },

    get pid() {
      return child?.pid ?? 0;
    },

    get exit() {
      return child && exitOf(child);
    },
    kill: () => killed(child),
    interrupt() {
      if (child === undefined) throw new Error('it does not run');
      return interrupt(child);
    },
    start,
    async remove() {
      await killed(child);
      await cli.remove();
    },
  };
}

/** Returns the address that the program prints; undefined: it ended without one. */
async function addressIn(output: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    const address = /^logtool dashboard: (http:\/\/[^/]+)\//.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Returns how a process ended; undefined while it runs. */
function exitOf({ exitCode: code, signalCode: signal }: ChildProcess): ServedProcess['exit'] {
  return code === null && signal === null ? undefined : { code, signal };
}

function ended(process: ChildProcess): Promise<void> {
  if (exitOf(process) !== undefined) return Promise.resolve();
  return new Promise((resolve) => process.once('exit', () => resolve()));
}

async function interrupt(process: ChildProcess): ReturnType<ServedProcess['interrupt']> {
  const startMs = performance.now();
  const over = ended(process);
  process.kill('SIGINT');
  await over;
  return { code: process.exitCode, tookMs: performance.now() - startMs };
}

/** Kills a process without notice, if there is one. */
async function killed(process: ChildProcess | undefined): Promise<void> {
  if (process === undefined) return;
  const over = ended(process);
  process.kill('SIGKILL');
  await over;
}
