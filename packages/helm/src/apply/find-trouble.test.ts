import type { KubeClient } from '@logtool/kube/src/client.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HelmCluster, quickClock, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { Inspection } from '../failures.ts';
import type { Obstacle, Pending, Trouble } from './obstacle.ts';
import { readManifest } from './read-manifest.ts';
import { resolveTargets } from './target.ts';
import { exists, waitFor } from './wait.ts';

/* Messages about objects that do not become ready, for each reason that a cluster reports. */
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
 * Waits for an object that never becomes ready, and returns the reports during the wait and at the end. `isKnown`:
 * whether a report has its reason.
 */
async function waitInVain(
  kind: string,
  name: string,
  isKnown: (trouble: Trouble | undefined) => boolean,
  namespace = 'shop',
  client?: KubeClient,
) {
  const apiVersion = VERSIONS[kind] ?? 'v1';
  const manifest = JSON.stringify({ apiVersion, kind, metadata: { name } });
  const from = client ?? cluster.client;
  const targets = resolveTargets(readManifest(manifest), await from.discover(), namespace);
  const reported: Pending[] = [];
  // The time ends as soon as a report has the reason.
  let isUp = false;
  const clock = {
    ...quickClock,
    now: () => (isUp ? 60_000 : 0),
  };
  const failure: unknown = await waitFor(from, targets, exists, {
    clock,
    timeoutMs: 60_000,
    onProgress: ({ pending }) => {
      reported.push(...pending);
      isUp ||= pending.some(({ trouble }) => isKnown(trouble));
    },
  }).catch((error: unknown) => error);
  if (!(failure instanceof CodedError)) throw failure;
  return { failure, reported };
}

/** The error for a wait that timed out, with what was missing. */
const timedOut = (pending: Pending, inspect: Inspection) =>
  helmFailed('wait-timeout', {
    of: 'objects',
    wanted: 'ready',
    timeoutMs: 60_000,
    pending: [pending],
    inspect,
  });
const inNamespace = (kind: string, name: string, namespace = 'shop') =>
  `${kind} "${name}" in namespace "${namespace}"`;
const missing = (count: number, wanted: number, are: 'ready' | 'new' | 'available'): Obstacle => ({
  problem: 'pods-missing',
  count,
  wanted,
  are,
});
const podOf = (name: string) => expect.stringMatching(new RegExp(`^${name}-[a-z0-9-]+$`));
const CAUSE = 'Head "https://registry.example.com/v2/": dial tcp: lookup registry.example.com: no such host';
/** The kubelet's report while it pulls, and between retries. */
const noImage = (reason: unknown) =>
  helmFailed('image-unavailable', {
    trouble: {
      image: 'registry.example.com/tools:9',
      reason: reason as string,
      cause: CAUSE,
      container: 'main',
      pod: podOf('no-image'),
      namespace: 'shop',
      isOld: false,
    },
  });

test('names an image that a node cannot pull, with its container, while waiting and at its end', async () => {
  const { failure, reported } = await waitInVain(
    'Deployment',
    'no-image',
    (trouble) => trouble?.problem.of === 'container-waiting' && /ImagePull/.test(trouble.problem.reason),
  );
  const reason = expect.stringMatching(/^(ErrImagePull|ImagePullBackOff)$/);
  expect(reported.at(-1)).toEqual({
    object: inNamespace('Deployment', 'no-image'),
    obstacle: missing(0, 1, 'available'),
    trouble: {
      problem: {
        of: 'container-waiting',
        pod: podOf('no-image'),
        container: 'main',
        reason,
        message: expect.stringContaining('registry.example.com/tools:9'),
      },
      otherPods: 0,
    },
  });
  expect(failure).toEqual(noImage(reason));
});

test('kubelets that say only in an event why a pull failed are asked there', async () => {
  const [pod] = cluster.sim.store
    .list('pods', 'shop')
    .filter(({ metadata }) => metadata.name.startsWith('no-image-'));
  if (pod === undefined) throw new Error('no pod');
  // As from older kubelets.
  const message = 'Back-off pulling image "registry.example.com/tools:9"';
  cluster.sim.store.update('pods', 'shop', pod.metadata.name, (one) => {
    const status = one.status as { containerStatuses: { state: object }[] };
    for (const container of status.containerStatuses)
      container.state = { waiting: { reason: 'ImagePullBackOff', message } };
    return undefined;
  });
  const { failure } = await waitInVain(
    'Deployment',
    'no-image',
    (trouble) => trouble?.problem.of === 'container-waiting' && trouble.problem.message === message,
  );
  expect(failure).toEqual(noImage('ImagePullBackOff'));
});

test('reports a crashing container with its exit code, and points to its log', async () => {
  const { failure } = await waitInVain(
    'Deployment',
    'crashing',
    (trouble) =>
      trouble?.problem.of === 'container-crashing' &&
      trouble.problem.end.exitCode === 3 &&
      trouble.otherPods === 1,
  );
  expect(failure).toEqual(
    timedOut(
      {
        object: inNamespace('Deployment', 'crashing'),
        obstacle: missing(0, 2, 'available'),
        trouble: {
          problem: {
            of: 'container-crashing',
            pod: podOf('crashing'),
            container: 'main',
            reason: 'CrashLoopBackOff',
            end: { exitCode: 3, reason: 'Error' },
          },
          otherPods: 1,
        },
      },
      { kind: 'logs', pod: podOf('crashing'), container: 'main', namespace: 'shop' },
    ),
  );
  const { pending, inspect } = failure.data;
  expect(inspect.pod).toBe(pending[0].trouble.problem.pod);
});

test('reports a pod that no node takes in the words of the scheduler', async () => {
  const { failure } = await waitInVain(
    'StatefulSet',
    'homeless',
    (trouble) => trouble?.problem.of === 'unscheduled',
  );
  expect(failure).toEqual(
    timedOut(
      {
        object: inNamespace('StatefulSet', 'homeless'),
        obstacle: missing(0, 1, 'ready'),
        trouble: {
          problem: {
            of: 'unscheduled',
            pod: 'homeless-0',
            message: expect.stringMatching(/^0\/1 nodes are available: 1 node\(s\) didn't match/),
          },
          otherPods: 0,
        },
      },
      { kind: 'describe', resource: 'pod', name: 'homeless-0', namespace: 'shop' },
    ),
  );
});

test('a Job that has failed says how its pod ended', async () => {
  const { failure } = await waitInVain('Job', 'migration', () => true);
  expect(failure).toEqual(
    helmFailed('wait-failed', {
      wanted: 'ready',
      pending: {
        object: inNamespace('Job', 'migration'),
        obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        trouble: {
          problem: {
            of: 'container-ended',
            pod: podOf('migration'),
            container: 'main',
            end: { exitCode: 3, reason: 'Error' },
            isPrevious: false,
          },
          otherPods: 0,
        },
      },
      inspect: { kind: 'logs', pod: podOf('migration'), container: 'main', namespace: 'shop' },
    }),
  );
});

test('a claim without a volume says what its provisioner warned of', async () => {
  const { failure } = await waitInVain(
    'PersistentVolumeClaim',
    'data',
    (trouble) => trouble?.problem.of === 'event',
  );
  expect(failure).toEqual(
    timedOut(
      {
        object: inNamespace('PersistentVolumeClaim', 'data'),
        obstacle: { problem: 'no-volume' },
        trouble: {
          problem: {
            of: 'event',
            reason: 'ProvisioningFailed',
            message: 'storageclass.storage.k8s.io "fast" not found',
          },
          otherPods: 0,
        },
      },
      { kind: 'describe', resource: 'persistentvolumeclaims', name: 'data', namespace: 'shop' },
    ),
  );
});

test('reports pods refused by a quota in the words of their controller', async () => {
  const isQuota = (trouble: Trouble | undefined) => JSON.stringify(trouble ?? '').includes('exceeded quota');
  const deployment = await waitInVain('Deployment', 'one-too-many', isQuota, 'full');
  expect(deployment.failure).toEqual(
    timedOut(
      {
        object: inNamespace('Deployment', 'one-too-many', 'full'),
        obstacle: missing(1, 2, 'new'),
        trouble: {
          problem: {
            of: 'refused-pods',
            message: expect.stringMatching(
              /^pods "one-too-many-\S+" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1$/,
            ),
          },
          otherPods: 0,
        },
      },
      { kind: 'describe', resource: 'deployments', name: 'one-too-many', namespace: 'full' },
    ),
  );
  const stateful = await waitInVain('StatefulSet', 'not-one', isQuota, 'closed');
  expect(stateful.failure).toEqual(
    timedOut(
      {
        object: inNamespace('StatefulSet', 'not-one', 'closed'),
        obstacle: missing(0, 1, 'ready'),
        trouble: {
          problem: {
            of: 'event',
            reason: 'FailedCreate',
            message:
              'create Pod not-one-0 in StatefulSet not-one failed error: pods "not-one-0" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0',
          },
          otherPods: 0,
        },
      },
      { kind: 'describe', resource: 'statefulsets', name: 'not-one', namespace: 'closed' },
    ),
  );
});

test('without permission to read pods, reports what the object itself shows', async () => {
  const blind = await cluster.connect('blind');
  const { failure } = await waitInVain('Deployment', 'crashing', () => true, 'shop', blind);
  expect(failure).toEqual(
    timedOut(
      { object: inNamespace('Deployment', 'crashing'), obstacle: missing(0, 2, 'available') },
      { kind: 'describe', resource: 'deployments', name: 'crashing', namespace: 'shop' },
    ),
  );
});
