import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';

let cluster: SimCluster;
let cli: BuiltCli;

beforeAll(async () => {
  [cluster, cli] = await Promise.all([startSimCluster({ scenario: 'scenarios/minimal.yaml' }), buildCli()]);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
});

test('Ctrl-C ends a search whose pattern takes seconds for a line of a megabyte', async () => {
  const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
  const [file, ...args] = cli.command;
  const child = spawn(
    file,
    [
      ...args,
      'logs',
      'db-0',
      '--all',
      '-f',
      '--force',
      '--grep',
      'ready|[ab]*a[ab]{1000}[xy]$',
      '--columns=',
    ],
    { env: { PATH: process.env.PATH, HOME: cli.folder, KUBECONFIG: cluster.kubeconfig } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const until = (text: string, from: NodeJS.ReadableStream) =>
    new Promise<void>((resolve, reject) => {
      let seen = '';
      from.on('data', (chunk) => {
        seen += chunk;
        if (seen.includes(text)) resolve();
      });
      closed.then(() => reject(new Error(`it ended before ${text}: ${seen}`)), reject);
    });
  const notice = until('match only in the first', child.stderr);
  // If the process ends before it is ready, that is the error to report.
  notice.catch(() => undefined);
  await until('ready', child.stdout);
  // Each of these would block the main thread for seconds.
  for (let line = 0; line < 20; line++)
    await cluster.writeLog(where, { bytes: Buffer.from('aabab'.repeat(200_000)) });
  await notice;
  child.kill('SIGINT');
  const [code] = await closed;
  expect(code).toBe(130);
});
