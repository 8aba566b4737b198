import { CONFIG_MAPS, DEPLOYMENTS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../test/support/fake-client.ts';
import { quickClock } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import type { HelmFailures } from '../failures.ts';
import { applyTarget } from './apply-target.ts';
import { converge } from './converge.ts';
import { deleteTarget } from './delete-target.ts';
import { readManifest } from './read-manifest.ts';
import { resolveTargets, type Target, targetKey } from './target.ts';
import { exists, waitFor } from './wait.ts';

const live = (uid: string) => ({ metadata: { name: 'a', uid, resourceVersion: '1' } });
const APPLIED = live('1');

function targetOf(type: ResourceType, name: string): Target {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const [target] = resolveTargets(
    readManifest(`apiVersion: ${apiVersion}\nkind: ${type.kind}\nmetadata: {name: ${name}}\n`),
    [type],
    'default',
  );
  if (target === undefined) throw new Error('no target');
  return target;
}

const OPTIONS = { clock: quickClock, timeoutMs: 60_000 };

test('waits for a server that is away for a while, and reports what is missing', async () => {
  const away = new KubeError({ kind: 'connection', message: 'connection refused' });
  const down = new KubeError({ kind: 'server', message: 'being restarted', status: 503 });
  const answers: unknown[] = [away, down, away];
  const reported: unknown[] = [];
  const client = fakeClient({
    get: async () => {
      const next = answers.shift();
      if (next !== undefined) throw next;
      return { apiVersion: 'v1', kind: 'ConfigMap', ...APPLIED };
    },
  });
  await waitFor(client, [targetOf(CONFIG_MAPS, 'a')], exists, {
    ...OPTIONS,
    onProgress: ({ done, pending }) => reported.push({ done, pending }),
  });
  const missing = (message: string) => {
    const obstacle = { problem: 'reported', message };
    return { done: 0, pending: [{ object: 'ConfigMap "a" in namespace "default"', obstacle }] };
  };
  expect(reported).toEqual([
    missing('connection refused'),
    missing('being restarted'),
    missing('connection refused'),
    { done: 1, pending: [] },
  ]);
});

test('a server that refuses is not waited for', async () => {
  const forbidden = new KubeError({ kind: 'forbidden', message: 'no', status: 403 });
  const client = fakeClient({ get: () => Promise.reject(forbidden) });
  await expect(waitFor(client, [targetOf(CONFIG_MAPS, 'a')], exists, OPTIONS)).rejects.toBe(forbidden);
});

test.each<[ResourceType, object, HelmFailures['wait-failed']]>([
  [
    DEPLOYMENTS,
    {
      conditions: [
        { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too slow' },
      ],
    },
    {
      wanted: 'ready',
      pending: {
        object: 'Deployment "a" in namespace "default"',
        obstacle: { problem: 'reported', message: 'too slow' },
      },
      inspect: { kind: 'describe', resource: 'deployments', name: 'a', namespace: 'default' },
    },
  ],
  [
    PODS,
    { phase: 'Failed' },
    {
      wanted: 'ready',
      pending: {
        object: 'Pod "a" in namespace "default"',
        obstacle: { problem: 'failed' },
        trouble: { problem: { of: 'failed', pod: 'a' }, otherPods: 0 },
      },
      inspect: { kind: 'describe', resource: 'pod', name: 'a', namespace: undefined },
    },
  ],
])('what can no longer become ready ends the waiting at once: %j', async (type, status, data) => {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const client = fakeClient({
    async *list() {},
    get: async () => ({ apiVersion, kind: type.kind, ...APPLIED, status }),
  });
  await expect(waitFor(client, [targetOf(type, 'a')], exists, OPTIONS)).rejects.toEqual(
    helmFailed('wait-failed', data),
  );
});

test('after a failure nothing more is begun, and what has begun is waited for', async () => {
  const targets = Array.from({ length: 20 }, (_, index) => targetOf(CONFIG_MAPS, `c${index}`));
  const later = [targetOf(DEPLOYMENTS, 'd')];
  const begun: string[] = [];
  const applied: string[] = [];
  let failed = () => {};
  const failure = new Promise<void>((resolve) => {
    failed = resolve;
  });
  const client = fakeClient({
    patch: async (_type, { name }) => {
      begun.push(name);
      if (name === 'c0') {
        setImmediate(failed);
        throw new Error('refused');
      }
      await failure;
      await new Promise((resolve) => setImmediate(resolve));
      return APPLIED;
    },
    delete: () => Promise.reject(new Error('deleted')),
  });
  const live = new Map(
    [...targets, ...later].map((target): [Target, KubeObject | undefined] => [target, undefined]),
  );
  const before = [targetOf(CONFIG_MAPS, 'old')];
  await expect(
    converge(
      client,
      before,
      [...targets, ...later],
      live as Parameters<typeof converge>[3],
      { name: 'w', namespace: 'default' },
      {
        onApplied: ({ object }) => applied.push(object.name),
      },
    ),
  ).rejects.toThrow('refused');
  expect(begun).toHaveLength(8);
  expect(applied.sort()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
});

test('deletes only the exact object that logtool checked, with its dependents', async () => {
  const bodies: unknown[] = [];
  const client = fakeClient({
    delete: async (_type, _address, options) => void bodies.push(options?.body),
  });
  expect(await deleteTarget(client, targetOf(DEPLOYMENTS, 'a'), live('17'), {})).toBe('deleted');
  expect(bodies).toEqual([
    {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid: '17' },
    },
  ]);
});

test('a deletion that conflicts reports whether another object has the name now', async () => {
  const conflict = new KubeError({ kind: 'conflict', message: 'Precondition failed', status: 409 });
  const absent = new KubeError({
    kind: 'not-found',
    message: 'not found',
    status: 404,
    details: { name: 'a', causes: [] },
  });
  const ended = (now: () => Promise<KubeObject>) =>
    deleteTarget(
      fakeClient({ delete: () => Promise.reject(conflict), get: now }),
      targetOf(CONFIG_MAPS, 'a'),
      live('17'),
      {},
    );
  expect(await ended(async () => live('18'))).toBe('replaced');
  expect(await ended(() => Promise.reject(absent))).toBe('absent');
  // For example, a namespace that is already terminating.
  await expect(ended(async () => live('17'))).rejects.toBe(conflict);
});

test('hands over fields of Helm 3 only on the exact object that logtool checked', async () => {
  const patches: unknown[] = [];
  const client = fakeClient({
    patch: async (_type, _address, type, body) => {
      patches.push([type, body]);
      return APPLIED;
    },
  });
  const entry = { manager: 'helm', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } };
  const live = {
    metadata: { name: 'a', resourceVersion: '17', managedFields: [entry] },
  } as unknown as KubeObject;
  await applyTarget(client, targetOf(CONFIG_MAPS, 'a'), live, {});
  expect(patches[0]).toEqual([
    'application/json-patch+json',
    [
      { op: 'replace', path: '/metadata/managedFields', value: [{ ...entry, operation: 'Apply' }] },
      { op: 'replace', path: '/metadata/resourceVersion', value: '17' },
    ],
  ]);
  expect(patches).toHaveLength(2);
});

test.each([
  { conflicts: 1, ends: 'applied' },
  { conflicts: 4, ends: 'applied' },
  { conflicts: 5, ends: 'refused' },
])(
  'an object of Helm 3 that changes $conflicts times meanwhile is read again, five tries in all: $ends',
  async ({ conflicts, ends }) => {
    const entry = { manager: 'helm', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } };
    const asOf = (resourceVersion: number) =>
      ({
        metadata: { name: 'a', resourceVersion: String(resourceVersion), managedFields: [entry] },
      }) as unknown as KubeObject;
    const conflict = new KubeError({
      kind: 'conflict',
      message: 'the object has been modified',
      status: 409,
    });
    let version = 17;
    const handedOver: unknown[] = [];
    const client = fakeClient({
      get: async () => asOf(version),
      patch: async (_type, _address, type, body) => {
        if (type !== 'application/json-patch+json') return APPLIED;
        handedOver.push(body);
        if (version === 17 + conflicts) return APPLIED;
        version++;
        throw conflict;
      },
    });
    const applied = applyTarget(client, targetOf(CONFIG_MAPS, 'a'), asOf(17), {});
    if (ends === 'applied') await applied;
    else await expect(applied).rejects.toBe(conflict);
    const versions = Array.from({ length: Math.min(5, conflicts + 1) }, (_, n) => String(17 + n));
    expect(handedOver).toEqual(
      versions.map((value) =>
        expect.arrayContaining([{ op: 'replace', path: '/metadata/resourceVersion', value }]),
      ),
    );
  },
);

test('an object is the same in every version of its group', () => {
  const older: ResourceType = { ...DEPLOYMENTS, version: 'v1beta2' };
  expect(targetKey(targetOf(older, 'a'))).toBe(targetKey(targetOf(DEPLOYMENTS, 'a')));
  expect(targetKey(targetOf({ ...DEPLOYMENTS, group: 'example.org' }, 'a'))).not.toBe(
    targetKey(targetOf(DEPLOYMENTS, 'a')),
  );
});

test('an apply forces nothing and lets no unknown field through', async () => {
  const queries: unknown[] = [];
  const client = fakeClient({
    patch: async (_type, _address, _kind, _body, options) => {
      queries.push(options?.query);
      return APPLIED;
    },
  });
  await applyTarget(client, targetOf(CONFIG_MAPS, 'a'), undefined, {});
  expect(queries).toEqual([{ fieldManager: 'helm', fieldValidation: 'Strict', force: 'false' }]);
});
