import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubectlPath } from '../../support/oracles/kubectl.ts';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { programFolder } from './shell-session.ts';

let cluster: SimCluster;
let cli: BuiltCli;
let bin = '';
beforeAll(async () => {
  [cluster, cli] = await Promise.all([startSimCluster({ scenario: 'scenarios/minimal.yaml' }), buildCli()]);
  bin = await programFolder(cli);
});
afterAll(() => Promise.all([cluster?.close(), cli?.remove()]));

/** Returns what the real kubectl's own completion offers for a line. */
async function offered(...args: readonly string[]): Promise<string> {
  const path = await kubectlPath();
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: cli.folder,
    KUBECONFIG: cluster.kubeconfig,
    // Long enough for a busy machine.
    LOGTOOL_COMPLETION_TIMEOUT: '100',
  };
  return new Promise((resolve) => {
    execFile(path, ['__complete', ...args], { env }, (_error, stdout) => resolve(stdout));
  });
}

test('kubectl asks the plugin to complete the words after its name', async () => {
  expect(await offered('logtool', 'conf')).toBe('config\tinit, show, path\n:4\n');
  expect(await offered('logtool', 'logs', 'deployments/w')).toBe('deployments/web\n:4\n');
  expect(await offered('logtool', 'logs', '-n', 'sh')).toBe('shop\n:6\n');
  expect(await offered('logtool', 'logs', 'default:sta')).toBe(
    'default:statefulsets/\tLogs of a statefulset\n:6\n',
  );
  expect(await offered('logtool', 'logs', '--kubeconfig', '')).toBe(':0\n');
});
