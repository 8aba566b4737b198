import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { codeOf, planOf } from '../../../../../test/support/cli/plan-of.ts';
import { parseCommandLine } from '../flags/find-command.ts';
import { planList } from './cluster/plan-cluster.ts';

const configFile = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-flags-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'config.yaml');
  await writeFile(path, text);
  return path;
};

async function flagsOf(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { context } = capture([], { env });
  const { connection } = await planList(context, parseCommandLine(['cluster', 'list', ...argv]));
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

test('whom to act as, and the token, as kubectl has them', async () => {
  const argv = ['--as=ann', '--as-group=dev', '--as-group', 'ops', '--as-uid=7', '--token', 'secret-token'];
  const { connection } = await planOf(['web', ...argv, '--request-timeout=2m']);
  expect(connection).toMatchObject({
    impersonate: { user: 'ann', uid: '7', groups: ['dev', 'ops'] },
    bearer: 'secret-token',
    requestTimeoutMs: 120_000,
  });
  expect(connection.flags).toBe(' --as ann --as-uid 7 --as-group dev --as-group ops');
});

test.each([
  ['30', 30_000],
  ['1500ms', 1500],
  ['0', undefined],
  ['0s', undefined],
])('--request-timeout=%s', async (text, ms) =>
  expect((await planOf(['web', `--request-timeout=${text}`])).connection.requestTimeoutMs).toBe(ms),
);

test.each([
  ['--as-group=dev', 'as-needed'],
  ['--as-uid=7', 'as-needed'],
  ['--as=', 'empty-value'],
  ['--token=', 'empty-value'],
  ['--request-timeout=soon', 'bad-duration'],
  ['--request-timeout=-1s', 'bad-duration'],
  ['--request-timeout=26d', 'bad-duration'],
])('%s is %s', async (flag, code) => expect(await codeOf(['web', flag])).toBe(code));
