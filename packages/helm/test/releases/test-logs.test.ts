import { loadChartDirectory } from '@logtool/helm/src/chart/load-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

/* `helm test` of what logtool installed out of its own chart. */
const NAMESPACE = 'logtool';
let cluster: HelmCluster;
beforeAll(async () => {
  // What the pod of the test does: the initial pod makes room for the hook's.
  const does = (name: string) => ({
    kind: 'Pod',
    name,
    namespace: NAMESPACE,
    restartPolicy: 'Never',
    containers: [{ name: 'test', lines: [`${name} has asked`], exit: { code: 0 } }],
  });
  cluster = await startHelmCluster({
    startDelays: 'none',
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', NAMESPACE],
    workloads: HELM_VERSIONS.map((version) => does(`${nameOf(version)}-logtool-test`)),
  });
});
afterAll(() => cluster.close());

const nameOf = (version: string) => `helm-${version.split('.')[0]}`;

test.each(HELM_VERSIONS)('helm %s runs it twice, and shows its output', async (version) => {
  const name = nameOf(version);
  const on = actionsOn(cluster.client, { namespace: NAMESPACE });
  await on.install(name, await loadChartDirectory('charts/logtool'));
  for (const _ of ['once', 'again']) {
    const out = await cluster.helm(version, 'test', name, '--namespace', NAMESPACE, '--logs');
    expect(out).toMatch(/^Phase: +Succeeded$/m);
    expect(out).toContain(`POD LOGS: ${name}-logtool-test\n${name}-logtool-test has asked\n`);
  }
});
