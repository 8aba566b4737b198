import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseCommandLine } from '../flags/find-command.ts';
import { capture } from '../testing/capture.ts';
import { planCluster } from './cluster-plan.ts';

const configFile = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-flags-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'config.yaml');
  await writeFile(path, text);
  return path;
};

async function flagsOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { context } = capture([], { env });
  const { connection } = await planCluster(context, parseCommandLine(['cluster', 'list', ...argv]));
  return connection.flags;
}

test('commands in messages repeat the flags that lead to the cluster, for a shell', async () => {
  expect(await flagsOf(['--kube-context', 'blue'])).toBe(' --kube-context blue');
  expect(await flagsOf(['--kube-context=a', '--kubeconfig', "/my files/it's", '--kube-context=b'])).toBe(
    " --kubeconfig '/my files/it'\\''s' --kube-context b",
  );
  expect(await flagsOf(['--in-cluster'])).toBe(' --in-cluster');
  const path = await configFile('version: 1\ngeneral: {kubeconfig: /k}\n');
  expect(await flagsOf(['--config', path])).toBe(` --config ${path}`);
});

test('what holds for every command anyway is not repeated', async () => {
  expect(await flagsOf([])).toBe('');
  expect(await flagsOf(['--in-cluster=false', '--kube-context='], { LOGTOOL_KUBE_CONTEXT: 'blue' })).toBe('');
});
