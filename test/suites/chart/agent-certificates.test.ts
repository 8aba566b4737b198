import { join } from 'node:path';
import { loadChart } from '@logtool/helm/src/chart/load-chart.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { keepCertificates } from '@logtool/logtool/src/agent-api/certificates/keep-certificates.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { valuesOf } from '../../support/helm/tiny-chart.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');
const NAMESPACE = ['--namespace', 'default'];
const AGENT = '--set=agent.enabled=true';

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

/** Does what the API of the installation does every minute. */
const keep = () =>
  keepCertificates(
    { client: cluster.client, clock: systemClock, namespace: 'default', name: 'logtool' },
    new AbortController().signal,
  );

function stored() {
  const { store } = cluster.sim;
  const api = store.get('secrets', 'default', 'logtool-api-tls')?.data;
  const trusted = store.get('configmaps', 'default', 'logtool-api-ca')?.data;
  const service = store.get('apiservices.apiregistration.k8s.io', undefined, 'v1alpha1.logtool.dev');
  const { caBundle } = (service?.spec ?? {}) as { readonly caBundle?: string };
  return { api, trusted, caBundle };
}

test('no upgrade by helm or by logtool changes what the API has made, and uninstalling takes it away', async () => {
  await cluster.helm('4.1.4', 'install', 'logtool', CHART, ...NAMESPACE, AGENT);
  const { bundle } = await keep();
  const made = stored();
  expect(made.caBundle).toBe(Buffer.from(bundle).toString('base64'));
  await cluster.helm('4.1.4', 'upgrade', 'logtool', CHART, ...NAMESPACE, AGENT, '--set=api.replicas=3');
  expect(stored()).toEqual(made);
  await cluster.helm('3.17.2', 'upgrade', 'logtool', CHART, ...NAMESPACE, AGENT, '--set=api.replicas=4');
  expect(stored()).toEqual(made);
  const values = valuesOf('{agent: {enabled: true}, api: {replicas: 5}}');
  await actionsOn(cluster.client).upgrade('logtool', await loadChart(CHART), { values, wait: false });
  expect(stored()).toEqual(made);
  await cluster.helm('4.1.4', 'uninstall', 'logtool', ...NAMESPACE);
  expect(stored()).toEqual({ api: undefined, trusted: undefined, caBundle: undefined });
});
