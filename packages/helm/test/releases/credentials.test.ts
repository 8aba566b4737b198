import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { chartOf, hook, TINY } from '../../../../test/support/helm/tiny-chart.ts';

let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client);
});
afterAll(() => cluster.close());
afterEach(() => cluster.sim.clearFaults());
const quick = { wait: false, preflight: false };
/** From the first request that matches on, the cluster no longer knows who asks. */
const expireAt = (match: string) => cluster.sim.inject({ kind: 'status', status: 401, match });

test('credentials that expire during an upgrade are named once, with the login before the repair command', async () => {
  await on.install('late', chartOf(TINY), quick);
  expireAt('^PATCH|^PUT');
  const failure = on.upgrade('late', chartOf(TINY), quick);
  await expect(failure).rejects.toMatchObject({
    code: 'release-unrecorded',
    what: 'the upgrade of late failed, and logtool could not record that: the release may still say pending-upgrade',
    why: expect.stringMatching(/^the cluster does not accept the credentials of [^\n]+\n[^\n]+ 401[^\n]*$/),
    next: 'log in again, then: logtool cluster rollback --name late -n default --any-chart --revision 1',
  });
});

test('does not point to a hook that could not be made because of them', async () => {
  expireAt('^PATCH .*/jobs/');
  await expect(
    on.install('early', chartOf({ ...TINY, ...hook('pre-install') }), quick),
  ).rejects.toMatchObject({
    code: 'hook-failed',
    why: expect.stringMatching(/^the cluster does not accept the credentials of /),
    next: expect.stringMatching(/^log in again/),
  });
});

test('a record that may not be written waits for the right, not for the cluster', async () => {
  await on.install('barred', chartOf(TINY), quick);
  cluster.sim.inject({ kind: 'status', status: 403, match: '^PATCH|^PUT' });
  await expect(on.upgrade('barred', chartOf(TINY), quick)).rejects.toMatchObject({
    code: 'release-unrecorded',
    next: 'once the cause is fixed: logtool cluster rollback --name barred -n default --any-chart --revision 1',
  });
});
