import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
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

const unauthorized = () =>
  kubeFailed('unauthorized', {
    server: cluster.client.cluster.server,
    context: 'admin',
    user: 'admin',
    why: 'Unauthorized',
    hasOwnToken: false,
  });
function forbidden(verb: string, singular: string, name: string) {
  const request = { verb, resource: `${singular}s`, namespace: 'default', name };
  return kubeFailed('forbidden', {
    request,
    right: { ...request, singular },
    why: 'forbidden by an injected fault',
    check: `kubectl auth can-i ${verb} ${singular}s/${name} -n default`,
  });
}
const backTo = (name: string) =>
  ({
    kind: 'rollback',
    release: { name, namespace: 'default', chart: 'tiny' },
    revision: 1,
  }) as const;

test('credentials that expire during an upgrade are named, and that the repair waits for a login', async () => {
  await on.install('late', chartOf(TINY), quick);
  expireAt('^PATCH|^PUT');
  const failure = on.upgrade('late', chartOf(TINY), quick);
  await expect(failure).rejects.toEqual(
    helmFailed('release-unrecorded', {
      action: { kind: 'upgrade', name: 'late' },
      status: 'pending-upgrade',
      failure: unauthorized(),
      unrecorded: unauthorized(),
      remedy: backTo('late'),
      once: 'signed-in',
    }),
  );
});

test('a hook that could not be made because of them has them for its failure', async () => {
  expireAt('^PATCH .*/jobs/');
  await expect(on.install('early', chartOf({ ...TINY, ...hook('pre-install') }), quick)).rejects.toEqual(
    helmFailed('hook-failed', {
      event: 'pre-install',
      hook: { name: 'early-pre-install', path: 'tiny/templates/pre-install.yaml', kind: 'Job' },
      namespace: 'default',
      failure: unauthorized(),
      isDeleted: false,
    }),
  );
});

test('a record that may not be written waits for the right, not for the cluster', async () => {
  await on.install('barred', chartOf(TINY), quick);
  cluster.sim.inject({ kind: 'status', status: 403, match: '^PATCH|^PUT' });
  await expect(on.upgrade('barred', chartOf(TINY), quick)).rejects.toEqual(
    helmFailed('release-unrecorded', {
      action: { kind: 'upgrade', name: 'barred' },
      status: 'pending-upgrade',
      failure: forbidden('patch', 'configmap', 'barred-config'),
      unrecorded: forbidden('update', 'secret', 'sh.helm.release.v1.barred.v2'),
      remedy: backTo('barred'),
      once: 'fixed',
    }),
  );
});
