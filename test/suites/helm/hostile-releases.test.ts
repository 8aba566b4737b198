import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { actionsOn } from '../../support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { keepRecord } from '../../support/helm/keep-record.ts';
import { chartOf, TINY } from '../../support/helm/tiny-chart.ts';

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

const keep = (name: string, json: string | Buffer) => keepRecord(cluster.client, name, json);

async function listed(...flags: readonly string[]) {
  const argv = ['cluster', 'list', '--all', '--kubeconfig', cluster.sim.kubeconfig, ...flags];
  const { context, stdout, stderr } = capture(argv, {
    home: cluster.home,
    overrides: { clock: systemClock },
  });
  expect(await run(context)).toBe(0);
  return { out: stdout(), err: stderr() };
}

test('releases that are too large, or broken, are rows that say so, beside all others', async () => {
  await actionsOn(cluster.client).install('sound', chartOf(TINY), { wait: false });
  const head = '{"name":"bomb","version":3,"manifest":"';
  await keep('bomb', Buffer.concat([Buffer.from(head), Buffer.alloc(65 * 2 ** 20, 'a'), Buffer.from('"}')]));
  await keep('broken', 'no JSON');
  const chart = { metadata: { name: 'long'.repeat(1000), version: '1.0.0' } };
  await keep('long', JSON.stringify({ name: 'long', namespace: 'default', version: 3, chart, info: {} }));
  const odd = (name: string, chart: object, more = '') =>
    keep(
      name,
      `{"name":"${name}","namespace":"default","version":3,"info":{},"chart":${JSON.stringify({ metadata: chart })}${more}}`,
    );
  await odd('number', { name: 'x', version: '1.0.0', appVersion: 7 });
  await odd('object', { name: { toString: 0, valueOf: 0 }, version: '1.0.0' });
  await odd(
    'nested',
    { name: 'x', version: '1.0.0' },
    `,"config":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
  );
  const { out, err } = await listed('-o', 'json');
  const rows = JSON.parse(out) as { name: string; revision: string; status: string }[];
  expect(rows.map(({ name, revision, status }) => `${name} ${revision} ${status}`).sort()).toEqual([
    'bomb 3 unreadable',
    'broken 3 unreadable',
    'long 3 unreadable',
    'nested 3 unreadable',
    'number 3 unreadable',
    'object 3 unreadable',
    'sound 1 deployed',
  ]);
  expect(err).toContain(
    'cannot read sh.helm.release.v1.bomb.v3 in the namespace default: unpacked, it is larger than 64 MiB',
  );
  expect((await listed()).out).toMatch(/^bomb +default +3 +- +unreadable/m);
});

test('a control character in a name does not cost the whole list as YAML', async () => {
  const chart = { metadata: { name: 'odd\u009b31m\uffff', version: '1.0.0' } };
  await keep(
    'odd',
    JSON.stringify({ name: 'odd', namespace: 'default', version: 3, chart, info: { status: 'deployed' } }),
  );
  const { out } = await listed('-o', 'yaml');
  const rows = load(out) as { name: string; chart: string }[];
  expect(rows.find(({ name }) => name === 'odd')?.chart).toBe('odd\\u009b31m\\uffff-1.0.0');
});
