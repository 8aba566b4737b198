import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { folder, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { CodedError } from '../values/coded-error.ts';

const HEAD = 'apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n';
const listOf = (...names: readonly string[]) =>
  `${HEAD}credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [${names.map((name) => `{name: "${name}"}`)}]\n`;

/**
 * Makes a kubeconfig with a plugin that leaves a trace, and a kuberc in the home folder. FOLDER in the text stands for
 * the folder of both.
 */
async function worldWith(
  kuberc: string | undefined,
  command: string,
  envOf: (directory: string) => readonly object[] = () => [],
) {
  const directory = await folder();
  const env = envOf(directory);
  const user = {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', env },
  };
  const world = await worldOf({ server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true }, user, {
    directory,
  });
  const trace = join(directory, 'ran');
  const answer =
    '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}';
  await writeFile(join(directory, 'plugin'), `#!/bin/sh\ntouch '${trace}'\necho '${answer}'\n`);
  await chmod(join(directory, 'plugin'), 0o755);
  await symlink('plugin', join(directory, 'link'));
  if (kuberc !== undefined) {
    await mkdir(join(directory, '.kube'));
    await writeFile(join(directory, '.kube', 'kuberc'), kuberc.replaceAll('FOLDER', directory));
  }
  return { world, trace };
}

const CASES: readonly (readonly [
  name: string,
  kuberc: string | undefined,
  command?: string,
  code?: string,
])[] = [
  ['no kuberc', undefined],
  ['an empty kuberc', '# nothing yet\n'],
  ['no policy', HEAD],
  ['AllowAll', `${HEAD}credentialPluginPolicy: AllowAll\n`],
  ['DenyAll', `${HEAD}credentialPluginPolicy: DenyAll\n`, './plugin', 'exec-plugin-not-allowed'],
  ['a path that is listed', listOf('/usr/bin/other', 'FOLDER/plugin')],
  ['a path that is not', listOf('/usr/bin/plugin', 'nowhere'), './plugin', 'exec-plugin-not-allowed'],
  ['a link to what is listed', listOf('FOLDER/plugin'), './link', 'exec-plugin-not-allowed'],
  ['an empty list', listOf(), './plugin', 'kuberc-invalid'],
  ['an empty name', listOf(''), './plugin', 'kuberc-invalid'],
  ['a path with needless parts', listOf('FOLDER//plugin'), './plugin', 'kuberc-invalid'],
  ['no list', `${HEAD}credentialPluginPolicy: Allowlist\n`, './plugin', 'kuberc-invalid'],
  ['an unknown policy', `${HEAD}credentialPluginPolicy: denyall\n`, './plugin', 'kuberc-invalid'],
  [
    'a list without its policy',
    `${HEAD}credentialPluginAllowlist: [{name: a}]\n`,
    './plugin',
    'kuberc-invalid',
  ],
  [
    'the version before policies',
    'apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\ncredentialPluginPolicy: DenyAll\n',
  ],
];

test.each(CASES)('%s: a plugin runs where kubectl runs it', async (_, kuberc, command = './plugin', code) => {
  const { world, trace } = await worldWith(kuberc, command);
  await kubectl(['get', 'pods'], { kubeconfig: world.file, home: world.directory });
  const isRunByKubectl = existsSync(trace);
  await rm(trace, { force: true });
  const connection = await world.open();
  const reported = await connection.headers().then(
    () => undefined,
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );
  expect({ reported, isRun: existsSync(trace) }).toEqual({ reported: code, isRun: code === undefined });
  expect(isRunByKubectl).toBe(code === undefined);
});

test('the program that runs is the one that is listed, whatever PATH the kubeconfig gives it', async () => {
  const { world: good } = await worldWith(undefined, 'plugin');
  const path = `${good.directory}:${process.env.PATH}`;
  // The folder from which the tests run holds no plugin. A relative folder that leads to one comes first.
  const { world, trace } = await worldWith(listOf('plugin'), 'plugin', (directory) => [
    { name: 'PATH', value: `${relative(process.cwd(), directory)}:${path}` },
  ]);
  const connection = await world.open({ env: { PATH: path } });
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t' });
  expect([existsSync(join(good.directory, 'ran')), existsSync(trace)]).toEqual([true, false]);
});

test('an entry may be written as kubectl 1.36 writes it', async () => {
  const kuberc = listOf('FOLDER/plugin').replace('{name:', '{command:');
  const { world } = await worldWith(kuberc, './plugin');
  expect(await (await world.open()).headers()).toEqual({ Authorization: 'Bearer t' });
});

test('an unreadable kuberc allows nothing', async () => {
  const { world, trace } = await worldWith('a: [\n', './plugin');
  await expect((await world.open()).headers()).rejects.toMatchObject({ code: 'kuberc-invalid' });
  expect(existsSync(trace)).toBe(false);
});

test('a listed name means the program in PATH, for plugins by name and by path', async () => {
  for (const command of ['plugin', './plugin']) {
    const { world } = await worldWith(listOf('plugin'), command);
    const here = await world.open({ env: { PATH: `${world.directory}:${process.env.PATH}` } });
    expect(await here.headers()).toEqual({ Authorization: 'Bearer t' });
    const { world: elsewhere } = await worldWith(listOf('plugin'), './plugin');
    const other = await elsewhere.open({ env: { PATH: `${world.directory}:${process.env.PATH}` } });
    await expect(other.headers()).rejects.toMatchObject({ code: 'exec-plugin-not-allowed' });
  }
});

test('KUBERC names the file, which must exist then, and off ignores it', async () => {
  const { world } = await worldWith(`${HEAD}credentialPluginPolicy: DenyAll\n`, './plugin');
  const outcome = async (KUBERC: string) =>
    (await world.open({ env: { PATH: process.env.PATH, KUBERC } })).headers().then(
      () => 'runs',
      ({ code }: CodedError) => code,
    );
  expect(await outcome('off')).toBe('runs');
  expect(await outcome(join(world.directory, 'none'))).toBe('kuberc-invalid');
  await writeFile(join(world.directory, 'mine'), HEAD);
  expect(await outcome(join(world.directory, 'mine'))).toBe('runs');
});
