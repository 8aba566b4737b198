import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AggregatedLogs } from '../../../../../test/support/agent-api/aggregated-logs.ts';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

const READ = {
  apiGroups: ['', 'logtool.dev'],
  resources: ['pods/log'],
  verbs: ['get'],
};

async function tlsFolder(logs: AggregatedLogs): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-tls-'));
  const { key, certificate } = await logs.issueApi();
  const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': logs.authority.certificate };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}

describe.runIf(existsSync('/proc/self/fd'))('logtool api', () => {
  test('serves the logs of all nodes behind its APIService to whom the cluster allows it, until a signal', async () => {
    let made: ReturnType<typeof capture> | undefined;
    let ended: Promise<number> | undefined;
    const stop = () => {
      made?.controller.abort(new Stop(130, 'interrupted'));
      return ended;
    };
    const serve = async (logs: AggregatedLogs) => {
      const folder = await tlsFolder(logs);
      const connection = [`--kubeconfig=${logs.cluster.kubeconfig}`, '--kube-context=logtool-api'];
      const own = ['--port=0', `--tls-directory=${folder}`, '--agent-namespace=logtool'];
      made = capture(['api', ...connection, ...own], { overrides: { clock: systemClock } });
      ended = run(made.context);
      onTestFinished(async () => {
        await stop();
        await rm(folder, { recursive: true });
      });
      await expect.poll(made.stderr).toContain('serves the logs of all agents');
      return Number(/"port":(\d+)/.exec(made.stderr())?.[1]);
    };
    const logs = await AggregatedLogs.start({
      nodes: ['node-1'],
      users: [
        { name: 'reader', rules: [READ] },
        { name: 'stranger', rules: [{ ...READ, apiGroups: ['logtool.dev'] }] },
      ],
      workloads: [
        { kind: 'Pod', namespace: 'shop', name: 'web', containers: [{ name: 'app', lines: ['one', 'two'] }] },
      ],
      serve,
    });
    onTestFinished(() => logs.close());
    const { stdout } = await logs.log('shop/pods/web/log', { user: 'reader' });
    expect(stdout.toString()).toBe('one\ntwo\n');
    expect(await logs.log('shop/pods/web/log', { user: 'stranger' })).toMatchObject({
      exitCode: 1,
      stderr:
        'Error from server (Forbidden): pods "web" is forbidden: User "stranger" cannot get resource "pods/log" in API group "" in the namespace "shop"\n',
    });
    expect(made?.stderr()).toContain('"problem":"denied"');
    expect(made?.stdout()).toBe('');
    expect(await stop()).toBe(130);
  });
});
