import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Following, line, planOf, resolveOnce } from '../../../../test/support/resolve/follow.ts';
import { namespace, pod, workload } from '../../../../test/support/resolve/objects.ts';
import { withMessage } from '../../../../test/support/with-message.ts';
import type { SourcePlan } from './resolve.ts';

let cluster: InProcessCluster;
let following: Following | undefined;

beforeEach(() => {
  cluster = new InProcessCluster();
  following = undefined;
});

afterEach(async () => void (await following?.end()));

/** Returns `shop/web-0/app` for each container found, or `failed CODE` and other events. */
async function found(sources: readonly string[], more: Partial<SourcePlan>): Promise<readonly string[]> {
  const events = await resolveOnce(cluster.client(), planOf(sources, more));
  return events.map(line).flatMap((text) => (text.startsWith('synced') ? [] : [text.replace('added ', '')]));
}

/** Returns the printed form of the only error. */
async function failure(sources: readonly string[], more: Partial<SourcePlan>): Promise<string> {
  const events = await resolveOnce(cluster.client(), planOf(sources, more));
  const errors = events.flatMap((event) => (event.type === 'failed' ? [withMessage(event.error)] : []));
  expect(errors).toHaveLength(1);
  const [error] = errors;
  return [error?.what, error?.why, error?.next].join('\n');
}

describe('several namespaces', () => {
  beforeEach(() => {
    for (const name of ['shop', 'db', 'web']) cluster.put('namespaces', namespace(name));
    for (const ns of ['shop', 'db']) cluster.put('pods', pod('app-0', { namespace: ns }));
    const root = workload('apps/v1', 'StatefulSet', 'pg', { namespace: 'db' });
    cluster.put('statefulsets', root);
    cluster.put('pods', pod('pg-0', { namespace: 'db', labels: { app: 'pg' }, owner: root }));
  });

  test('searches for a source in each, and may find it in only some of them', async () => {
    expect(await found(['app-0'], { namespaces: ['shop', 'db'] })).toEqual([
      'db/app-0/app',
      'shop/app-0/app',
    ]);
    expect(await found(['statefulsets/pg'], { namespaces: ['shop', 'db'] })).toEqual(['db/pg-0/app']);
  });

  test('a source that names its namespace stays there', async () => {
    expect(await found(['db:app-0', 'app-0'], { namespaces: ['shop', 'web'] })).toEqual([
      'db/app-0/app',
      'shop/app-0/app',
    ]);
  });

  test('no right to list namespaces is needed, and one that refuses is left out', async () => {
    cluster.refused.push('list namespaces', 'get pods db');
    expect(await found(['app-0'], { namespaces: ['shop', 'db'] })).toEqual([
      'notice namespace-forbidden',
      'shop/app-0/app',
    ]);
  });

  test('a namespace that does not exist is reported beside those that do', async () => {
    expect(await found(['app-0'], { namespaces: ['shop', 'nope'] })).toEqual([
      'notice namespace-not-found',
      'shop/app-0/app',
    ]);
    expect(await failure(['app-0'], { namespaces: ['nope', 'neither'] })).toContain(
      'namespace "nope" does not exist',
    );
  });

  test('what is in none of them is an error that names them', async () => {
    expect(await failure(['deployments/api'], { namespaces: ['shop', 'db'] })).toContain(
      'there are no deployments like "api" in the namespaces "shop", "db"',
    );
  });

  test('with all namespaces a source needs no star', async () => {
    expect(await found(['app-0'], { allNamespaces: true })).toEqual(['db/app-0/app', 'shop/app-0/app']);
    expect(await found(['shop:pods/*'], { allNamespaces: true })).toEqual(['shop/app-0/app']);
  });

  test('pods that come later are followed in each', async () => {
    following = new Following(cluster.client(), planOf(['pods/*'], { namespaces: ['shop', 'web'] }));
    expect(await following.lines(2)).toEqual(['added shop/app-0/app', 'synced open']);
    cluster.put('pods', pod('late', { namespace: 'web' }));
    expect(await following.line()).toBe('added web/late/app');
  });
});

describe('containers by name and kind', () => {
  beforeEach(() => {
    const containers = ['app', 'metrics'];
    cluster.put(
      'pods',
      pod('web-0', { containers, init: ['setup'], sidecars: ['log'], ephemeral: ['debug'] }),
    );
  });

  test.each([
    [{ containers: ['metrics'] }, ['metrics']],
    [{ containers: ['app', 's*'] }, ['setup', 'app']],
    [{ containers: ['*'], excludeContainers: ['m*', 'log'] }, ['setup', 'app', 'debug']],
    [{ excludeContainers: ['app'] }, ['metrics']],
    [{ allContainers: true, excludeContainers: ['app'] }, ['setup', 'log', 'metrics', 'debug']],
    [{ allContainers: true, excludeKinds: ['init'] }, ['log', 'app', 'metrics', 'debug']],
    [{ allContainers: true, excludeKinds: ['init', 'ephemeral'] }, ['log', 'app', 'metrics']],
  ] satisfies [Partial<SourcePlan>, string[]][])('%j', async (plan, expected) => {
    expect(await found(['web-0'], plan)).toEqual(expected.map((name) => `shop/web-0/${name}`));
  });

  test('a source that names containers shows those that match both', async () => {
    expect(await found(['pods/web-0/*'], { excludeContainers: ['*e*'] })).toEqual([
      'shop/web-0/log',
      'shop/web-0/app',
    ]);
  });

  test('names the filters that removed everything', async () => {
    expect(await failure(['web-0'], { containers: ['ap'] })).toBe(
      'none of the containers of web-0 match --container ap\n' +
        'the containers are: app, debug, log, metrics, setup\ndid you mean --container app?',
    );
    expect(await failure(['pods/web-0/setup'], { excludeKinds: ['init'] })).toContain(
      'none of the containers of pods/web-0/setup match --no-init-containers',
    );
    expect(await failure(['pods/web-0/nope'], { excludeKinds: ['init'] })).toContain('no container "nope"');
  });
});

describe('containers by state', () => {
  const waiting = {
    containerStatuses: [{ name: 'app', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  };

  test('only those in such a state are shown', async () => {
    cluster.put('pods', pod('web-0'));
    cluster.put('pods', pod('web-1', { status: waiting }));
    expect(await found(['pods/*'], { containerStates: ['running'] })).toEqual(['shop/web-0/app']);
    expect(await found(['pods/*'], { containerStates: ['running', 'waiting'] })).toHaveLength(2);
    expect(await failure(['pods/*'], { containerStates: ['terminated'] })).toBe(
      'none of the containers of pods/* match --container-state terminated\n' +
        'the containers are running, waiting\ncheck the states, or leave out the filter',
    );
  });

  test('a container that comes to such a state joins, and stays when it leaves it', async () => {
    const uid = 'u1';
    cluster.put('pods', pod('web-0', { uid, status: waiting }));
    following = new Following(cluster.client(), planOf(['pods/*'], { containerStates: ['running'] }));
    expect(await following.lines(2)).toEqual(['notice filter-leaves-none', 'synced open']);
    cluster.put('pods', pod('web-0', { uid }));
    expect(await following.line()).toBe('added shop/web-0/app');
    cluster.put('pods', pod('web-0', { uid, status: waiting }));
    expect(await following.line()).toBe('changed shop/web-0/app');
  });
});

describe('pods by name and field', () => {
  test('pods that are left out by their names', async () => {
    for (const name of ['web-0', 'web-1', 'db-0']) cluster.put('pods', pod(name));
    expect(await found(['pods/*'], { excludePods: ['web-*'] })).toEqual(['shop/db-0/app']);
    expect(await failure(['web-1'], { excludePods: ['web-*'] })).toBe(
      'the only pod of web-1 does not match --exclude-pod web-*\npods: web-1\ncheck the values, or leave out the filter',
    );
  });

  test('fields are left to the server, of a named pod and without a source too', async () => {
    cluster.put('pods', pod('web-0'));
    cluster.put('namespaces', namespace('shop'));
    cluster.put('pods', pod('web-1', { phase: 'Failed' }));
    const fieldSelector = 'status.phase=Running';
    expect(await found(['pods/*'], { fieldSelector })).toEqual(['shop/web-0/app']);
    expect(await found([], { fieldSelector })).toEqual(['shop/web-0/app']);
    expect(await found(['web-0'], { fieldSelector })).toEqual(['shop/web-0/app']);
    expect(cluster.requests.at(-1)).toBe('list pods shop status.phase=Running,metadata.name=web-0');
    expect(await failure(['web-1'], { fieldSelector })).toContain(
      'there are no pods like "web-1" with fields status.phase=Running in namespace "shop"',
    );
  });

  test('the pods of a workload are asked for by both selectors', async () => {
    const root = workload('apps/v1', 'StatefulSet', 'db');
    cluster.put('statefulsets', root);
    for (const [name, phase] of [
      ['db-0', 'Running'],
      ['db-1', 'Failed'],
    ] as const)
      cluster.put('pods', pod(name, { labels: { app: 'db' }, owner: root, phase }));
    expect(await found(['statefulsets/db'], { fieldSelector: 'status.phase=Failed' })).toEqual([
      'shop/db-1/app',
    ]);
    expect(cluster.requests.at(-1)).toBe('list pods shop app=db status.phase=Failed');
  });
});
