import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { spawn as spawnTerminal } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectGolden } from '../../src/cli/testing/golden.ts';
import { type SimCluster, startSimCluster } from '../../src/simcluster/start.ts';
import { buildCli } from './build-cli.ts';

let cluster: SimCluster;
let cli: Awaited<ReturnType<typeof buildCli>>;

beforeAll(async () => {
  [cluster, cli] = await Promise.all([startSimCluster({ scenario: 'scenarios/minimal.yaml' }), buildCli()]);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
});

const env = () => ({
  PATH: process.env.PATH,
  HOME: '/nowhere',
  KUBECONFIG: cluster.kubeconfig,
  TERM: 'xterm-256color',
});
const start = (...argv: string[]) => spawn(process.execPath, [cli.path, ...argv], { env: env() });

/** Resolves with all that was written once it contains the text. */
function until(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout?.on('data', (chunk) => {
      seen += chunk;
      if (seen.includes(text)) resolve(seen);
    });
    child.on('exit', (code) => reject(new Error(`exit ${code} before ${text}: ${seen}`)));
  });
}

async function finished(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/**
 * Runs on a pseudo-terminal: standard output and standard error are both it. A shell keeps it open until everything
 * was read, as what is still on its way when a terminal closes may be lost.
 */
function onTerminal(...argv: string[]): Promise<{ code: number; screen: string }> {
  return new Promise((resolve) => {
    const script = '"$@"; echo "[exit $?]"; read _';
    const terminal = spawnTerminal('/bin/sh', ['-c', script, 'sh', process.execPath, cli.path, ...argv], {
      cols: 100,
      rows: 30,
      env: env(),
    });
    let screen = '';
    terminal.onData((data) => {
      screen += data;
      const exit = /\[exit (\d+)\]\r\n/.exec(screen);
      if (exit === null) return;
      terminal.kill();
      resolve({ code: Number(exit[1]), screen: screen.slice(0, exit.index) });
    });
  });
}

describe('exit codes', () => {
  test('0 when it is done', async () => {
    const { code, stdout, stderr } = await finished(start('logs', 'hello', '--columns='));
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'one\ntwo\nthree\n', stderr: '' });
  });
  test('1 when nothing could be read', async () => {
    const { code, stdout, stderr } = await finished(start('logs', 'helo'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*\n {2}why: .*\n {2}next: .*\n$/);
  });
  test('2 on wrong usage', async () => {
    expect(await finished(start('logs', 'hello', '--head', '--tail'))).toMatchObject({ code: 2, stdout: '' });
  });
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while following: %d', async (signal, expected) => {
    const child = start('logs', 'deployments/web', '--follow', '--tail=1', '--columns=');
    await until(child, 'GET /checkout 500\n');
    child.kill(signal);
    expect(await finished(child)).toEqual({ code: expected, stdout: '', stderr: '' });
  });
  test('0 and silence when the reader of the pipe goes', async () => {
    // A cluster of its own: the other tests count the lines of theirs.
    const own = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
    onTestFinished(() => own.close());
    const kubeconfig = `--kubeconfig=${own.kubeconfig}`;
    const child = start('logs', 'statefulsets/db', '--follow', '--tail=1', '--columns=', kubeconfig);
    await until(child, 'accept connections 25\n');
    child.stdout?.destroy();
    const ended = finished(child);
    const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
    await own.writeLog(where, { bytes: Buffer.from('one more') });
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('--version', async () => {
  expect(await finished(start('--version'))).toEqual({ code: 0, stdout: 'logtool 1.2.3\n', stderr: '' });
});

describe('on a terminal', () => {
  test('records have coloured dots, and the cut by default is said', async () => {
    const { code, screen } = await onTerminal('logs', 'statefulsets/db', '--columns=dot,pod');
    expect(code).toBe(0);
    expectGolden('process/terminal.txt', screen);
  });
  test('help is plain', async () => {
    const { code, screen } = await onTerminal('logs', '--help');
    expect(code).toBe(0);
    expect(screen).not.toContain('\x1b');
    expect(screen).toContain('Usage: logtool logs');
  });
});
