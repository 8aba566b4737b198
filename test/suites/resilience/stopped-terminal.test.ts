import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { closeTerminal } from './close-terminal.ts';
import { clusterOf } from './one-deployment.ts';
import { environment, ownFolder } from './start-program.ts';

const POLL = { timeout: 60_000, interval: 250 };

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
  // More than the terminal and its reader can buffer.
  for (const name of ['LICENSE', 'dist/licenses.txt', 'dist/ui/licenses.txt']) {
    await mkdir(dirname(join(cli.folder, name)), { recursive: true });
    await writeFile(join(cli.folder, name), 'You may use it.\n'.repeat(20_000));
  }
});
afterAll(() => cli?.remove());

/**
 * Starts the program on a terminal that is no longer read once it shows more than a header, until `resume`.
 */
async function unread(argv: readonly string[], line = { text: 'x'.repeat(200), repeat: 3000 }) {
  const cluster = await clusterOf(5, line, []);
  const folder = await ownFolder();
  const [file, ...args] = cli.command;
  const terminal = spawn(file, [...args, ...argv], { env: environment(cli, cluster.kubeconfig, folder) });
  onTestFinished(() => terminal.kill('SIGKILL'));
  let written = '';
  let isPaused = false;
  await new Promise<void>((resolve) => {
    terminal.onData((data) => {
      written += data;
      if (isPaused || written.length < 1000) return;
      isPaused = true;
      terminal.pause();
      resolve();
    });
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  const resume = async () => {
    terminal.resume();
    return { code: await ended, written, left: await readdir(folder) };
  };
  return { terminal, ended, resume };
}

/** Waits until the program has filled the terminal's buffer. */
async function whenFull({ pid }: IPty) {
  let before = '';
  await vi.waitFor(async () => {
    const [, bytes = ''] = (await readFile(`/proc/${pid}/io`, 'utf8')).split('\n');
    const isSame = bytes === before;
    before = bytes;
    expect(isSame).toBe(true);
  }, POLL);
}

test.skipIf(process.platform !== 'linux').each([
  ['SIGTERM', 143, ['logs', 'deployments/web', '--tail=10000']],
  ['SIGINT', 130, ['logs', 'deployments/web', '--all', '--raw']],
  ['SIGHUP', 129, ['logs', 'deployments/web', '--all', '-f']],
  ['SIGTERM', 143, ['version', '--licenses']],
] as const)('%s ends with %d what prints to a terminal that nobody reads: %j', async (signal, code, argv) => {
  const { terminal, resume } = await unread(argv);
  await whenFull(terminal);
  process.kill(terminal.pid, signal);
  await vi.waitFor(() => expect(() => process.kill(terminal.pid, 0)).toThrow('ESRCH'), POLL);
  expect(await resume()).toMatchObject({ code, left: [] });
});

test('a signal in the middle of a long line leaves the prompt a line of its own', async () => {
  const argv = ['logs', 'deployments/web', '--tail=10'];
  const { terminal, resume } = await unread(argv, { text: 'x'.repeat(900_000), repeat: 2 });
  // Sent as a signal: on a typed Ctrl-C the terminal discards its buffer, possibly beyond the end of the
  // line.
  process.kill(terminal.pid, 'SIGINT');
  const { code, written } = await resume();
  expect(code).toBe(130);
  expect(written).toMatch(/xxx.*\n(\x1b\[0?m|\r|\x1b\[2K)*$/s);
});

test('what Ctrl-C cuts short has not succeeded', async () => {
  const { terminal, resume } = await unread(['version', '--licenses']);
  terminal.write('\x03');
  expect(await resume()).toMatchObject({ code: 130 });
});

test('a terminal that is closed in the middle of a text ends it as a signal does', async () => {
  const { terminal, ended } = await unread(['version', '--licenses']);
  closeTerminal(terminal);
  expect(await ended).toBe(129);
});
