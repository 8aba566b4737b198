import { join, resolve } from 'node:path';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Following, line, planOf, resolveOnce } from '../../../../test/support/resolve/follow.ts';
import { withMessage } from '../../../../test/support/with-message.ts';
import type { SourcePlan } from './resolve.ts';

let cluster: SimCluster;
const clients: KubeClient[] = [];
const followings: Following[] = [];

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: join(resolve(import.meta.dirname, '../../../../scenarios'), 'permissions.yaml'),
  });
});

afterEach(async () => {
  for (const following of followings.splice(0)) await following.end();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await cluster.close();
});

async function clientOf(context?: string): Promise<KubeClient> {
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context,
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  const client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
  clients.push(client);
  return client;
}

/** Removes the random ends of names, so that lines can be compared. */
function plain(text: string): string {
  return text.replace(/(shop\/web)-[a-z0-9]+-[a-z0-9]+/, '$1');
}

async function lines(
  user: string,
  sources: readonly string[],
  more?: Partial<SourcePlan>,
): Promise<readonly string[]> {
  const client = await clientOf(user);
  return (await resolveOnce(client, planOf(sources, more))).map((event) => plain(line(event)));
}

async function failure(user: string, sources: readonly string[], more?: Partial<SourcePlan>) {
  const events = await resolveOnce(await clientOf(user), planOf(sources, more));
  const [failed] = events.filter((event) => event.type === 'failed');
  if (failed === undefined) throw new Error(events.map(line).join());
  return withMessage(failed.error);
}

/** Returns the requests that the work makes, without the fixed start of their paths. */
async function requestsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = cluster.requests.length;
  await work();
  return cluster.requests.slice(before);
}

describe('over the wire', () => {
  test('a pod by name is one request', async () => {
    const requests = await requestsOf(() => lines('full', ['db-0']));
    expect(requests).toEqual(['GET /api/v1/namespaces/shop/pods/db-0']);
  });

  test('a Deployment narrows its request for pods', async () => {
    const requests = await requestsOf(async () => {
      expect(await lines('full', ['deployments/web'])).toEqual([
        'added shop/web/app',
        'added shop/web/app',
        'synced open',
      ]);
    });
    const pods = requests.filter((request) => request.includes('/pods'));
    expect(pods).toHaveLength(1);
    expect(pods[0]).toMatch(/^GET \/api\/v1\/namespaces\/shop\/pods\?.*labelSelector=/);
    expect(requests.filter((request) => !request.includes('/namespaces/shop/'))).toEqual([]);
    expect(requests).toHaveLength(3);
  });

  test('a StatefulSet, a Service and a glob over namespaces', async () => {
    const db = ['added shop/db-0/postgres', 'added shop/db-1/postgres', 'synced open'];
    expect(await lines('full', ['sts/db'])).toEqual(db);
    expect(await lines('full', ['svc/db'])).toEqual(db);
    expect(await lines('full', ['s*:db-*'])).toEqual(db);
    expect(await lines('full', ['*:pods/*'])).toContain('added other/elsewhere/main');
  });

  test('filters by node labels', async () => {
    const zones = await Promise.all(
      ['eu-west-1a', 'eu-west-1b'].map((zone) => lines('full', ['pods/*'], { zones: [zone] })),
    );
    const all = await lines('full', ['pods/*']);
    const both = zones.flat().filter((text) => text.startsWith('added'));
    expect(both.sort()).toEqual(all.filter((text) => text.startsWith('added')).sort());
  });
});

describe('by rights', () => {
  test('a reader of one namespace', async () => {
    expect(await lines('ns-reader', ['deployments/web'])).toHaveLength(3);
    expect(await failure('ns-reader', ['*:pods/*'])).toMatchObject({ code: 'forbidden' });
  });

  test('someone with permission to get only one pod', async () => {
    const requests = await requestsOf(async () => {
      expect(await lines('named-only', ['db-0'])).toEqual(['added shop/db-0/postgres', 'synced open']);
    });
    expect(requests).toHaveLength(1);
    const error = await failure('named-only', ['ghost']);
    expect(error.code).toBe('forbidden');
    expect(error.next).toContain('kubectl auth can-i get pods/ghost -n shop');
  });

  test('names the missing right to someone without rights', async () => {
    const error = await failure('nobody', ['deployments/web']);
    expect(error.what).toContain('get deployment.apps web in namespace shop');
    expect(error.next).toContain('kubectl auth can-i');
  });

  test('without permission to get nodes: --node and --zone work, --arch names the permission', async () => {
    const nodes = { nodes: ['node-a', 'node-b'] };
    expect(await lines('no-nodes', ['sts/db'], nodes)).toHaveLength(3);
    // The cluster copies the zone of a node to its pods.
    expect(await lines('no-nodes', ['sts/db'], { zones: ['eu-west-1a'] })).toHaveLength(2);
    const error = await failure('no-nodes', ['sts/db'], { arch: ['amd64'] });
    expect(error.code).toBe('nodes-forbidden');
    expect(error.what).toMatch(/get node node-[ab]$/);
  });

  test('following without the right to watch says that it polls', async () => {
    const following = new Following(await clientOf('no-watch'), planOf(['pods/*']));
    followings.push(following);
    const seen: string[] = [];
    while (!seen.includes('notice polling')) seen.push(await following.line());
    expect(seen).toContain('synced open');
  });

  test('following a pod by its name with only get', async () => {
    const following = new Following(await clientOf('named-only'), planOf(['db-0']));
    followings.push(following);
    expect(await following.lines(3)).toEqual(['added shop/db-0/postgres', 'synced open', 'notice polling']);
  });

  test('credentials that are refused', async () => {
    expect((await failure('bad-token', ['db-0'])).code).toBe('unauthorized');
  });
});

test('following sees a rollout: pods of the new ReplicaSet join, those of the old one leave', async () => {
  const following = new Following(await clientOf('full'), planOf(['deployments/web']));
  followings.push(following);
  const seen = [...(await following.lines(3))];
  const old = seen.slice(0, 2).map((text) => text.slice('added '.length));
  await cluster.act({ action: 'rollout', namespace: 'shop', workload: 'deployments/web', image: 'web:2' });
  while (seen.filter((text) => text.startsWith('gone ')).length < 2) seen.push(await following.line());
  const gone = seen.filter((text) => text.startsWith('gone ')).map((text) => text.slice('gone '.length));
  expect(gone.sort()).toEqual([...old].sort());
  expect(seen.filter((text) => text.startsWith('added '))).toHaveLength(4);
});
