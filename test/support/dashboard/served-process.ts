import { type ChildProcess, spawn } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
    const started = spawn(
      file,
      [...args, 'serve', '--skip-open', `--port=${port}`, `--kubeconfig=${kubeconfig}`, ...flags],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, HOME: folder, ...env } },
    );
    child = started;
    started.stderr.on('data', (chunk) => {
      outputText += chunk;
    });
    for await (const line of createInterface({ input: started.stdout })) {
      const address = /^logtool dashboard: (http:\/\/[^/]+)\//.exec(line)?.[1];
      if (address === undefined) continue;
      origin = address;
      return;
    }
    throw new Error(`serve ended: ${outputText}`);
  }
  const ended = (process: ChildProcess) =>
    process.exitCode !== null || process.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => process.once('exit', () => resolve()));
  const kill = async () => {
    if (child === undefined) return;
    const over = ended(child);
    child.kill('SIGKILL');
    await over;
  };
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
      if (child === undefined || (child.exitCode === null && child.signalCode === null)) return undefined;
      return { code: child.exitCode, signal: child.signalCode };
    },
    kill,
    async interrupt() {
      if (child === undefined) throw new Error('it does not run');
      const startMs = performance.now();
      const over = ended(child);
      child.kill('SIGINT');
      await over;
      return { code: child.exitCode, tookMs: performance.now() - startMs };
    },
    start,
    async remove() {
      await kill();
      await cli.remove();
    },
  };
}
