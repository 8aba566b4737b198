import { history } from '@logtool/helm/src/actions/history.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { chartOf, TINY, valuesOf } from '../../../../test/support/helm/tiny-chart.ts';

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());
const chart = chartOf(TINY);

/** Two clients whose writes of the next record meet: each waits until the other is about to write too. */
async function two() {
  const clients = [await cluster.connect(), await cluster.connect()];
  // An action that fails before it writes must not keep the other waiting.
  let arrived = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return clients.map((client) => {
    const on = actionsOn(client);
    const { storage } = on.context;
    const create = storage.create.bind(storage);
    Object.assign(storage, {
      create: async (...args: Parameters<typeof create>) => {
        arrived++;
        if (arrived >= 2) open();
        await gate;
        return create(...args);
      },
    });
    const settled = <T>(run: Promise<T>) => run.finally(open);
    return {
      ...on,
      upgrade: (...args: Parameters<typeof on.upgrade>) => settled(on.upgrade(...args)),
      rollback: (...args: Parameters<typeof on.rollback>) => settled(on.rollback(...args)),
    };
  }) as [ReturnType<typeof actionsOn>, ReturnType<typeof actionsOn>];
}

async function outcome(runs: readonly Promise<unknown>[]) {
  const results = await Promise.allSettled(runs);
  const failures = results
    .filter((one) => one.status === 'rejected')
    .map((one) => one.reason as { code: string });
  return { won: results.length - failures.length, failures };
}
const statuses = async (on: ReturnType<typeof actionsOn>, name: string) =>
  (await history(on.context, 'default', name)).map(({ version, info }) => `${version} ${info.status}`);

test('of two installations one makes the release, and the other says that it did not', async () => {
  const [a, b] = await two();
  const { won, failures } = await outcome([a.install('twice', chart), b.install('twice', chart)]);
  expect(won).toBe(1);
  expect(failures).toEqual([
    helmFailed('release-in-progress', {
      of: 'conflict',
      release: { name: 'twice', namespace: 'default' },
      revision: 1,
    }),
  ]);
  expect(await statuses(a, 'twice')).toEqual(['1 deployed']);
});

test('of two upgrades one goes through, also where old revisions are pruned by both', async () => {
  const first = actionsOn(cluster.client);
  await first.install('race', chart);
  for (let revision = 2; revision <= 4; revision++) await first.upgrade('race', chart, { wait: false });
  const [a, b] = await two();
  const way = { historyMax: 3 };
  const { won, failures } = await outcome([
    a.upgrade('race', chart, { ...way, values: valuesOf('message: a') }),
    b.upgrade('race', chart, { ...way, values: valuesOf('message: b') }),
  ]);
  expect(won).toBe(1);
  expect(failures).toMatchObject([{ code: 'release-in-progress' }]);
  expect((await statuses(a, 'race')).at(-1)).toBe('5 deployed');
});

test('of an upgrade and a rollback one goes through', async () => {
  const first = actionsOn(cluster.client);
  await first.install('either', chart);
  await first.upgrade('either', chart, { values: valuesOf('message: two') });
  const [a, b] = await two();
  const { won, failures } = await outcome([a.upgrade('either', chart), b.rollback('either')]);
  expect(won).toBe(1);
  expect(failures).toMatchObject([{ code: 'release-in-progress' }]);
  expect(await statuses(a, 'either')).toEqual(['1 superseded', '2 superseded', '3 deployed']);
});

test('two uninstallations at once both end with nothing left', async () => {
  const first = actionsOn(cluster.client);
  await first.install('gone', chart);
  const clients = [await cluster.connect(), await cluster.connect()];
  const { failures } = await outcome(clients.map((client) => actionsOn(client).uninstall('gone')));
  for (const { code } of failures) expect(code).toBe('release-not-found');
  await expect(statuses(first, 'gone')).rejects.toMatchObject({ code: 'release-not-found' });
});
