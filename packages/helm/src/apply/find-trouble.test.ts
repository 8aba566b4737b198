import type { KubeClient } from '@logtool/kube/src/client.ts';
import { pendingText } from '@logtool/logtool/src/cli/messages/helm/obstacles.ts';
import { LogtoolError } from '@logtool/logtool/src/cli/messages/logtool-error.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { shown } from '../../../../test/support/helm/shown.ts';
import { readManifest } from './read-manifest.ts';
import { resolveTargets } from './target.ts';
import { exists, type WaitProgress, waitFor } from './wait.ts';

/* Messages about objects that do not become ready, by the reasons that a cluster gives. */
const main = (more: object) => [{ name: 'main', image: 'registry.example.com/tools:9', ...more }];
const crash = { lines: ['no database'], exit: { code: 3 } };
const NEVER = { storageClassName: 'fast', accessModes: ['ReadWriteOnce'] };
const inShop = (kind: string, name: string, spec: object) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'shop' },
  spec,
});
const quota = (namespace: string, pods: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'small', namespace },
  spec: { hard: { pods } },
});

let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster({
    startDelays: 'none',
    nodes: [{ name: 'node-1' }],
    namespaces: ['default', 'shop', 'full', 'closed'],
    users: [
      {
        name: 'blind',
        rules: [{ namespace: 'shop', apiGroups: ['*'], resources: ['deployments'], verbs: ['*'] }],
      },
    ],
    workloads: [
      { kind: 'Deployment', name: 'no-image', namespace: 'shop', containers: main({ state: 'bad-image' }) },
      { kind: 'Deployment', name: 'crashing', namespace: 'shop', replicas: 2, containers: main(crash) },
      {
        kind: 'StatefulSet',
        name: 'homeless',
        namespace: 'shop',
        nodeSelector: { disk: 'nvme' },
        containers: main({}),
      },
      { kind: 'Job', name: 'migration', namespace: 'shop', backoffLimit: 0, containers: main(crash) },
      { kind: 'Deployment', name: 'one-too-many', namespace: 'full', replicas: 2, containers: main({}) },
      { kind: 'StatefulSet', name: 'not-one', namespace: 'closed', containers: main({}) },
    ],
    objects: [
      { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'slow' } },
      inShop('PersistentVolumeClaim', 'data', NEVER),
      quota('full', '1'),
      quota('closed', '0'),
    ],
  });
});
afterAll(() => cluster.close());

const VERSIONS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
};

/**
 * Waits for something that never becomes ready, and returns the reports made while waiting and at the end.
 */
async function waitInVain(
  kind: string,
  name: string,
  until: RegExp,
  namespace = 'shop',
  client?: KubeClient,
) {
  const apiVersion = VERSIONS[kind] ?? 'v1';
  const manifest = JSON.stringify({ apiVersion, kind, metadata: { name } });
  const from = client ?? cluster.client;
  const targets = resolveTargets(readManifest(manifest), await from.discover(), namespace);
  const reported: WaitProgress[] = [];
  // The time is up as soon as the reason was reported, whenever that is.
  let isUp = false;
  const clock = {
    ...quickClock,
    now: () => (isUp ? 60_000 : 0),
  };
  const failure: unknown = await waitFor(from, targets, exists, {
    clock,
    timeoutMs: 60_000,
    onProgress: (progress) => {
      reported.push(progress);
      isUp ||= progress.pending.some((one) => until.test(pendingText(one)));
    },
  }).catch(shown);
  if (!(failure instanceof LogtoolError)) throw new Error(`no failure in words: ${failure}`);
  return { failure, reported: reported.flatMap(({ pending }) => pending.map(pendingText)) };
}

test('an image that cannot be pulled is named with its container, while waiting and at its end', async () => {
  const reason =
    /^Deployment "no-image" in namespace "shop": 0 of 1 pods are available; the container main of the pod (no-image-\S+): (ErrImagePull|ImagePullBackOff): .*registry\.example\.com\/tools:9/;
  const { failure, reported } = await waitInVain('Deployment', 'no-image', reason);
  expect(reported.at(-1)).toMatch(reason);
  const [, pod] = reason.exec(reported.at(-1) ?? '') ?? [];
  expect(failure).toMatchObject({
    code: 'image-unavailable',
    what: 'the image registry.example.com/tools:9 cannot be pulled',
    next: `check the name of the image, and that the nodes may pull it (imagePullSecrets): kubectl describe pod ${pod} -n shop`,
  });
  expect(failure.why).toMatch(
    /^the container main of the pod no-image-\S+: (ErrImagePull|ImagePullBackOff): Head "https:.*: no such host$/,
  );
});

test('kubelets that say only in an event why a pull failed are asked there', async () => {
  const [pod] = cluster.sim.store
    .list('pods', 'shop')
    .filter(({ metadata }) => metadata.name.startsWith('no-image-'));
  if (pod === undefined) throw new Error('no pod');
  // As older kubelets do.
  cluster.sim.store.update('pods', 'shop', pod.metadata.name, (one) => {
    const status = one.status as { containerStatuses: { state: object }[] };
    const message = 'Back-off pulling image "registry.example.com/tools:9"';
    for (const container of status.containerStatuses)
      container.state = { waiting: { reason: 'ImagePullBackOff', message } };
    return undefined;
  });
  const { failure } = await waitInVain('Deployment', 'no-image', /Back-off pulling/);
  expect(failure.why).toMatch(/: ImagePullBackOff: Head "https:.*: no such host$/);
});

test('reports a crashing container with its exit code and the command that shows its last lines', async () => {
  const reason =
    /; the container main of the pod (crashing-\S+): CrashLoopBackOff, its last run ended with the exit code 3 \(Error\), and 1 other pod$/;
  const { failure } = await waitInVain('Deployment', 'crashing', reason);
  const [, pod] = reason.exec(failure.why ?? '') ?? [];
  expect(failure.next).toContain(`inspect it with: logtool logs pods/${pod}/main -n shop --tail=50;`);
});

test('reports a pod that no node takes in the words of the scheduler', async () => {
  const reason = /; no node takes the pod homeless-0: 0\/1 nodes are available: 1 node\(s\) didn't match/;
  const { failure } = await waitInVain('StatefulSet', 'homeless', reason);
  expect(failure.next).toContain('kubectl describe pod homeless-0 -n shop');
});

test('a Job that has failed says how its pod ended', async () => {
  const { failure } = await waitInVain('Job', 'migration', /./);
  expect(failure).toMatchObject({
    code: 'wait-failed',
    what: 'Job "migration" in namespace "shop" does not become ready',
  });
  expect(failure.why).toMatch(
    /^Job has reached the specified backoff limit; the container main of the pod migration-\S+: it ended with the exit code 3 \(Error\)$/,
  );
  expect(failure.next).toMatch(/^inspect it with: logtool logs pods\/migration-\S+\/main -n shop --tail=50$/);
});

test('a claim without a volume says what its provisioner warned of', async () => {
  const reason =
    /^PersistentVolumeClaim "data" in namespace "shop": no volume is bound to it; ProvisioningFailed: storageclass\.storage\.k8s\.io "fast" not found$/;
  const { failure } = await waitInVain('PersistentVolumeClaim', 'data', reason);
  expect(failure.next).toContain('kubectl describe persistentvolumeclaims data -n shop');
});

test('reports pods refused by a quota in the words of their controller', async () => {
  const deployment = await waitInVain('Deployment', 'one-too-many', /exceeded quota/, 'full');
  expect(deployment.failure.why).toMatch(
    /: 1 of 2 pods are new; pods "one-too-many-\S+" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1$/,
  );
  expect(deployment.failure.next).toContain('kubectl describe deployments one-too-many -n full');
  const stateful = await waitInVain('StatefulSet', 'not-one', /exceeded quota/, 'closed');
  expect(stateful.failure.why).toMatch(
    /; FailedCreate: create Pod not-one-0 in StatefulSet not-one failed error: pods "not-one-0" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0$/,
  );
});

test('without permission to read pods, reports what the object itself shows', async () => {
  const blind = await cluster.connect('blind');
  const { failure } = await waitInVain('Deployment', 'crashing', /./, 'shop', blind);
  expect(failure.why).toBe('Deployment "crashing" in namespace "shop": 0 of 2 pods are available');
  expect(failure.next).toContain('kubectl describe deployments crashing -n shop');
});
