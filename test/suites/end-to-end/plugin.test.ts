import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubectlPath } from '../../support/oracles/kubectl.ts';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';

let cluster: SimCluster;
let cli: BuiltCli;
let bin: string;
beforeAll(async () => {
  [cluster, cli] = await Promise.all([startSimCluster({ scenario: 'scenarios/minimal.yaml' }), buildCli()]);
  bin = join(cli.folder, 'plugins');
  await mkdir(bin);
  await symlink(cli.command.at(-1) ?? '', join(bin, 'kubectl-logtool'));
});
afterAll(() => Promise.all([cluster.close(), cli.remove()]));

/** Runs the real `kubectl ARGUMENTS` with the plugin on its path. */
async function kubectl(args: readonly string[], cwd = cli.folder): Promise<string> {
  const path = await kubectlPath();
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: cli.folder,
    KUBECONFIG: cluster.kubeconfig,
  };
  return new Promise((resolve) => {
    execFile(path, args, { env, cwd }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('installed as kubectl-logtool it is a plugin of kubectl, and says so in its help', async () => {
  expect(await kubectl(['plugin', 'list'])).toContain(join(bin, 'kubectl-logtool'));
  expect(await kubectl(['logtool', 'version'])).toBe('logtool 1.2.3\n');
  expect(await kubectl(['logtool', '--help'])).toMatch(/^Usage: kubectl logtool COMMAND \[flags\]$/m);
  expect(await kubectl(['logtool', 'logs'])).toContain('kubectl logtool logs');
});

test('the plugin shows logs of the cluster that kubectl is set to', async () => {
  const own = await kubectl(['logtool', 'logs', 'deployments/web', '--tail=3', '--raw']);
  expect(own.trimEnd().split('\n')).toHaveLength(3);
});

test('files of the folder that it is started in set nothing', async () => {
  const folder = join(cli.folder, 'somewhere');
  await mkdir(folder);
  await writeFile(join(folder, '.env'), 'KUBECONFIG=/absent\nLOGTOOL_NAMESPACE=absent\nLOGTOOL_DEBUG=1\n');
  await writeFile(join(folder, 'bunfig.toml'), 'preload = ["./absent.ts"]\n');
  const own = await kubectl(['logtool', 'logs', 'deployments/web', '--tail=3', '--raw'], folder);
  expect(own).not.toMatch(/debug|absent/);
  expect(own.trimEnd().split('\n')).toHaveLength(3);
});
