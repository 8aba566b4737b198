import type { KubeClient, KubeObject } from '@logtool/kube/src/client.ts';
import { InProcessCluster } from '@logtool/simcluster/test/support/in-process-cluster.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { line, planOf, resolveOnce } from '../../../../test/support/resolve/follow.ts';
import { namespace, node, type Owner, pod, workload } from '../../../../test/support/resolve/objects.ts';
import { withMessage } from '../../../../test/support/with-message.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';
import type { SourcePlan } from './resolve.ts';

let cluster: InProcessCluster;

beforeEach(() => {
  cluster = new InProcessCluster();
});

async function events(
  sources: readonly string[],
  more?: Partial<SourcePlan>,
): Promise<readonly ResolveEvent[]> {
  return resolveOnce(cluster.client(), planOf(sources, more));
}

async function lines(sources: readonly string[], more?: Partial<SourcePlan>): Promise<readonly string[]> {
  return (await events(sources, more)).map(line);
}

/** Returns `namespace/pod/container` of the results. Fails on anything but containers and `synced`. */
async function found(sources: readonly string[], more?: Partial<SourcePlan>): Promise<readonly string[]> {
  const all = await lines(sources, more);
  expect(all.at(-1)).toMatch(/^synced /);
  return all.slice(0, -1).map((text) => {
    expect(text).toMatch(/^added /);
    return text.slice('added shop/'.length);
  });
}

async function failure(sources: readonly string[], more?: Partial<SourcePlan>) {
  const failed = (await events(sources, more)).filter((event) => event.type === 'failed');
  expect(failed).toHaveLength(1);
  const error = failed[0]?.error;
  if (error === undefined) throw new Error('nothing failed');
  return withMessage(error);
}

/** Yields the same items, but only after the given moment. */
async function* after<T>(moment: Promise<void>, items: AsyncIterable<T>): AsyncGenerator<T> {
  await moment;
  yield* items;
}

/** Creates a Deployment with one pod for each ReplicaSet. */
function deployment(name: string, hashes: readonly string[], where = 'shop'): void {
  const root = workload('apps/v1', 'Deployment', name, { namespace: where });
  cluster.put('deployments', root);
  for (const hash of hashes) {
    const labels = { app: name, 'pod-template-hash': hash };
    const owned = { namespace: where, labels };
    const set = workload('apps/v1', 'ReplicaSet', `${name}-${hash}`, { ...owned, owner: root });
    cluster.put('replicasets', set);
    cluster.put('pods', pod(`${name}-${hash}-x`, { ...owned, owner: set }));
  }
}

function owned(plural: string, apiVersion: string, kind: string, name: string): Owner {
  const root = workload(apiVersion, kind, name);
  cluster.put(plural, root);
  cluster.put('pods', pod(`${name}-0`, { labels: { app: name }, owner: root }));
  return root;
}

describe('a pod by name', () => {
  test('costs one request', async () => {
    cluster.put('pods', pod('web-0'));
    expect(await found(['web-0'])).toEqual(['web-0/app']);
    expect(cluster.requests).toEqual(['get pods shop web-0']);
  });

  test.each(['pod/web-0', 'Pods/web-0', 'po/web-0', 'pods.v1./web-0', 'shop:web-0', 'shop:pods/web-0'])(
    '%s is the same pod',
    async (argument) => {
      cluster.put('pods', pod('web-0'));
      expect(await found([argument])).toEqual(['web-0/app']);
      expect(cluster.requests).toEqual(['get pods shop web-0']);
    },
  );

  test('the namespace of the plan goes before that of the context', async () => {
    cluster.put('pods', pod('web-0', { namespace: 'other' }));
    expect(await lines(['web-0'], { namespaces: ['other'] })).toEqual([
      'added other/web-0/app',
      'synced open',
    ]);
  });

  test('its set is closed when it is over', async () => {
    cluster.put('pods', pod('done', { phase: 'Succeeded' }));
    expect(await lines(['done'])).toEqual(['added shop/done/app', 'synced closed']);
  });

  test('several containers of it cost one request, and each is reported once', async () => {
    cluster.put('pods', pod('web-0', { containers: ['app', 'proxy'] }));
    const sources = ['pods/web-0/app', 'pods/web-0/proxy', 'pods/web-0/app', 'pods/web-0/*'];
    expect(await found(sources)).toEqual(['web-0/app', 'web-0/proxy']);
    expect(cluster.requests).toEqual(['get pods shop web-0']);
  });

  test('--selector also holds for it', async () => {
    cluster.put('pods', pod('web-0', { labels: { app: 'web' } }));
    expect(await found(['web-0'], { selector: 'app=web' })).toEqual(['web-0/app']);
    expect((await failure(['web-0'], { selector: 'app=db' })).code).toBe('source-not-found');
  });
});

describe('workloads', () => {
  test('a Deployment: pods of all its ReplicaSets, by a narrowed request', async () => {
    deployment('web', ['aaa', 'bbb']);
    deployment('db', ['ccc']);
    expect(await found(['deployments/web'])).toEqual(['web-aaa-x/app', 'web-bbb-x/app']);
    expect(cluster.requests).toEqual([
      'get deployments shop web',
      'list replicasets shop app=web metadata',
      'list pods shop app=web',
    ]);
  });

  test('ReplicaSets are asked for before the pods are known', async () => {
    deployment('web', ['aaa', 'bbb']);
    const client = cluster.client();
    let onReplicaSets = () => {};
    const wereAsked = new Promise<void>((resolve) => {
      onReplicaSets = resolve;
    });
    const held: KubeClient = {
      ...client,
      list<T extends KubeObject>(...[type, query, options]: Parameters<KubeClient['list']>) {
        if (type.plural === 'replicasets') onReplicaSets();
        const pages = client.list<T>(type, query, options);
        return type.plural === 'pods' ? after(wereAsked, pages) : pages;
      },
    };
    expect((await resolveOnce(held, planOf(['deployments/web']))).map(line)).toHaveLength(3);
  });

  test('ReplicaSets that have other labels, or may not be listed, are read one by one', async () => {
    deployment('web', ['aaa', 'bbb']);
    cluster.refused.push('list replicasets');
    expect(await found(['deployments/web'])).toEqual(['web-aaa-x/app', 'web-bbb-x/app']);
    const refused = cluster.requests.splice(0);
    expect(refused.filter((request) => request.startsWith('get replicasets'))).toHaveLength(2);
    cluster.refused.length = 0;
    const root = workload('apps/v1', 'Deployment', 'old', { namespace: 'shop' });
    cluster.put('deployments', root);
    const set = workload('apps/v1', 'ReplicaSet', 'old-1', { namespace: 'shop', labels: {}, owner: root });
    cluster.put('replicasets', set);
    cluster.put('pods', pod('old-1-x', { labels: { app: 'old' }, owner: set }));
    expect(await found(['deployments/old'])).toEqual(['old-1-x/app']);
    expect(cluster.requests).toContain('get replicasets shop old-1 metadata');
  });

  test('many ReplicaSets are read by one list', async () => {
    deployment('web', ['a', 'b', 'c', 'd', 'e']);
    expect(await found(['deploy/web'])).toHaveLength(5);
    expect(cluster.requests).toEqual([
      'get deployments shop web',
      'list replicasets shop app=web metadata',
      'list pods shop app=web',
    ]);
  });

  test('pods with the labels of a Deployment that belong to another are left out', async () => {
    deployment('web', ['aaa']);
    cluster.put('pods', pod('stray', { labels: { app: 'web' } }));
    const other = workload('apps/v1', 'ReplicaSet', 'alien', { labels: { app: 'web' } });
    cluster.put('replicasets', other);
    cluster.put('pods', pod('alien-x', { labels: { app: 'web' }, owner: other }));
    expect(await found(['deployments/web'])).toEqual(['web-aaa-x/app']);
  });

  test('an owner of the right name with another UID is another owner', async () => {
    const old = workload('apps/v1', 'StatefulSet', 'db', { uid: 'old' });
    cluster.put('pods', pod('db-0', { labels: { app: 'db' }, owner: old }));
    cluster.put('statefulsets', workload('apps/v1', 'StatefulSet', 'db', { uid: 'new' }));
    expect((await failure(['sts/db'])).code).toBe('no-pods');
  });

  test.each([
    ['statefulsets', 'apps/v1', 'StatefulSet', 'sts'],
    ['daemonsets', 'apps/v1', 'DaemonSet', 'ds'],
    ['replicasets', 'apps/v1', 'ReplicaSet', 'rs'],
    ['jobs', 'batch/v1', 'Job', 'job'],
  ])('%s: two requests', async (plural, apiVersion, kind, short) => {
    owned(plural, apiVersion, kind, 'db');
    expect(await found([`${short}/db`])).toEqual(['db-0/app']);
    expect(cluster.requests).toEqual([`get ${plural} shop db`, 'list pods shop app=db']);
  });

  test('a ReplicationController has a plain map for a selector', async () => {
    const root = workload('v1', 'ReplicationController', 'old', { spec: { selector: { app: 'old' } } });
    cluster.put('replicationcontrollers', root);
    cluster.put('pods', pod('old-1', { labels: { app: 'old' }, owner: root }));
    expect(await found(['rc/old'])).toEqual(['old-1/app']);
    expect(cluster.requests).toContain('list pods shop app=old');
  });

  test('a CronJob: pods of its Jobs', async () => {
    const root = workload('batch/v1', 'CronJob', 'report', { spec: { selector: undefined } });
    cluster.put('cronjobs', root);
    for (const name of ['report-1', 'report-2']) {
      const job = workload('batch/v1', 'Job', name, { owner: root });
      cluster.put('jobs', job);
      cluster.put('pods', pod(`${name}-x`, { labels: { 'job-name': name }, owner: job }));
    }
    owned('jobs', 'batch/v1', 'Job', 'migrate');
    expect(await found(['cj/report'])).toEqual(['report-1-x/app', 'report-2-x/app']);
    expect(cluster.requests.slice(0, 2)).toEqual(['get cronjobs shop report', 'list pods shop job-name']);
  });

  test('a Service: pods by its selector, whatever owns them', async () => {
    cluster.put('services', workload('v1', 'Service', 'web', { spec: { selector: { app: 'web' } } }));
    deployment('web', ['aaa']);
    cluster.put('pods', pod('bare', { labels: { app: 'web' } }));
    expect(await found(['svc/web'])).toEqual(['bare/app', 'web-aaa-x/app']);
    expect(cluster.requests).toEqual(['get services shop web', 'list pods shop app=web']);
  });

  test('a Service without a selector has no pods', async () => {
    cluster.put('services', workload('v1', 'Service', 'ext', { spec: { selector: undefined } }));
    cluster.put('pods', pod('bare'));
    expect((await failure(['svc/ext'])).code).toBe('no-pods');
  });

  test('another kind is found by discovery, and owns through what it owns', async () => {
    cluster.types.push({
      group: 'argoproj.io',
      version: 'v1alpha1',
      plural: 'rollouts',
      singular: 'rollout',
      kind: 'Rollout',
      shortNames: ['ro'],
      namespaced: true,
      verbs: ['get', 'list', 'watch'],
    });
    const root = workload('argoproj.io/v1alpha1', 'Rollout', 'web', {
      spec: { template: { metadata: { labels: { app: 'web' } } } },
    });
    cluster.put('rollouts', root);
    const set = workload('apps/v1', 'ReplicaSet', 'web-1', { owner: root });
    cluster.put('replicasets', set);
    cluster.put('pods', pod('web-1-x', { labels: { app: 'web' }, owner: set }));
    for (const argument of [
      'rollouts/web',
      'ro/web',
      'Rollout.argoproj.io/web',
      'rollouts.v1alpha1.argoproj.io/web',
    ]) {
      expect(await found([argument])).toEqual(['web-1-x/app']);
    }
    expect(cluster.requests.slice(0, 4)).toEqual([
      'discover',
      'get rollouts shop web',
      'list pods shop app=web',
      'get replicasets shop web-1 metadata',
    ]);
  });

  test('a custom resource owns pods three steps down, and its selector is not trusted', async () => {
    cluster.types.push({
      group: 'example.com',
      version: 'v1',
      plural: 'shops',
      singular: 'shop',
      kind: 'Shop',
      shortNames: [],
      namespaced: true,
      verbs: ['get'],
    });
    const root = workload('example.com/v1', 'Shop', 'main', {
      spec: { selector: { matchLabels: { a: 'b' } } },
    });
    cluster.put('shops', root);
    const middle = workload('apps/v1', 'Deployment', 'front', { owner: root });
    cluster.put('deployments', middle);
    const set = workload('apps/v1', 'ReplicaSet', 'front-1', { owner: middle });
    cluster.put('replicasets', set);
    cluster.put('pods', pod('front-1-x', { owner: set }));
    expect(await found(['shops/main'])).toEqual(['front-1-x/app']);
  });
});

describe('globs and unions', () => {
  test('deployments/* and a glob on names', async () => {
    deployment('web-a', ['1']);
    deployment('web-b', ['1']);
    deployment('db', ['1']);
    owned('statefulsets', 'apps/v1', 'StatefulSet', 'kafka');
    expect(await found(['deployments/*'])).toEqual(['db-1-x/app', 'web-a-1-x/app', 'web-b-1-x/app']);
    expect(await found(['deployments/web-*'])).toEqual(['web-a-1-x/app', 'web-b-1-x/app']);
    expect(await found(['web-*'])).toEqual(['web-a-1-x/app', 'web-b-1-x/app']);
  });

  test('all namespaces by one request', async () => {
    cluster.put('pods', pod('a', { namespace: 'one' }));
    cluster.put('pods', pod('b', { namespace: 'two' }));
    expect(await lines(['*:pods/*'])).toEqual(['added one/a/app', 'added two/b/app', 'synced open']);
    expect(cluster.requests).toEqual(['list pods -']);
  });

  test('namespaces by a glob: only those are asked', async () => {
    for (const name of ['ns-1', 'ns-2', 'other']) {
      cluster.put('namespaces', namespace(name));
      deployment('web', ['1'], name);
    }
    expect(await lines(['ns-*:deployments/web'])).toEqual([
      'added ns-1/web-1-x/app',
      'added ns-2/web-1-x/app',
      'synced open',
    ]);
    expect(cluster.requests.filter((request) => request.includes('other'))).toEqual([]);
  });

  test('a namespace glob without the right to list namespaces reads the whole cluster', async () => {
    cluster.refused.push('list namespaces');
    cluster.put('pods', pod('a', { namespace: 'ns-1' }));
    cluster.put('pods', pod('b', { namespace: 'other' }));
    expect(await lines(['ns-*:pods/*'])).toEqual(['added ns-1/a/app', 'synced open']);
  });

  test('all namespaces without the right to look everywhere asks each, and says which are left out', async () => {
    cluster.refused.push('list pods -', 'list pods two');
    for (const name of ['one', 'two']) {
      cluster.put('namespaces', namespace(name));
      cluster.put('pods', pod('a', { namespace: name }));
    }
    expect(await lines(['*:pods/*'])).toEqual([
      'notice namespace-forbidden',
      'added one/a/app',
      'synced open',
    ]);
  });

  test('a name in all namespaces', async () => {
    deployment('web', ['1'], 'one');
    deployment('web', ['1'], 'two');
    deployment('db', ['1'], 'two');
    expect(await lines(['*:deployments/web'])).toEqual([
      'added one/web-1-x/app',
      'added two/web-1-x/app',
      'synced open',
    ]);
  });

  describe('a name in all namespaces, and what pods are asked for', () => {
    const asked = () => cluster.requests.filter((request) => request.includes(' pods'));

    test('those that the one selector of all has', async () => {
      deployment('web', ['1'], 'one');
      deployment('web', ['1'], 'two');
      await lines(['*:deployments/web'], { selector: 'tier!=db' });
      expect(asked()).toEqual(['list pods - app=web,tier!=db']);
    });

    test('all of them, where selectors differ or there is none', async () => {
      deployment('web', ['1'], 'one');
      for (const [where, selector] of [
        ['two', { matchLabels: { role: 'web' } }],
        ['three', undefined],
      ] as const) {
        const root = workload('apps/v1', 'Deployment', 'web', { namespace: where, spec: { selector } });
        cluster.put('deployments', root);
        const owned = { namespace: where, labels: { role: 'web' } };
        const set = workload('apps/v1', 'ReplicaSet', 'web-2', { ...owned, owner: root });
        cluster.put('replicasets', set);
        cluster.put('pods', pod('web-2-x', { ...owned, owner: set }));
      }
      expect(await lines(['*:deployments/web'])).toEqual([
        'added one/web-1-x/app',
        'added three/web-2-x/app',
        'added two/web-2-x/app',
        'synced open',
      ]);
      expect(asked()).toEqual(['list pods -']);
    });

    test('none, where nothing has that name', async () => {
      deployment('db', ['1'], 'one');
      expect(await failure(['*:deployments/web'])).toMatchObject({
        what: 'there are no deployments like "web" in any namespace',
        why: 'the name may be wrong',
        next: 'kubectl get deployments -A lists those that exist',
      });
      expect(asked()).toEqual([]);
    });
  });

  test('reports a container that several sources name once', async () => {
    deployment('web', ['aaa']);
    expect(await found(['deployments/web', 'web-aaa-x', 'pods/*'])).toEqual(['web-aaa-x/app']);
  });

  test('a second argument that kubectl would take for a container is answered as one', async () => {
    cluster.put('pods', pod('web-0'));
    const [event] = await events(['web-0', 'proxy']).then((all) =>
      all.filter(({ type }) => type === 'failed'),
    );
    expect(event?.type === 'failed' && withMessage(event.error).next).toBe(
      'for container proxy of web-0: --container proxy; else check the name, and the namespace with -n',
    );
  });

  test('one source fails, the others continue', async () => {
    cluster.put('pods', pod('web-0'));
    expect(await lines(['nope', 'web-0'])).toEqual([
      'failed source-not-found',
      'added shop/web-0/app',
      'synced open',
    ]);
  });

  test('only a selector means all pods that it selects', async () => {
    deployment('web', ['aaa']);
    deployment('db', ['bbb']);
    expect(await found([], { selector: 'app in (web)' })).toEqual(['web-aaa-x/app']);
    expect(cluster.requests).toEqual(['list pods shop app=web']);
  });

  test('a selector narrows a workload', async () => {
    deployment('web', ['aaa', 'bbb']);
    expect(await found(['deployments/web'], { selector: 'pod-template-hash!=aaa' })).toEqual([
      'web-bbb-x/app',
    ]);
    expect(cluster.requests).toContain('list pods shop app=web,pod-template-hash!=aaa');
  });
});

describe('containers', () => {
  const many = {
    containers: ['app', 'proxy'],
    init: ['setup'],
    sidecars: ['log-shipper'],
    ephemeral: ['debugger'],
  };

  test('without one: the first regular one', async () => {
    cluster.put('pods', pod('web-0', many));
    expect(await found(['web-0'])).toEqual(['web-0/app']);
  });

  test('without one: the one that the annotation names', async () => {
    const annotations = { 'kubectl.kubernetes.io/default-container': 'proxy' };
    cluster.put('pods', pod('web-0', { ...many, annotations }));
    expect(await found(['web-0'])).toEqual(['web-0/proxy']);
  });

  test('an annotation that names nothing is passed over', async () => {
    const annotations = { 'kubectl.kubernetes.io/default-container': 'gone' };
    cluster.put('pods', pod('web-0', { ...many, annotations }));
    expect(await found(['web-0'])).toEqual(['web-0/app']);
  });

  const all = ['setup', 'log-shipper', 'app', 'proxy', 'debugger'].map((name) => `web-0/${name}`);

  test('/* and --all-containers mean every kind, in the order of their start', async () => {
    cluster.put('pods', pod('web-0', many));
    expect(await found(['pods/web-0/*'])).toEqual(all);
    expect(await found(['web-0'], { allContainers: true })).toEqual(all);
  });

  test('distinguishes kinds', async () => {
    cluster.put('pods', pod('web-0', many));
    const kinds = (await events(['pods/web-0/*'])).flatMap((event) =>
      event.type === 'added' ? [event.target.kind] : [],
    );
    expect(kinds).toEqual(['init', 'sidecar', 'regular', 'regular', 'ephemeral']);
  });

  test.each(['setup', 'log-shipper', 'proxy', 'debugger'])('%s by name', async (name) => {
    cluster.put('pods', pod('web-0', many));
    expect(await found([`pods/web-0/${name}`])).toEqual([`web-0/${name}`]);
    expect(await found([`pods/web-0/${name}`], { allContainers: true })).toEqual([`web-0/${name}`]);
  });

  test('by a glob', async () => {
    cluster.put('pods', pod('web-0', many));
    expect(await found(['pods/web-0/*p*r*'])).toEqual(['web-0/log-shipper', 'web-0/proxy']);
  });

  test('one that no pod has: the error lists the existing ones, and the nearest', async () => {
    cluster.put('pods', pod('web-0', many));
    const error = await failure(['pods/web-0/proxi']);
    expect(error.code).toBe('container-not-found');
    expect(error.what).toBe('no container "proxi" in the pods of pods/web-0');
    expect(error.why).toContain('app, debugger, log-shipper, proxy, setup');
    expect(error.next).toContain('proxy');
  });

  test('one that only some pods have is no error', async () => {
    cluster.put('pods', pod('web-0'));
    cluster.put('pods', pod('web-1', { containers: ['app', 'proxy'] }));
    expect(await found(['pods/*/proxy'])).toEqual(['web-1/proxy']);
  });
});

describe('nothing to show', () => {
  test('an absent pod, with near names and workloads', async () => {
    deployment('web', ['aaa']);
    const error = await failure(['wbe']);
    expect(error).toMatchObject({
      code: 'source-not-found',
      what: 'pod "wbe" was not found in namespace "shop"',
    });
    expect(error.next).toContain('deployments/web');
  });

  test('an absent pod that a kind is named after', async () => {
    cluster.put('pods', pod('web-0'));
    const error = await failure(['shop:deployments']);
    expect(error.code).toBe('source-not-found');
    expect(error.next).toContain('shop:deployments/*');
  });

  test('an absent Deployment, with near names', async () => {
    deployment('web', ['aaa']);
    const error = await failure(['deployments/wbe']);
    expect(error.what).toBe('deployment "wbe" was not found in namespace "shop"');
    expect(error.next).toBe('did you mean deployments/web?');
  });

  test('without the right to list there are no near names, and the error stays', async () => {
    cluster.put('namespaces', namespace('shop'));
    deployment('web', ['aaa']);
    cluster.refused.push('list');
    expect((await failure(['deployments/wbe'])).code).toBe('source-not-found');
  });

  test('an absent namespace', async () => {
    cluster.put('namespaces', namespace('shop'));
    const error = await failure(['shpo:web']);
    expect(error).toMatchObject({ code: 'namespace-missing', what: 'namespace "shpo" does not exist' });
    expect(error.next).toContain('shop');
  });

  test('an unknown kind is a usage error, with near words', async () => {
    const error = await failure(['deplyoments/web']);
    expect(error).toMatchObject({ code: 'unknown-kind', exit: 'usage' });
    expect(error.next).toContain('deployments');
  });

  test('what looks like pod/container suggests pods/pod/container', async () => {
    expect((await failure(['web-0/nginx'])).next).toContain('pods/web-0/nginx');
  });

  test('a workload scaled to 0 is a notice', async () => {
    cluster.put('deployments', workload('apps/v1', 'Deployment', 'web', { spec: { replicas: 0 } }));
    const all = await events(['deployments/web']);
    expect(all.map(line)).toEqual(['notice no-pods', 'synced open']);
    expect(all[0]).toMatchObject({ data: { reason: 'scaled-to-zero' } });
  });

  test('a workload that should have pods and has none is an error', async () => {
    cluster.put('deployments', workload('apps/v1', 'Deployment', 'web', { spec: { replicas: 2 } }));
    expect((await failure(['deployments/web'])).code).toBe('no-pods');
  });

  test('globs and selectors that match nothing', async () => {
    cluster.put('namespaces', namespace('shop'));
    cluster.put('pods', pod('web-0'));
    expect((await failure(['db-*'])).code).toBe('no-pods');
    expect((await failure([], { selector: 'app=db' })).what).toContain('app=db');
    expect((await failure(['deployments/*'])).code).toBe('none-of-kind');
  });

  test('globs in a missing namespace', async () => {
    cluster.put('namespaces', namespace('shop'));
    for (const source of ['shpo:deployments/*', 'shpo:pods/*', 'shpo:web-*']) {
      expect(await failure([source])).toMatchObject({
        code: 'namespace-missing',
        next: 'did you mean shop?',
      });
    }
    cluster.refused.push('get namespaces');
    expect((await failure(['shpo:deployments/*'])).what).toBe('there are no deployments in namespace "shpo"');
  });

  test('globs on namespaces that match none', async () => {
    cluster.put('namespaces', namespace('shop'));
    expect((await failure(['x*:deployments/*'])).what).toBe(
      'there are no deployments in namespaces like "x*"',
    );
    expect((await failure(['*:deployments/*'])).what).toBe('there are no deployments in any namespace');
  });

  test('a node: what runs there is asked for in another way', async () => {
    cluster.put('nodes', { kind: 'Node', metadata: { name: 'node-a', uid: 'uid-node-a' } });
    const error = await failure(['nodes/node-a']);
    expect(error.what).toBe('nodes/node-a in the cluster has no pods');
    expect(error.next).toContain("logtool logs '*:pods/*' --node node-a");
  });

  test('no source at all is a usage error', async () => {
    await expect(events([])).rejects.toMatchObject({ code: 'no-source', exit: 'usage' });
  });

  test('wrong arguments are refused before any request', async () => {
    await expect(events(['web-0', 'deployments/Web'])).rejects.toMatchObject({ code: 'bad-source' });
    await expect(events(['web-0'], { selector: 'app in web' })).rejects.toMatchObject({
      code: 'bad-selector',
    });
    await expect(events(['web-0'], { namespaces: ['../shop'] })).rejects.toMatchObject({
      code: 'bad-namespace',
    });
    expect(cluster.requests).toEqual([]);
  });
});

const LABELS = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  os: 'kubernetes.io/os',
  arch: 'kubernetes.io/arch',
};
/** The labels of older nodes. */
const OLD_LABELS = {
  zone: 'failure-domain.beta.kubernetes.io/zone',
  region: 'failure-domain.beta.kubernetes.io/region',
  os: 'beta.kubernetes.io/os',
  arch: 'beta.kubernetes.io/arch',
};

describe('placement', () => {
  beforeEach(() => {
    const nodes = [
      { zone: 'a', arch: 'amd64', labels: LABELS },
      { zone: 'b', arch: 'arm64', labels: LABELS },
      { zone: 'b', arch: 'arm64', labels: OLD_LABELS },
    ];
    for (const [index, { zone, arch, labels }] of nodes.entries()) {
      const placed = {
        [labels.zone]: zone,
        [labels.region]: 'eu',
        [labels.os]: 'linux',
        [labels.arch]: arch,
      };
      cluster.put('nodes', node(`node-${index}`, placed));
      cluster.put('pods', pod(`web-${index}`, { node: `node-${index}` }));
    }
    cluster.put('pods', pod('pending', { phase: 'Pending' }));
  });

  test('nodes are read only on demand', async () => {
    expect(await found(['pods/*'])).toHaveLength(4);
    expect(cluster.requests).toEqual(['list pods shop']);
  });

  test.each([
    [{ zones: ['b'] }, ['web-1', 'web-2']],
    [{ zones: ['a', 'b'] }, ['web-0', 'web-1', 'web-2']],
    [{ regions: ['eu'] }, ['web-0', 'web-1', 'web-2']],
    [{ os: ['linux'], arch: ['amd64'] }, ['web-0']],
    [{ nodes: ['node-1'] }, ['web-1']],
    [{ nodes: ['node-1', 'node-2'], zones: ['b'] }, ['web-1', 'web-2']],
  ])('%j leaves %j', async (filter, names) => {
    expect(await found(['pods/*'], filter)).toEqual(names.map((name) => `${name}/app`));
  });

  test('--node works without any right on nodes', async () => {
    cluster.refused.push('get nodes', 'list nodes');
    expect(await found(['pods/*'], { nodes: ['node-1'] })).toEqual(['web-1/app']);
    expect(cluster.requests).toEqual(['list pods shop']);
  });

  test('the others fail without it, and name the right', async () => {
    cluster.refused.push('get nodes', 'list nodes');
    const error = await failure(['pods/*'], { zones: ['b'] });
    expect(error.code).toBe('nodes-forbidden');
    expect(error.what).toContain('get nodes');
    expect(error.next).toContain('kubectl auth can-i get nodes');
  });

  test('few nodes are read one by one, many by one list', async () => {
    await found(['pods/*'], { placement: ['region', 'zone', 'os', 'arch'] });
    expect(cluster.requests.filter((request) => request.includes('nodes'))).toEqual([
      'get nodes - node-0 metadata',
      'get nodes - node-1 metadata',
      'get nodes - node-2 metadata',
    ]);
    cluster.requests.length = 0;
    for (let index = 3; index < 9; index++) {
      cluster.put('nodes', node(`node-${index}`, {}));
      cluster.put('pods', pod(`web-${index}`, { node: `node-${index}` }));
    }
    await found(['pods/*'], { placement: ['region', 'zone', 'os', 'arch'] });
    expect(cluster.requests.filter((request) => request.includes('nodes'))).toEqual([
      'list nodes - metadata',
    ]);
  });

  test('a filter that leaves none says what there is', async () => {
    const error = await failure(['pods/*'], { zones: ['c'] });
    expect(error.code).toBe('filter-leaves-none');
    expect(error.what).toContain('--zone c');
    expect(error.why).toContain('a, b, none');
  });
});

describe('missing rights', () => {
  test('pods that may not be listed: an error with the right and the line to check', async () => {
    deployment('web', ['aaa']);
    cluster.refused.push('list pods');
    const error = await failure(['deployments/web']);
    expect(error.code).toBe('forbidden');
    expect(error.what).toContain('list pods');
    expect(error.next).toContain('kubectl auth can-i list pods');
  });

  test('a pod by name needs only get', async () => {
    cluster.refused.push('list');
    cluster.put('pods', pod('db-0'));
    expect(await found(['db-0'])).toEqual(['db-0/app']);
  });

  test('without permission to get ReplicaSets: uses names, with a notice', async () => {
    deployment('web', ['aaa', 'bbb']);
    cluster.put('pods', pod('stray', { labels: { app: 'web' } }));
    cluster.refused.push('get replicasets', 'list replicasets');
    expect(await lines(['deployments/web'])).toEqual([
      'notice owners-forbidden',
      'added shop/web-aaa-x/app',
      'added shop/web-bbb-x/app',
      'synced open',
    ]);
    // One request for all of them, and another one that shows which permission is missing.
    expect(cluster.requests.filter((request) => request.includes('replicasets'))).toEqual([
      'list replicasets shop app=web metadata',
      'get replicasets shop web-aaa metadata',
    ]);
  });
});
