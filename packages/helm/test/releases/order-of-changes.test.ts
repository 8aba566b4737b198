import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import {
  type ChartSource,
  chartOf,
  hook,
  TINY,
  valuesOf,
  writeChart,
} from '../../../../test/support/helm/tiny-chart.ts';

/*
 * Changes in the cluster, one after the other: a record that claims more than was done, an object deleted
 * before its replacement exists, or a change without a record shows in the middle, not at the end.
 */
const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}-web}
spec: {ports: [{port: 80}], selector: {app: x}}
`;
const hooked = (name: string, events: string, more = ''): ChartSource => ({
  [`templates/${name}.yaml`]: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-${name}, annotations: {helm.sh/hook: "${events}"${more}}}\n`,
});
/** As small as it may be, so that nothing is changed by a controller of the cluster meanwhile. */
const SOURCE: ChartSource = {
  ...Object.fromEntries(Object.entries(TINY).filter(([, text]) => !text.includes('kind: Deployment'))),
  'templates/service.yaml': SERVICE,
  ...hooked('before', 'pre-install,pre-upgrade,pre-rollback,pre-delete'),
  ...hooked(
    'after',
    'post-install,post-upgrade,post-rollback,post-delete',
    ', helm.sh/hook-delete-policy: hook-succeeded',
  ),
};

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

/** Changes of the objects and records of a release while something runs. */
async function changesOf(name: string, run: () => Promise<unknown>): Promise<readonly string[]> {
  const changes: string[] = [];
  const stop = cluster.sim.store.subscribeAll((resource, { type, object }) => {
    const held = object.metadata.name ?? '';
    if (held.startsWith(`sh.helm.release.v1.${name}.`)) changes.push(`${type} ${recordText(object)}`);
    else if (/^(configmaps|services|namespaces)$/.test(resource) && held.startsWith(name)) {
      const what = held.slice(name.length);
      changes.push(`${type} ${/^-(before|after)$/.test(what) ? 'hook' : resource} ${what}`);
    }
  });
  try {
    await run();
  } finally {
    stop();
  }
  return sideBySide(changes);
}

/** Objects of one kind are applied, or deleted, at the same time: their own order says nothing. */
function sideBySide(changes: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  let before = '';
  for (const change of changes) {
    const [type = '', what = ''] = change.split(' ');
    const kind = `${type === 'DELETED' ? 'deleted' : 'applied'} ${what}`;
    if (kind === before && what !== 'record') runs.at(-1)?.push(change);
    else runs.push([change]);
    before = kind;
  }
  return runs.flatMap((run) => run.sort());
}

function recordText(object: StoredObject): string {
  const { data } = object as StoredObject & { readonly data: { readonly release: string } };
  const text = Buffer.from(data.release, 'base64').toString('latin1');
  const { version, info, hooks } = JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as {
    version: number;
    info: { status: string };
    hooks: readonly { name: string; last_run?: { phase: string } }[];
  };
  const ran = hooks.map(({ last_run }) => last_run?.phase ?? '').join('/');
  return `record ${version} ${object.metadata.labels?.status} ${info.status} ${ran}`;
}

test('records, hooks and objects are changed in the order in which helm 4 changes them', async () => {
  const folder = await writeChart(join(cluster.home, 'ordered'), SOURCE);
  const chart = chartOf(SOURCE);
  const extra = valuesOf('extra: true');
  const keepTwo = { historyMax: 2 };
  const on = actionsOn(cluster.client, { clock: systemClock, namespace: 'ours-place' });
  const helm = (verb: string, ...args: string[]) =>
    cluster.helm('4.1.4', verb, 'theirs', ...args, '--wait', '--namespace', 'theirs-place');
  const steps: readonly (readonly [theirs: () => Promise<unknown>, ours: () => Promise<unknown>])[] = [
    [() => helm('install', folder, '--create-namespace'), () => on.install('ours', chart)],
    [
      () => helm('upgrade', folder, '--set', 'extra=true'),
      () => on.upgrade('ours', chart, { values: extra }),
    ],
    [() => helm('rollback', '1'), () => on.rollback('ours', { revision: 1 })],
    [
      () => helm('upgrade', folder, '--set', 'extra=true', '--history-max', '2'),
      () => on.upgrade('ours', chart, { values: extra, ...keepTwo }),
    ],
    [
      () => helm('upgrade', folder, '--history-max', '2', '--reset-values'),
      () => on.upgrade('ours', chart, { resetValues: true, ...keepTwo }),
    ],
  ];
  for (const [theirs, ours] of steps) {
    const expected = await changesOf('theirs', theirs);
    expect(expected.length).toBeGreaterThan(8);
    expect(await changesOf('ours', ours)).toEqual(expected);
  }
});

test('a release says that it is being taken away before anything of it goes, and its newest record goes last', async () => {
  const on = actionsOn(cluster.client);
  await on.install('leaves', chartOf(SOURCE));
  await on.upgrade('leaves', chartOf(SOURCE));
  expect(await changesOf('leaves', () => on.uninstall('leaves'))).toEqual([
    'MODIFIED record 2 uninstalling uninstalling Succeeded/Succeeded',
    'DELETED hook -before',
    'MODIFIED record 2 uninstalling uninstalling Succeeded/Running',
    'ADDED hook -before',
    'DELETED services -web',
    'DELETED configmaps -config',
    'MODIFIED record 2 uninstalling uninstalling Running/Succeeded',
    'ADDED hook -after',
    'DELETED hook -after',
    'DELETED record 1 superseded superseded Succeeded/Succeeded',
    'DELETED record 2 uninstalling uninstalling Running/Succeeded',
  ]);
});

test('a hook whose name the cluster finds is made once for each event', async () => {
  const named =
    "apiVersion: v1\nkind: Service\nmetadata: {generateName: once-, annotations: {helm.sh/hook: 'pre-install,post-install'}}\nspec: {ports: [{port: 80}]}\n";
  const on = actionsOn(cluster.client);
  const chart = chartOf({ ...SOURCE, 'templates/once.yaml': named });
  const changes = await changesOf('once', () => on.install('once', chart));
  expect(changes.filter((change) => /ADDED services -(?!web)/.test(change))).toHaveLength(2);
});

test('the objects come once the Job of a hook has completed', async () => {
  const { client, sim } = cluster;
  let fetches = 0;
  // No node takes its pod: it completes at the third check.
  const watched = Object.assign(Object.create(client) as typeof client, {
    get: async (...args: Parameters<typeof client.get>) => {
      if (args[1].name === 'job-pre-install' && ++fetches === 3)
        sim.store.update('jobs.batch', 'default', 'job-pre-install', (job) => {
          job.status = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
          return undefined;
        });
      return client.get(...args);
    },
  });
  const fetchesBefore: number[] = [];
  const on = actionsOn(watched, {
    onProgress: ({ kind }) => {
      if (kind === 'applied') fetchesBefore.push(fetches);
    },
  });
  const stuck = Object.entries(hook('pre-install')).map(([name, text]): [string, string] => [
    name,
    text.replace('restartPolicy: Never', 'restartPolicy: Never\n      nodeSelector: {no: node}'),
  ]);
  await on.install('job', chartOf({ ...SOURCE, ...Object.fromEntries(stuck) }));
  expect(fetchesBefore).toEqual([3, 3, 3]);
});
