import { join } from 'node:path';
import type { ChartActionContext } from '@logtool/helm/src/actions/action.ts';
import { history } from '@logtool/helm/src/actions/history.ts';
import { install } from '@logtool/helm/src/actions/install.ts';
import { list } from '@logtool/helm/src/actions/list.ts';
import { rollback } from '@logtool/helm/src/actions/rollback.ts';
import { uninstall } from '@logtool/helm/src/actions/uninstall.ts';
import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import { CONFIG_MAPS, DEPLOYMENTS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { chartOf, hook, TINY, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS, type HelmVersion } from '../../../../test/support/oracles/helm.ts';

const SOURCE = { ...TINY, ...hook('post-install', ', helm.sh/hook-delete-policy: hook-succeeded') };
const NAMESPACE = 'default';
const WAY = { wait: true, timeoutMs: 60_000 };

let cluster: HelmCluster;
let folder = '';
let context: ChartActionContext;
beforeAll(async () => {
  cluster = await startHelmCluster();
  folder = await writeChart(join(cluster.home, 'tiny'), SOURCE);
  const { client } = cluster;
  context = {
    client,
    clock: systemClock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, systemClock),
  };
});
afterAll(() => cluster.close());

const chart = chartOf(SOURCE);
const on = (name: string) => ({ ...WAY, name, namespace: NAMESPACE });
const installIt = (name: string, values = '{}') =>
  install(context, {
    ...on(name),
    chart,
    values: valuesOf(values),
    createNamespace: false,
    atomic: false,
    dryRun: false,
  });
const upgradeIt = (name: string, values?: string) =>
  upgrade(context, {
    ...on(name),
    chart,
    values: values === undefined ? undefined : valuesOf(values),
    atomic: false,
    dryRun: false,
  });

type Live = KubeObject & {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly replicas?: number };
};
const read = (type: ResourceType, name: string) =>
  cluster.client.get<Live>(type, { namespace: NAMESPACE, name }).catch(() => undefined);
const message = async (name: string) => (await read(CONFIG_MAPS, `${name}-config`))?.data?.message;
const statuses = async (name: string) =>
  (await history(context, NAMESPACE, name)).map(({ version, info }) => `${version} ${info.status}`);

describe.each(HELM_VERSIONS)('with helm %s', (version: HelmVersion) => {
  const helm = (...args: readonly string[]) => cluster.helm(version, ...args, '--namespace', NAMESPACE);
  const suffix = version.startsWith('3') ? 'three' : 'four';

  test('what logtool installs, helm lists, reads, upgrades, rolls back and uninstalls', async () => {
    const name = `ours-${suffix}`;
    const release = await installIt(name, '{message: from logtool, replicas: 2}');
    expect(release.info.status).toBe('deployed');
    const [row] = JSON.parse(await helm('list', '--filter', name, '-o', 'json')) as Record<string, string>[];
    expect(row).toMatchObject({
      name,
      namespace: NAMESPACE,
      revision: '1',
      status: 'deployed',
      chart: 'tiny-0.1.0',
      app_version: '1.4.2',
    });
    expect(await helm('get', 'manifest', name)).toBe(`${release.manifest}\n`);
    expect(JSON.parse(await helm('get', 'values', name, '-o', 'json'))).toEqual({
      message: 'from logtool',
      replicas: 2,
    });
    expect(await helm('get', 'notes', name)).toContain(`${name} says from logtool, revision 1.`);

    await helm('upgrade', name, folder, '--set', 'message=from helm,extra=true', '--wait');
    expect(await message(name)).toBe('from helm');
    expect(await read(CONFIG_MAPS, `${name}-extra`)).toBeDefined();
    expect((await read(DEPLOYMENTS, `${name}-web`))?.spec?.replicas).toBe(1);
    expect(await statuses(name)).toEqual(['1 superseded', '2 deployed']);

    await helm('rollback', name, '1', '--wait');
    expect(await message(name)).toBe('from logtool');
    expect(await read(CONFIG_MAPS, `${name}-extra`)).toBeUndefined();
    expect(await statuses(name)).toEqual(['1 superseded', '2 superseded', '3 deployed']);

    await helm('uninstall', name, '--wait');
    expect(await read(DEPLOYMENTS, `${name}-web`)).toBeUndefined();
    expect(await read(CONFIG_MAPS, `${name}-kept`)).toBeDefined();
    expect((await list(context, NAMESPACE)).releases.map((one) => one.name)).not.toContain(name);
  });

  test('what helm installs, logtool lists, upgrades, rolls back and uninstalls', async () => {
    const name = `theirs-${suffix}`;
    await helm('install', name, folder, '--set', 'message=from helm,extra=true', '--wait');
    const { releases } = await list(context, NAMESPACE);
    expect(releases.find((one) => one.name === name)).toMatchObject({
      version: 1,
      info: { status: 'deployed' },
    });

    const { before, after } = await upgradeIt(name, '{message: from logtool, replicas: 2}');
    expect([before.version, after.version]).toEqual([1, 2]);
    expect(await message(name)).toBe('from logtool');
    expect(await read(CONFIG_MAPS, `${name}-extra`)).toBeUndefined();
    expect((await read(DEPLOYMENTS, `${name}-web`))?.spec?.replicas).toBe(2);

    await rollback(context, on(name));
    expect(await message(name)).toBe('from helm');
    expect(await read(CONFIG_MAPS, `${name}-extra`)).toBeDefined();
    const rows = JSON.parse(await helm('history', name, '-o', 'json')) as {
      revision: number;
      status: string;
    }[];
    expect(rows.map(({ revision, status }) => `${revision} ${status}`)).toEqual([
      '1 superseded',
      '2 superseded',
      '3 deployed',
    ]);

    const { kept } = await uninstall(context, { ...on(name), keepHistory: false });
    expect(kept.map(({ target }) => target.object.name)).toEqual([`${name}-kept`]);
    expect(await read(DEPLOYMENTS, `${name}-web`)).toBeUndefined();
    expect(await helm('list', ...(version.startsWith('3') ? ['--all'] : []), '--filter', name, '-q')).toBe(
      '',
    );
  });

  test('hand over hand: one upgrades what the other upgraded, with no conflict over a field', async () => {
    const name = `shared-${suffix}`;
    await helm('install', name, folder, '--set', 'message=1');
    await upgradeIt(name, '{message: "2", extra: true}');
    await helm('upgrade', name, folder, '--set', 'message=3');
    await upgradeIt(name, '{message: "4", replicas: 2}');
    await helm('upgrade', name, folder, '--set', 'message=5,extra=true');
    expect(await message(name)).toBe('5');
    expect((await read(DEPLOYMENTS, `${name}-web`))?.spec?.replicas).toBe(1);
    await upgradeIt(name);
    expect(await message(name)).toBe('5');
    await uninstall(context, { ...on(name), keepHistory: false });
    expect(await read(CONFIG_MAPS, `${name}-extra`)).toBeUndefined();
    const records = cluster.client.list(SECRETS, { namespace: NAMESPACE, labelSelector: `name=${name}` });
    for await (const { items } of records) expect(items).toEqual([]);
  });
});
