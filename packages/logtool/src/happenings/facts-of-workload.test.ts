import { readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { endOfRollout, factsOfConditions, factsOfPause, factsOfRevisions } from './facts-of-workload.ts';

const RECORDED = new URL('../../../../test/recorded/list/', import.meta.url);

function recorded(name: string): readonly KubeObject[] {
  return JSON.parse(JSON.parse(readFileSync(new URL(`${name}.json`, RECORDED), 'utf8')).response.body).items;
}

function replicaSet(name: string, revision: number, createdAt: string, images: Record<string, string>) {
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: createdAt,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    },
    spec: {
      template: {
        spec: {
          containers: Object.entries(images).map(([container, image]) => ({ name: container, image })),
        },
      },
    },
  } as unknown as KubeObject;
}

const WEB = { metadata: { name: 'web', namespace: 'shop', uid: 'web', resourceVersion: '1' } } as KubeObject;

test('a rollout has the images that changed, and when its ReplicaSet was made', () => {
  const sets = [
    replicaSet('b', 2, '2026-11-21T10:00:00Z', { app: 'web:v42', log: 'log:1' }),
    replicaSet('a', 1, '2026-11-21T09:00:00Z', { app: 'web:v41', log: 'log:1' }),
  ];
  expect(factsOfRevisions('Deployment', WEB, sets).at(-1)).toMatchObject({
    kind: 'rollout',
    at: { seconds: Date.parse('2026-11-21T10:00:00Z') / 1000 },
    bound: undefined,
    data: { revision: 2, images: [{ container: 'app', from: 'web:v41', to: 'web:v42' }] },
  });
});

test('a rollback leaves the revision that it undoes its images, and keeps its own earlier number', () => {
  const reused = replicaSet('a', 3, '2026-11-21T09:00:00Z', { app: 'web:v41' });
  const annotations = {
    ...reused.metadata.annotations,
    'deployment.kubernetes.io/revision-history': '1',
  };
  const sets = [
    { ...reused, metadata: { ...reused.metadata, annotations } },
    replicaSet('b', 2, '2026-11-21T10:00:00Z', { app: 'web:v42' }),
  ];
  const hour = (time: number) => ({
    seconds: Date.parse(`2026-11-21T${time === 9 ? '09' : time}:00:00Z`) / 1000,
  });
  const change = (from: string | undefined, to: string) => [{ container: 'app', from, to }];
  expect(factsOfRevisions('Deployment', WEB, sets)).toMatchObject([
    { at: hour(9), bound: undefined, data: { revision: 1, images: change(undefined, 'web:v41') } },
    { at: hour(10), bound: undefined, data: { revision: 2, images: change('web:v41', 'web:v42') } },
    { at: hour(10), bound: 'not-before', data: { revision: 3, images: change('web:v42', 'web:v41') } },
  ]);
});

test('a rollback uses an old ReplicaSet again: it was later than the rollout before it', () => {
  const sets = [
    replicaSet('a', 3, '2026-11-21T09:00:00Z', { app: 'web:v41' }),
    replicaSet('b', 2, '2026-11-21T10:00:00Z', { app: 'web:v42' }),
  ];
  expect(factsOfRevisions('Deployment', WEB, sets).at(-1)).toMatchObject({
    at: { seconds: Date.parse('2026-11-21T10:00:00Z') / 1000 },
    bound: 'not-before',
    data: { images: [{ container: 'app', from: 'web:v42', to: 'web:v41' }] },
  });
});

/** A ControllerRevision of the hour in which it was made, with its present number. */
function controllerRevision(image: string, revision: number, hour: string): KubeObject {
  const { metadata, spec } = replicaSet(image, 0, `2026-11-21T${hour}:00:00Z`, {
    app: image,
  }) as KubeObject & {
    readonly spec: object;
  };
  return { metadata: { ...metadata, annotations: {} }, revision, data: { spec } } as unknown as KubeObject;
}

/** Formats `2 10 v1>v2` for revision 2 at 10 o'clock; `3 10+` if it was then or later. */
const revisionsIn = (...objects: readonly KubeObject[]) =>
  factsOfRevisions('DaemonSet', WEB, objects).map(({ at, bound, kind, data }) => {
    const hour = new Date(at.seconds * 1_000).getUTCHours();
    const images = kind === 'rollout' ? data.images : [];
    const change = images.map(({ from = '', to }) => `${from}>${to}`).join(' ');
    return `${kind === 'rollout' && data.revision} ${hour}${bound === undefined ? '' : '+'} ${change}`;
  });

test('a ControllerRevision that is used again leaves the one between its images and its time', () => {
  const rolledBack = [controllerRevision('v1', 3, '08'), controllerRevision('v2', 2, '10')];
  expect(revisionsIn(...rolledBack)).toEqual(['1 8 >v1', '2 10 v1>v2', '3 10+ v2>v1']);
});

test('two ControllerRevisions that took turns have all numbers, and only the first two a time', () => {
  const turns = [controllerRevision('v1', 5, '08'), controllerRevision('v2', 4, '10')];
  expect(revisionsIn(...turns)).toEqual([
    '1 8 >v1',
    '2 10 v1>v2',
    '3 10+ v2>v1',
    '4 10+ v1>v2',
    '5 10+ v2>v1',
  ]);
});

test('of several ControllerRevisions only those have a time that cannot have been used before', () => {
  const v1 = (revision: number) => controllerRevision('v1', revision, '08');
  const v2 = controllerRevision('v2', 2, '10');
  const v3 = (revision: number) => controllerRevision('v3', revision, '11');
  // v1, v2, v1, v3: no number is missing that v3 could have had.
  expect(revisionsIn(v1(3), v2, v3(4)).at(-1)).toBe('4 11 v1>v3');
  // v1, v2, v3, v1, v3
  expect(revisionsIn(v1(4), v2, v3(5))).toEqual(['1 8 >v1', '2 10 v1>v2', '4 10+ >v1', '5 11+ v1>v3']);
});

test('where the controller has removed revisions, their numbers are no earlier ones of others', () => {
  const objects = Array.from({ length: 11 }, (_, index) =>
    controllerRevision(`v${index}`, 30 + index, String(index + 10)),
  );
  expect(revisionsIn(...objects).slice(0, 2)).toEqual(['30 10 >v0', '31 11 v0>v1']);
});

test('a rollback of a StatefulSet continues while a pod has the template that it undoes', () => {
  const endOf = (updatedReplicas: number) => {
    const status = { currentRevision: 'db-a', updateRevision: 'db-a', replicas: 2, updatedReplicas };
    return endOfRollout('StatefulSet', { ...WEB, status } as unknown as KubeObject);
  };
  expect([endOf(1), endOf(2)]).toEqual(['going-on', 'over']);
});

test('a condition has the time of its reason and message, which change without a transition', () => {
  const [web] = recorded('deployments');
  const [available, progressing] = factsOfConditions('Deployment', web!);
  expect([available, progressing].map((fact) => `${fact?.reason} ${fact?.at.seconds}`)).toEqual([
    `MinimumReplicasAvailable ${Date.parse('2026-11-21T01:52:07Z') / 1_000}`,
    // Its status has not changed since 01:52:04.
    `NewReplicaSetAvailable ${Date.parse('2026-11-21T01:52:07Z') / 1_000}`,
  ]);
});

test('the ends of two rollouts are two facts, the steps of one are one', () => {
  const idAt = (reason: string, time: string) => {
    const lastUpdateTime = `2026-11-21T${time}Z`;
    const condition = { type: 'Progressing', status: 'True', reason, lastUpdateTime };
    const status = { conditions: [{ ...condition, lastTransitionTime: '2026-11-21T09:00:00Z' }] };
    return factsOfConditions('Deployment', { ...WEB, status } as unknown as KubeObject)[0]?.id;
  };
  expect(idAt('NewReplicaSetAvailable', '10:00:00')).not.toBe(idAt('NewReplicaSetAvailable', '11:00:00'));
  expect(idAt('ReplicaSetUpdated', '10:00:00')).toBe(idAt('ReplicaSetUpdated', '10:00:05'));
});

test('a recorded ControllerRevision has the images of its template', () => {
  const [revision] = recorded('controllerrevisions');
  const facts = revision && factsOfRevisions('DaemonSet', WEB, [revision]);
  expect(facts).toMatchObject([{ kind: 'rollout', data: { revision: 1 } }]);
  expect(facts?.[0]?.kind === 'rollout' && facts[0].data.images[0]?.to).toMatch(/^registry\.example\.com/);
});

test('the conditions of a recorded Deployment have their times', () => {
  const [deployment] = recorded('deployments');
  const facts = deployment === undefined ? [] : factsOfConditions('Deployment', deployment);
  expect(facts.map(({ severity, reason, data }) => [severity, reason, data])).toEqual([
    ['normal', 'MinimumReplicasAvailable', { type: 'Available', status: 'True', isOfAll: true }],
    ['normal', 'NewReplicaSetAvailable', { type: 'Progressing', status: 'True', heldMs: 3_000 }],
  ]);
});

test.each([
  ['no pod may be missing', { rollingUpdate: { maxUnavailable: 0 } }, true],
  ['less than one may be missing', { rollingUpdate: { maxUnavailable: '25%' } }, true],
  ['one may be missing', { rollingUpdate: { maxUnavailable: '34%' } }, undefined],
  ['a number may be missing', { rollingUpdate: { maxUnavailable: 1 } }, undefined],
  ['its strategy is not known', {}, undefined],
  ['it replaces all at once', { type: 'Recreate' }, true],
])('a Deployment is available only with all pods: %s', (_, strategy, isOfAll) => {
  const condition = { type: 'Available', status: 'True', lastTransitionTime: '2026-11-21T10:00:00Z' };
  const object = { ...WEB, spec: { replicas: 3, strategy }, status: { conditions: [condition] } };
  const [fact] = factsOfConditions('Deployment', object as KubeObject);
  expect(fact?.data).toEqual({ type: 'Available', status: 'True', isOfAll });
});

test('an exceeded deadline is a warning', () => {
  const condition = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
  const status = { conditions: [{ ...condition, lastTransitionTime: '2026-11-21T10:00:00Z' }] };
  expect(factsOfConditions('Deployment', { ...WEB, status } as KubeObject)).toMatchObject([
    { severity: 'warning', reason: 'ProgressDeadlineExceeded' },
  ]);
});

test('a failed Job has one condition: the one before it, with the same words, is left out', () => {
  const condition = (type: string, message = 'Job has reached the specified backoff limit') => ({
    type,
    status: 'True',
    reason: 'BackoffLimitExceeded',
    message,
    lastTransitionTime: '2026-11-21T10:00:00Z',
  });
  const typesOf = (...conditions: object[]) =>
    factsOfConditions('Job', { ...WEB, status: { conditions } } as unknown as KubeObject).map(
      ({ data }) => (data as { readonly type: string }).type,
    );
  expect(typesOf(condition('FailureTarget'), condition('Failed'))).toEqual(['Failed']);
  expect(typesOf(condition('FailureTarget'))).toEqual(['FailureTarget']);
  expect(typesOf(condition('FailureTarget', 'another'), condition('Failed'))).toEqual([
    'FailureTarget',
    'Failed',
  ]);
});

const withStatus = (status: Record<string, unknown>, generation?: number) =>
  ({ ...WEB, metadata: { ...WEB.metadata, generation }, status }) as unknown as KubeObject;
const progressing = (
  reason: string,
  lastUpdateTime: string,
  lastTransitionTime = '2026-11-21T09:00:00Z',
) => ({
  conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime, lastTransitionTime }],
});

test.each<[string, string, KubeObject, Record<string, unknown>]>([
  [
    'is over when the Deployment says so, after the time that it took',
    'Deployment',
    withStatus(progressing('NewReplicaSetAvailable', '2026-11-21T10:00:25Z')),
    { isOver: true, lastedMs: 25_000 },
  ],
  [
    'has a time from its first condition on, which follows its ReplicaSet',
    'Deployment',
    withStatus(progressing('NewReplicaSetAvailable', '2026-11-21T10:00:25Z', '2026-11-21T10:00:01Z')),
    { isOver: true, lastedMs: 25_000 },
  ],
  [
    'has no length if it was paused, or missed its deadline',
    'Deployment',
    withStatus(progressing('NewReplicaSetAvailable', '2026-11-21T10:20:25Z', '2026-11-21T10:20:00Z')),
    { isOver: true },
  ],
  [
    'goes on while pods are replaced',
    'Deployment',
    withStatus(progressing('ReplicaSetUpdated', '2026-11-21T10:00:25Z')),
    { isOver: false },
  ],
  [
    'goes on while the end is that of the rollout before',
    'Deployment',
    withStatus(progressing('NewReplicaSetAvailable', '2026-11-21T09:00:25Z')),
    { isOver: false },
  ],
  [
    'goes on while the controller has not seen it',
    'StatefulSet',
    withStatus({ currentRevision: 'a', updateRevision: 'a', observedGeneration: 1 }, 2),
    { isOver: false },
  ],
  [
    'of a StatefulSet has no time of its end',
    'StatefulSet',
    withStatus({ currentRevision: 'b', updateRevision: 'b' }),
    { isOver: true },
  ],
  [
    'of a DaemonSet is over when all are available',
    'DaemonSet',
    withStatus({ desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }),
    { isOver: true },
  ],
  ['is not known to be over without a status of it', 'Deployment', withStatus({}), {}],
])('the last rollout %s', (_, kind, workload, expected) => {
  const sets = [
    replicaSet('a', 1, '2026-11-21T09:00:00Z', { app: 'web:v41' }),
    replicaSet('b', 2, '2026-11-21T10:00:00Z', { app: 'web:v42' }),
  ];
  const [first, last] = factsOfRevisions(kind, workload, sets);
  expect(last?.data).toEqual(expect.objectContaining(expected));
  expect(Object.keys(last?.data ?? {}).filter((key) => key === 'isOver' || key === 'lastedMs')).toEqual(
    Object.keys(expected),
  );
  // Nothing shows how the previous rollout ended.
  expect(first?.data).not.toHaveProperty('isOver');
});

const PAUSED_AT = '2026-11-21T10:00:00Z';

/** A paused Deployment, as its controller reports it. */
function paused(status: Record<string, unknown>, generation = 1): KubeObject {
  const conditions = [
    {
      type: 'Progressing',
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
      lastUpdateTime: PAUSED_AT,
      lastTransitionTime: PAUSED_AT,
    },
  ];
  const metadata = { ...WEB.metadata, generation, creationTimestamp: '2026-11-21T08:00:00Z' };
  return {
    metadata,
    spec: { paused: true, replicas: 3 },
    status: { observedGeneration: 1, replicas: 3, conditions, ...status },
  } as unknown as KubeObject;
}

test('a paused Deployment has the time of its condition, which is no fact of its own', () => {
  const object = paused({ updatedReplicas: 1 });
  expect(factsOfPause('Deployment', object)).toMatchObject([
    {
      kind: 'paused',
      at: { seconds: Date.parse(PAUSED_AT) / 1000 },
      bound: undefined,
      reason: 'DeploymentPaused',
      data: { updated: 1, replicas: 3 },
    },
  ]);
  expect(factsOfConditions('Deployment', object)).toEqual([]);
});

test('before its controller has seen a change, the pods that have it are unknown', () => {
  expect(factsOfPause('Deployment', paused({ updatedReplicas: 3 }, 2))[0]?.data).toEqual({});
});

test('without a condition of it, a pause is at the creation or later', () => {
  const object = { ...paused({}), status: { observedGeneration: 1 } };
  expect(factsOfPause('Deployment', object)).toMatchObject([
    { at: { seconds: Date.parse('2026-11-21T08:00:00Z') / 1000 }, bound: 'not-before' },
  ]);
});

test('a suspended CronJob is so since its last Job at the earliest, and has the Jobs that still run', () => {
  const spec = { suspend: true };
  const status = { lastScheduleTime: PAUSED_AT, active: [{ name: 'nightly-1' }] };
  const cronJob = { ...paused({}), spec, status } as unknown as KubeObject;
  expect(factsOfPause('CronJob', cronJob)).toMatchObject([
    { at: { seconds: Date.parse(PAUSED_AT) / 1000 }, bound: 'not-before', data: { active: 1 } },
  ]);
  expect(factsOfPause('CronJob', { ...cronJob, spec: { suspend: false } } as KubeObject)).toEqual([]);
  expect(factsOfPause('StatefulSet', paused({}))).toEqual([]);
});

test.each([
  ['all have the template and are available', { updatedReplicas: 3, availableReplicas: 3 }, 'over'],
  ['one is not available', { updatedReplicas: 3, availableReplicas: 2 }, 'going-on'],
  ['some have it', { updatedReplicas: 1, availableReplicas: 3 }, 'going-on'],
  ['none has it, which was changed since', { availableReplicas: 3 }, undefined],
])('the latest rollout of a paused Deployment, if of its pods %s', (_, status, end) => {
  expect(endOfRollout('Deployment', paused(status))).toBe(end);
});
