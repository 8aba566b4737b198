import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildCli } from '../../support/program/build-cli.ts';

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
  HOME: cli.folder,
  KUBECONFIG: cluster.kubeconfig,
  TERM: 'xterm-256color',
});
function start(...argv: string[]) {
  const [file, ...args] = cli.command;
  return spawn(file, [...args, ...argv], { env: env() });
}

/** Resolves with everything written, once it contains the text. */
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

describe('exit codes', () => {
  test('0 when it is done', async () => {
    const { code, stdout, stderr } = await finished(start('logs', 'hello', '--columns='));
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'one\ntwo\nthree\n', stderr: '' });
  });
  test('1 when nothing is readable', async () => {
    const { code, stdout, stderr } = await finished(start('logs', 'helo'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*\n {2}why: .*\n {2}next: .*\n$/);
  });
  test
    .skipIf(process.platform !== 'linux')
    .each([[['version']], [['logs', '--help']], [['config', 'path']], [['logs', 'hello', '--all']]])(
    '1, and why in one message, when nothing of `%s` can be written',
    async (argv) => {
      const full = await open('/dev/full', 'w');
      onTestFinished(() => full.close());
      const [file, ...args] = cli.command;
      const child = spawn(file, [...args, ...argv], { env: env(), stdio: ['ignore', full.fd, 'pipe'] });
      const { code, stderr } = await finished(child);
      expect(code).toBe(1);
      expect(stderr.match(/^error: .*/gm)).toEqual(['error: cannot write to standard output']);
    },
  );
  test('2 on wrong usage', async () => {
    expect(await finished(start('logs', 'hello', '--head', '--tail'))).toMatchObject({ code: 2, stdout: '' });
  });
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while following: %d', async (signal, expected) => {
    const child = start('logs', 'deployments/web', '--follow', '--tail=1', '--columns=');
    await until(child, 'GET /checkout 500\n');
    child.kill(signal);
    expect(await finished(child)).toEqual({ code: expected, stdout: '', stderr: '' });
  });
  test('0 and silence when the reader of the pipe goes', async () => {
    // A separate cluster: the other tests count the lines of theirs.
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

describe('a kubeconfig that comes through a pipe', () => {
  /** Starts a program that has opened the pipe; returns the pipe's other end. */
  async function onPipe() {
    const path = join(await mkdtemp(join(cli.folder, 'pipe-')), 'kubeconfig');
    await promisify(execFile)('mkfifo', [path]);
    const child = start('logs', 'hello', '--columns=', `--kubeconfig=${path}`);
    const writer = await open(path, 'w');
    onTestFinished(() => writer.close().catch(() => undefined));
    return { child, writer };
  }

  test('is read when it is written', async () => {
    const { child, writer } = await onPipe();
    const ended = finished(child);
    await writer.write(await readFile(cluster.kubeconfig));
    await writer.close();
    expect(await ended).toEqual({ code: 0, stdout: 'one\ntwo\nthree\n', stderr: '' });
  });

  test('and is never written keeps no signal from ending the program', async () => {
    const { child } = await onPipe();
    child.kill('SIGTERM');
    expect((await finished(child)).code).toBe(143);
  });
});

test('--version', async () => {
  expect(await finished(start('--version'))).toEqual({ code: 0, stdout: 'logtool 1.2.3\n', stderr: '' });
});
