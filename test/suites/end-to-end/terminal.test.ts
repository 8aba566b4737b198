import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '@logtool/logtool/src/cli/commands/commands.ts';
import { COLUMN_NAMES } from '@logtool/logtool/src/domain/columns.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectGolden } from '../../support/cli/golden.ts';
import { CONFIG_ERRORS, USAGE_ERRORS } from '../../support/cli/usage-errors.ts';
import { buildCli } from '../../support/program/build-cli.ts';
import { onTerminal, type Screen } from '../../support/program/on-terminal.ts';
import { CLUSTER_ERRORS } from './cluster-errors.ts';

let cluster: SimCluster;
/** Its lines have a fixed time. */
let fixed: SimCluster;
let cli: Awaited<ReturnType<typeof buildCli>>;
let folder = '';

beforeAll(async () => {
  [cluster, fixed, cli, folder] = await Promise.all([
    startSimCluster({ scenario: 'scenarios/minimal.yaml' }),
    startSimCluster({ scenario: 'test/suites/end-to-end/columns.yaml' }),
    buildCli(),
    mkdtemp(join(tmpdir(), 'logtool-terminal-')),
  ]);
});
afterAll(async () => {
  await cluster?.close();
  await fixed?.close();
  await cli?.remove();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({
  PATH: process.env.PATH,
  HOME: cli.folder,
  KUBECONFIG: cluster.kubeconfig,
  TERM: 'xterm-256color',
});

function screensOf(lines: readonly (readonly string[])[]): Promise<readonly Screen[]> {
  return onTerminal(cli.command, env(), lines);
}

async function screenOf(...line: readonly string[]): Promise<Screen> {
  const [screen] = await screensOf([line]);
  if (screen === undefined) throw new Error('no screen');
  return screen;
}

/** Returns standard output, then standard error, of the program on pipes. */
function piped(...line: readonly string[]): Promise<string> {
  const [file, ...args] = cli.command;
  return new Promise((resolve) => {
    execFile(file, [...args, ...line], { env: env() }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

/** A terminal shows the same text as a pipe, so the same golden file applies to both. */
function expectSameGolden(name: string, { text }: Screen): void {
  expectGolden(
    name,
    text
      .replaceAll('\r\n', '\n')
      .replaceAll(`${folder}/`, '')
      .replaceAll(`${process.cwd()}/`, '/nowhere/')
      .replaceAll(cluster.kubeconfig, 'KUBECONFIG')
      .replaceAll(cluster.server, 'SERVER'),
  );
}

test('records have colored dots, and the default cut is reported', async () => {
  const { code, text } = await screenOf('logs', 'statefulsets/db', '--columns=dot,pod');
  expect(code).toBe(0);
  expectGolden('process/terminal.txt', text);
});

describe('every column set, on a terminal and on a pipe', () => {
  const sets: readonly (readonly string[])[] = [
    [],
    ...COLUMN_NAMES.map((name) => [`--columns=${name}`]),
    [`--columns=${COLUMN_NAMES.join(',')}`],
    ['--columns='],
    ['--columns=Pod,TIMESTAMP'],
    ['--add-columns=namespace', '--add-columns=pod'],
    ['--remove-columns=timestamp'],
    ['--hide-header'],
    ['--raw'],
    ['--output=json'],
    ['--timezone=Asia/Kolkata'],
    ['--color=always'],
    ['--color=never'],
    ['--grep=cart|check', '--force'],
    ['--highlight=GET', '--level=warn,error'],
    ['--with-cursors', '--tail=2'],
    ['--with-cursors', '--head=2'],
    ['--with-cursors', '--head=1', '--after=2020-11-21T10:00:00.123456789Z'],
    ['--with-cursors', '--all'],
    ['--tail=0'],
    ['--since=2100-01-01T00:00:00Z'],
    ['--grep=nothing', '--force'],
  ];
  const lines = sets.map((flags) => ['logs', 'deployments/web', ...flags]);
  const run = () => lines.map((line) => [...line, '--kubeconfig', fixed.kubeconfig]);
  const titled = (texts: readonly string[]) =>
    texts.map((text, index) => `$ ${lines[index]?.join(' ')}\n${text}\n`).join('');

  test('on a terminal', async () => {
    const screens = await screensOf(run());
    expect(screens.map(({ code }) => code)).toEqual(sets.map(() => 0));
    expectGolden('process/columns.terminal.txt', titled(screens.map(({ text }) => text)));
  });
  test('on a pipe', async () => {
    const texts: string[] = [];
    for (const line of run()) texts.push(await piped(...line));
    expectGolden('process/columns.pipe.txt', titled(texts));
  });
});

test('help and the version are plain on a terminal too', async () => {
  const names = ['', 'config', ...COMMANDS.map((command) => command.name)];
  const lines = names.map((name) => [...name.split(' ').filter(Boolean), '--help']);
  const screens = await screensOf([...lines, ['--version']]);
  for (const [index, name] of names.entries()) {
    expect(screens[index]?.code).toBe(0);
    expectSameGolden(`help/${name.replaceAll(' ', '-') || 'program'}.txt`, screens[index] as Screen);
  }
  expect(screens.at(-1)).toEqual({ code: 0, text: 'logtool 1.2.3\r\n' });
});

test('usage errors on a terminal', async () => {
  // On a terminal the picker asks for a missing source.
  const errors = USAGE_ERRORS.filter(([name]) => name !== 'no-source');
  const screens = await screensOf(errors.map(([, argv]) => argv));
  for (const [index, [name]] of errors.entries()) {
    expect([name, screens[index]?.code]).toEqual([name, 2]);
    expectSameGolden(`errors/${name}.txt`, screens[index] as Screen);
  }
});

test('errors of the configuration file on a terminal', async () => {
  const pathOf = (name: string) => join(folder, `${name}.yaml`);
  for (const [name, text] of [...CONFIG_ERRORS, ['exists', ''] as const]) await writeFile(pathOf(name), text);
  const screens = await screensOf([
    ...CONFIG_ERRORS.map(([name]) => ['logs', 'web', '--config', pathOf(name)]),
    ['config', 'init', '--path', pathOf('exists')],
    ['config', 'init', '--path', pathOf('new')],
  ]);
  const names = [...CONFIG_ERRORS.map(([name]) => name), 'config-file-exists'];
  for (const [index, name] of names.entries()) {
    expect([name, screens[index]?.code]).toEqual([name, 2]);
    expectSameGolden(`errors/${name}.txt`, screens[index] as Screen);
  }
  expect(screens.at(-1)).toEqual({ code: 0, text: `wrote ${pathOf('new')}\r\n` });
});

test('errors of the cluster on a terminal', async () => {
  const screens = await screensOf(CLUSTER_ERRORS.map(([, argv]) => ['logs', ...argv]));
  for (const [index, [name]] of CLUSTER_ERRORS.entries()) {
    expect([name, screens[index]?.code]).not.toEqual([name, 0]);
    expectSameGolden(`cluster-errors/${name}.txt`, screens[index] as Screen);
  }
});
