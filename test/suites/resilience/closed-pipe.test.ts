import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { environment, ownFolder } from './start-program.ts';

const PODS = 30;
const CONTAINER = { name: 'app', lines: [{ text: `line {n} ${'x'.repeat(1_000)}`, repeat: 300 }] };
const JSON_LINE = /^\{.*\}\n$/;
const TEXT_LINE = /^line \d+ x+\n$/;
const HEADER = /^TIMESTAMP +MESSAGE\n$/;

let cluster: SimCluster;
let cli: BuiltCli;

beforeAll(async () => {
  [cluster, cli] = await Promise.all([
    startSimCluster({
      scenario: {
        startDelays: 'none',
        nodes: [{ name: 'node-a' }],
        workloads: [
          { kind: 'Deployment', name: 'web', replicas: PODS, containers: [CONTAINER] },
          { kind: 'Pod', name: 'one', containers: [CONTAINER] },
        ],
      },
    }),
    buildCli(),
  ]);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
});

/** Runs the program on a real pipe to a reader in a real shell, while its containers keep writing. */
async function into(reader: string, argv: readonly string[]) {
  const folder = await ownFolder();
  const temporary = await ownFolder();
  const script = `{ "$@" 2> '${folder}/stderr'; echo $? > '${folder}/code'; } | ${reader}`;
  let isOver = false;
  const piped = promisify(execFile)('/bin/sh', ['-c', script, 'sh', ...cli.command, 'logs', ...argv], {
    env: environment(cli, cluster.kubeconfig, temporary),
  }).finally(() => {
    isOver = true;
  });
  // The program notices a closed reader only at its next line.
  while (!isOver) {
    await cluster.control.writeLines({ workload: 'deployments/web', text: 'line 0 x' });
    await cluster.control.writeLines({ pod: 'one', text: 'line 0 x' });
    await Promise.race([piped, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  const { stdout } = await piped;
  const outputText = (name: string) => readFile(join(folder, name), 'utf8');
  return {
    stdout,
    code: await outputText('code'),
    stderr: await outputText('stderr'),
    left: await readdir(temporary),
  };
}

const QUIET = { code: '0\n', stderr: '', left: [] };
const IN_TURNS = `of ${PODS} containers at a time, in turns; --max-log-requests=${PODS}`;

test.each([
  ['the last lines', HEADER, ['deployments/web']],
  ['all', HEADER, ['deployments/web', '--all']],
  ['all, raw', TEXT_LINE, ['deployments/web', '--all', '--raw']],
  ['all as JSON', JSON_LINE, ['deployments/web', '--all', '-o', 'json']],
  ['all of one container', HEADER, ['one', '--all']],
  ['all of one container, raw', TEXT_LINE, ['one', '--all', '--raw']],
  ['one container that is followed, raw', TEXT_LINE, ['one', '-f', '--all', '--raw']],
  ['many that are followed', HEADER, ['deployments/web', '-f']],
  [
    'many that are followed from the beginning, as JSON',
    JSON_LINE,
    ['deployments/web', '-f', '--all', '-o', 'json'],
  ],
  ['what comes from now on', TEXT_LINE, ['deployments/web', '-f', '--tail=0', '--raw']],
  ['what matches', TEXT_LINE, ['deployments/web', '--all', '--raw', '--grep=line', '--force']],
])('head takes the first line of %s: the program ends quietly', async (_, line, argv) => {
  const { stdout, ...rest } = await into('head -1', argv);
  expect(rest).toEqual(QUIET);
  expect(stdout).toMatch(line);
});

test('head takes the first line of containers that are read in turns: no file is left', async () => {
  const argv = ['deployments/web', '--all', '--raw', '--max-log-requests=2'];
  const { stdout, stderr, ...rest } = await into('head -1', argv);
  expect(rest).toEqual({ code: '0\n', left: [] });
  expect(stderr).toBe(`reading 2 ${IN_TURNS} reads all at once\n`);
  expect(stdout).toMatch(TEXT_LINE);
});

test.each([
  ['--all', ['deployments/web', '--all']],
  ['--raw', ['one', '--all', '--raw']],
  ['--follow', ['deployments/web', '-f', '-o', 'json']],
])('a reader that is gone before the first line is no failure: %s', async (_, argv) => {
  expect(await into('true', argv)).toEqual({ stdout: '', ...QUIET });
});
