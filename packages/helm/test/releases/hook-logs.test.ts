import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { chartOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { helm } from '../../../../test/support/oracles/helm.ts';

/* Hook output appears where its annotation wants it, as helm 4 does on its standard error. */
const CASES = [
  ['tells-good', 'hook-succeeded', 0, ['says one', 'says two']],
  ['tells-bad', 'hook-failed', 1, ['says one', 'says two']],
  ['good-only-bad', 'hook-failed', 0, []],
  ['bad-only-good', 'hook-succeeded', 1, []],
  ['tells-both', '"hook-succeeded,hook-failed"', 0, ['says one', 'says two']],
] as const;
const NAMES = CASES.flatMap(([name, , code]) =>
  [`ours-${name}`, `helm-${name}`].map((full) => ({ full, code })),
);

const sourceOf = (policy: string) => ({
  'Chart.yaml': 'apiVersion: v2\nname: saying\nversion: 0.1.0\n',
  'templates/hook.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}
  annotations:
    helm.sh/hook: pre-install
    helm.sh/hook-output-log-policy: ${policy}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded,hook-failed
spec:
  restartPolicy: Never
  containers: [{name: main, image: tools}]
`,
});

let cluster: HelmCluster;
beforeAll(async () => {
  // What the pods do: the initial ones make room for the hooks'.
  cluster = await startHelmCluster({
    startDelays: 'none',
    nodes: [{ name: 'node-1' }],
    namespaces: ['default'],
    workloads: NAMES.map(({ full, code }) => ({
      kind: 'Pod',
      name: full,
      namespace: 'default',
      restartPolicy: 'Never',
      containers: [{ name: 'main', lines: ['says one', 'says two'], exit: { code } }],
    })),
  });
});
afterAll(() => cluster.close());

describe.each(CASES)('%s: %s, exit code %i', (name, policy, code, expectedLines) => {
  test('logtool prints it before it removes the pod', async () => {
    const reported: string[] = [];
    const on = actionsOn(cluster.client, { onHookLog: (line) => void reported.push(line) });
    const installed = on.install(`ours-${name}`, chartOf(sourceOf(policy)));
    if (code === 0) await installed;
    else await expect(installed).rejects.toMatchObject({ code: 'hook-failed' });
    expect(reported).toEqual(expectedLines);
    expect(cluster.sim.store.get('pods', 'default', `ours-${name}`)).toBeUndefined();
  });
  test('helm 4 prints it', async () => {
    const folder = await writeChart(join(cluster.home, name), sourceOf(policy));
    const { kubeconfig } = cluster.sim;
    const ran = await helm('4.1.4', ['install', `helm-${name}`, folder], { home: cluster.home, kubeconfig });
    expect(ran.exitCode).toBe(code);
    // One record of its log for each piece that arrives.
    const records = ran.stderr.matchAll(/^level=INFO msg=("says .*")$/gm);
    expect([...records].flatMap(([, text = '""']) => JSON.parse(text).split('\n'))).toEqual(expectedLines);
  });
});

test('an unreadable log is reported as such, and the hook has succeeded', async () => {
  const reported: string[] = [];
  const on = actionsOn(
    {
      ...cluster.client,
      log: () => Promise.reject(new Error('no log here')),
    },
    {
      onHookLog: (line) => void reported.push(line),
      onProgress: (progress) => {
        if (progress.kind === 'hook-log-unreadable')
          reported.push(`${progress.hook.name}: ${progress.failure.message}`);
      },
    },
  );
  await on.install('unread', chartOf(sourceOf('hook-succeeded')));
  expect(reported).toEqual(['unread: no log here']);
});
