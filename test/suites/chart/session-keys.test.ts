import { join } from 'node:path';
import { loadChart } from '@logtool/helm/src/chart/load-chart.ts';
import { SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { valuesOf } from '../../support/helm/tiny-chart.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');
const NAMESPACE = ['--namespace', 'default'];

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

type Secret = KubeObject & { readonly data: Readonly<Record<string, string>> };

async function keysOf(release: string): Promise<string | undefined> {
  const name = `${release}-logtool-session`;
  const secret = await cluster.client
    .get<Secret>(SECRETS, { namespace: 'default', name })
    .catch(() => undefined);
  return secret?.data.keys;
}

test('an upgrade by helm or by logtool keeps the session key, and uninstalling takes it away', async () => {
  const on = actionsOn(cluster.client);
  await cluster.helm('4.1.4', 'install', 'theirs', CHART, ...NAMESPACE);
  const key = await keysOf('theirs');
  expect(Buffer.from(key ?? '', 'base64').toString()).toMatch(/^[A-Za-z0-9]{64}$/);
  await cluster.helm('4.1.4', 'upgrade', 'theirs', CHART, ...NAMESPACE, '--set=dashboard.replicas=2');
  expect(await keysOf('theirs')).toBe(key);
  await cluster.helm('3.17.2', 'upgrade', 'theirs', CHART, ...NAMESPACE, '--set=dashboard.replicas=3');
  expect(await keysOf('theirs')).toBe(key);
  const values = valuesOf('{dashboard: {replicas: 4}}');
  await on.upgrade('theirs', await loadChart(CHART), { values, wait: false });
  expect(await keysOf('theirs')).toBe(key);
  await cluster.helm('4.1.4', 'rollback', 'theirs', '1', ...NAMESPACE);
  expect(await keysOf('theirs')).toBe(key);
  await cluster.helm('4.1.4', 'uninstall', 'theirs', ...NAMESPACE);
  expect(await keysOf('theirs')).toBeUndefined();
});

test('each installation has a key of its own', async () => {
  await cluster.helm('4.1.4', 'install', 'one', CHART, ...NAMESPACE);
  await cluster.helm('4.1.4', 'install', 'other', CHART, ...NAMESPACE);
  expect(await keysOf('one')).not.toBe(await keysOf('other'));
});
