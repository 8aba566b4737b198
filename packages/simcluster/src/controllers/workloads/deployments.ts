import { sameJson } from '../../json-value.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { ownedByController } from '../controller-owner.ts';
import { recordEvent } from '../event-recorder.ts';
import { ownerReference, type PodTemplate, timeText, type WorkloadSpec, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { activePods, controlledBy } from '../related.ts';
import { claim } from './claim.ts';
import { templateHash } from './template-hash.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const HASH = 'pod-template-hash';

interface RollingStrategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    readonly maxSurge?: number | string;
    readonly maxUnavailable?: number | string;
  };
}

/** Runs Deployments: a ReplicaSet for each revision of the template, rolled out by maxSurge and maxUnavailable. */
export function startDeployments(cluster: Cluster): void {
  reconcileOn(
    cluster,
    { resource: 'deployments.apps', kind: 'Deployment', children: ['replicasets.apps'], claims: true },
    (deployment, mayClaim) => {
      if (mayClaim) claim(cluster, 'replicasets.apps', deployment);
      reconcile(cluster, deployment);
    },
  );
}

function reconcile(cluster: Cluster, deployment: StoredObject): void {
  const spec = workloadSpec(deployment);
  const wanted = spec.replicas ?? 1;
  if (spec.paused === true) scalePaused(cluster, deployment, spec, wanted);
  else {
    const current = currentSet(cluster, deployment, spec);
    const old = setsOf(cluster, deployment).filter((set) => set.metadata.uid !== current.metadata.uid);
    roll(cluster, deployment, current, old, spec, wanted);
  }
  report(cluster, deployment, spec, wanted);
  forgetOld(cluster, deployment, spec);
}

function setsOf(cluster: Cluster, deployment: StoredObject): readonly StoredObject[] {
  return controlledBy(cluster.store, 'replicasets.apps', deployment).filter(
    (set) => set.metadata.deletionTimestamp === undefined,
  );
}

/** Returns the oldest ReplicaSet with a template, apart from its hash label (deployment/util, FindNewReplicaSet). */
function setOfTemplate(sets: readonly StoredObject[], template: PodTemplate): StoredObject | undefined {
  return [...sets]
    .sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
    .find((set) => sameJson(withoutHash(workloadSpec(set).template), withoutHash(template)));
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { [HASH]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the ReplicaSet of the current template, new or (after an undo) existing. */
function currentSet(cluster: Cluster, deployment: StoredObject, spec: WorkloadSpec): StoredObject {
  const { namespace } = deployment.metadata;
  const sets = setsOf(cluster, deployment);
  const known = setOfTemplate(sets, spec.template);
  const newest = Math.max(0, ...sets.map(revisionOf));
  if (known !== undefined) {
    const revision = revisionOf(known);
    if (revision < newest) setRevision(cluster, known, newest + 1);
    noteRevision(cluster, deployment, Math.max(revision, revision < newest ? newest + 1 : 0));
    return cluster.store.get('replicasets.apps', namespace, known.metadata.name) ?? known;
  }
  const created = makeSet(cluster, deployment, spec, newest + 1);
  noteRevision(cluster, deployment, newest + 1);
  return created;
}

/** Creates a ReplicaSet. If another owner's object has the name, tries the hash of the next collision count. */
function makeSet(
  cluster: Cluster,
  deployment: StoredObject,
  spec: WorkloadSpec,
  revision: number,
): StoredObject {
  const { name, namespace } = deployment.metadata;
  for (let collisions = collisionsOf(deployment); ; collisions++) {
    const hash = templateHash(spec.template, collisions === 0 ? '' : String(collisions));
    const labels = { ...spec.template.metadata?.labels, [HASH]: hash };
    const created = createObject(cluster, 'replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        namespace: namespace ?? 'default',
        generation: 1,
        labels,
        annotations: { [REVISION]: String(revision) },
        ownerReferences: [ownerReference(deployment)],
      },
      spec: {
        replicas: 0,
        selector: { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, [HASH]: hash } },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
      status: { replicas: 0, observedGeneration: 1 },
    });
    if (created === undefined) continue;
    if (collisions > 0) {
      const latest = cluster.store.get('deployments.apps', namespace, name) ?? deployment;
      const status = { ...latest.status, collisionCount: collisions };
      writeStatus(cluster, 'deployments.apps', latest, status);
    }
    return created;
  }
}

function collisionsOf(deployment: StoredObject): number {
  return Number(deployment.status?.collisionCount ?? 0);
}

function revisionOf(set: StoredObject): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0);
}

function setRevision(cluster: Cluster, set: StoredObject, revision: number): void {
  cluster.store.update('replicasets.apps', set.metadata.namespace, set.metadata.name, (object) => {
    const { [REVISION]: before, [REVISION_HISTORY]: earlier, ...others } = object.metadata.annotations ?? {};
    // A rollback keeps the old numbers (k8s.io/kubernetes/pkg/controller/deployment/util, SetNewReplicaSetAnnotations).
    const history = [earlier, before].filter((numbers) => numbers !== undefined && numbers !== '').join(',');
    object.metadata.annotations = {
      ...others,
      [REVISION]: String(revision),
      ...(history === '' ? {} : { [REVISION_HISTORY]: history }),
    };
    return undefined;
  });
}

function noteRevision(cluster: Cluster, deployment: StoredObject, revision: number): void {
  cluster.store.update(
    'deployments.apps',
    deployment.metadata.namespace,
    deployment.metadata.name,
    (object) => {
      if (object.metadata.annotations?.[REVISION] === String(revision)) return false;
      const annotations = { ...object.metadata.annotations, [REVISION]: String(revision) };
      const noted = { ...object, metadata: { ...object.metadata, annotations } };
      object.metadata = ownedByController(object, noted, timeText(cluster.clock.now()));
      return undefined;
    },
  );
}

function roll(
  cluster: Cluster,
  deployment: StoredObject,
  current: StoredObject,
  old: readonly StoredObject[],
  spec: WorkloadSpec,
  wanted: number,
): void {
  const strategy = spec.strategy as RollingStrategy | undefined;
  const oldTotal = old.reduce((sum, set) => sum + replicasOf(set), 0);
  if (strategy?.type === 'Recreate') {
    for (const set of old) scale(cluster, deployment, set, 0);
    if (oldTotal === 0 && !old.some((set) => hasPods(cluster, set)))
      scale(cluster, deployment, current, wanted);
    return;
  }
  const surge = share(strategy?.rollingUpdate?.maxSurge ?? '25%', wanted, Math.ceil);
  const room = Math.max(0, wanted + surge - oldTotal);
  const target = oldTotal === 0 ? wanted : Math.min(wanted, Math.max(room, replicasOf(current)));
  scale(cluster, deployment, current, target);
  const available = [current, ...old].reduce((sum, set) => sum + availableOf(set), 0);
  const mayMiss = Math.max(mayBeMissing(spec, wanted), surge === 0 ? 1 : 0);
  shrinkOld(cluster, deployment, old, available - (wanted - mayMiss));
}

/**
 * Scales the ReplicaSets of a paused Deployment, without a new one for another template: one that alone has pods gets
 * all of them, several keep their shares (pkg/controller/deployment/sync.go, scale).
 */
function scalePaused(
  cluster: Cluster,
  deployment: StoredObject,
  { strategy, template }: WorkloadSpec,
  wanted: number,
): void {
  const sets = [...setsOf(cluster, deployment)].sort((a, b) => revisionOf(b) - revisionOf(a));
  const current = setOfTemplate(sets, template);
  const active = sets.filter((set) => replicasOf(set) > 0);
  const [single = current ?? sets[0], ...others] = active;
  if (single === undefined) return;
  if (others.length === 0) {
    scale(cluster, deployment, single, wanted);
    return;
  }
  const isDone = current !== undefined && replicasOf(current) === wanted && availableOf(current) === wanted;
  const sizes = isDone
    ? active.map((set) => [set, set === current ? wanted : 0] as const)
    : sharesOf(active, roomFor(wanted, strategy as RollingStrategy | undefined));
  for (const [set, replicas] of sizes) scale(cluster, deployment, set, replicas);
}

/** Returns how many pods several ReplicaSets may have; undefined if they keep theirs. */
function roomFor(wanted: number, strategy: RollingStrategy | undefined): number | undefined {
  if (strategy?.type === 'Recreate') return undefined;
  return wanted === 0 ? 0 : wanted + share(strategy?.rollingUpdate?.maxSurge ?? '25%', wanted, Math.ceil);
}

/** Divides pods among ReplicaSets as they are; the largest gets what remains. */
function sharesOf(
  active: readonly StoredObject[],
  room: number | undefined,
): ReadonlyMap<StoredObject, number> {
  if (room === undefined) return new Map();
  const total = active.reduce((sum, set) => sum + replicasOf(set), 0);
  const shares = new Map<StoredObject, number>();
  let rest = room;
  for (const set of [...active].sort((a, b) => replicasOf(b) - replicasOf(a))) {
    const own = Math.min(rest, Math.round((replicasOf(set) * room) / total));
    shares.set(set, own);
    rest -= own;
  }
  const [largest] = shares.keys();
  if (largest !== undefined) shares.set(largest, (shares.get(largest) ?? 0) + rest);
  return shares;
}

/**
 * Scales down older ReplicaSets: removes their unavailable pods, and as many available ones as the Deployment can
 * spare.
 */
function shrinkOld(
  cluster: Cluster,
  deployment: StoredObject,
  old: readonly StoredObject[],
  canSpare: number,
): void {
  let spare = canSpare;
  for (const set of [...old].sort((a, b) => revisionOf(a) - revisionOf(b))) {
    const replicas = replicasOf(set);
    const broken = replicas - availableOf(set);
    const cut = Math.min(replicas, broken + Math.max(0, spare));
    spare -= Math.max(0, cut - broken);
    if (cut > 0) scale(cluster, deployment, set, replicas - cut);
  }
}

/** Returns how many pods may be missing while a Deployment still counts as available. */
function mayBeMissing({ strategy }: WorkloadSpec, wanted: number): number {
  const { type, rollingUpdate } = (strategy ?? {}) as RollingStrategy;
  return type === 'Recreate' ? 0 : share(rollingUpdate?.maxUnavailable ?? '25%', wanted, Math.floor);
}

function share(value: number | string, of: number, round: (x: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseFloat(value) / 100) * of);
}

function replicasOf(set: StoredObject): number {
  return workloadSpec(set).replicas ?? 0;
}

function availableOf(set: StoredObject): number {
  return Number((set.status as { availableReplicas?: number } | undefined)?.availableReplicas ?? 0);
}

function hasPods(cluster: Cluster, set: StoredObject): boolean {
  return activePods(cluster.store, set).count > 0;
}

function scale(cluster: Cluster, deployment: StoredObject, set: StoredObject, replicas: number): void {
  const before = replicasOf(set);
  if (before === replicas) return;
  cluster.store.update('replicasets.apps', set.metadata.namespace, set.metadata.name, (object) => {
    workloadSpec(object).replicas = replicas;
    object.metadata.generation = (object.metadata.generation ?? 1) + 1;
    return undefined;
  });
  recordEvent(cluster, deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    component: 'deployment-controller',
  });
}

function report(cluster: Cluster, deployment: StoredObject, spec: WorkloadSpec, wanted: number): void {
  const sets = setsOf(cluster, deployment);
  const current = setOfTemplate(sets, spec.template);
  const sum = (field: string) => sets.reduce((total, set) => total + countOf(set, field), 0);
  const total = sum('replicas');
  const ready = sum('readyReplicas');
  const updated = current === undefined ? 0 : countOf(current, 'replicas');
  const { namespace, name } = deployment.metadata;
  const latest = cluster.store.get('deployments.apps', namespace, name) ?? deployment;
  const collisionCount = collisionsOf(latest);
  const conditions = [
    ready >= Math.max(0, wanted - mayBeMissing(spec, wanted)) ? AVAILABLE : UNAVAILABLE,
    spec.paused === true
      ? pausedOf(latest)
      : progressOf(cluster, latest, current?.metadata.name ?? name, {
          isComplete: updated === wanted && total === wanted && ready === wanted,
          updated,
          total,
          ready,
        }),
    ...refusalsOf(current),
  ];
  writeStatus(cluster, 'deployments.apps', latest, {
    observedGeneration: latest.metadata.generation ?? 1,
    ...(collisionCount > 0 ? { collisionCount } : {}),
    ...(total > 0 ? { replicas: total } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    ...(ready < wanted ? { unavailableReplicas: Math.max(wanted, total) - ready } : {}),
    terminatingReplicas: sum('terminatingReplicas'),
    conditions: conditions.map((condition) => withTimes(cluster, latest, condition)),
  });
}

function countOf(set: StoredObject, field: string): number {
  return Number((set.status as Record<string, unknown> | undefined)?.[field] ?? 0);
}

interface DeploymentCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime?: string;
}

/** Returns the failure condition of the current template's ReplicaSet. */
function refusalsOf(current: StoredObject | undefined): readonly DeploymentCondition[] {
  const [refused] = (current?.status?.conditions ?? []) as readonly DeploymentCondition[];
  return refused === undefined
    ? []
    : [{ type: 'ReplicaFailure', status: 'True', reason: refused.reason, message: refused.message }];
}

/** A missed deadline is not overwritten (pkg/controller/deployment/progress.go, checkPausedConditions). */
function pausedOf(deployment: StoredObject): DeploymentCondition {
  const conditions = (deployment.status?.conditions ?? []) as readonly DeploymentCondition[];
  const known = conditions.find(({ type }) => type === 'Progressing');
  if (known?.reason === 'ProgressDeadlineExceeded') return known;
  return {
    type: 'Progressing',
    status: 'Unknown',
    reason: 'DeploymentPaused',
    message: 'Deployment is paused',
  };
}

interface RolloutCounts {
  readonly isComplete: boolean;
  readonly updated: number;
  readonly total: number;
  readonly ready: number;
}

/**
 * Returns the condition Progressing (pkg/controller/deployment/progress.go): a complete rollout stays complete, and one
 * without progress until its deadline has failed.
 */
function progressOf(
  cluster: Cluster,
  deployment: StoredObject,
  set: string,
  counts: RolloutCounts,
): DeploymentCondition {
  const conditions = (deployment.status?.conditions ?? []) as readonly DeploymentCondition[];
  const known = conditions.find(({ type }) => type === 'Progressing');
  const isSameSet = known?.message.includes(JSON.stringify(set)) === true;
  const progressing = { type: 'Progressing', status: 'True' };
  if (counts.isComplete)
    return { ...progressing, reason: DONE, message: `ReplicaSet "${set}" has successfully progressed.` };
  if (isSameSet && known.reason === DONE && counts.total === counts.updated) return known;
  if (!isSameSet || hasProgressed(deployment, counts)) {
    const lastUpdateTime = timeText(cluster.clock.now());
    failAtDeadline(cluster, deployment);
    const message = `ReplicaSet "${set}" is progressing.`;
    return { ...progressing, reason: 'ReplicaSetUpdated', message, lastUpdateTime };
  }
  const deadlineMs = Number(deployment.spec?.progressDeadlineSeconds ?? DEFAULT_DEADLINE_SECONDS) * 1000;
  if (Date.parse(known.lastUpdateTime ?? '') + deadlineMs > cluster.clock.now()) return known;
  const message = `ReplicaSet "${set}" has timed out progressing.`;
  return { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message };
}

const DONE = 'NewReplicaSetAvailable';
const DEFAULT_DEADLINE_SECONDS = 600;

/**
 * Whether there are more pods of the new template, fewer others, or more ready ones (deployment_util.go,
 * DeploymentProgressing).
 */
function hasProgressed({ status = {} }: StoredObject, { updated, total, ready }: RolloutCounts): boolean {
  const before = (field: string) => Number(status[field] ?? 0);
  const others = before('replicas') - before('updatedReplicas');
  return updated > before('updatedReplicas') || total - updated < others || ready > before('readyReplicas');
}

function failAtDeadline(cluster: Cluster, { metadata, spec }: StoredObject): void {
  const deadlineMs = Number(spec?.progressDeadlineSeconds ?? DEFAULT_DEADLINE_SECONDS) * 1000;
  cluster.clock.after(deadlineMs, () => {
    const current = cluster.store.get('deployments.apps', metadata.namespace, metadata.name);
    if (current?.metadata.uid === metadata.uid) reconcile(cluster, current);
  });
}

const AVAILABLE: DeploymentCondition = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
};

const UNAVAILABLE: DeploymentCondition = {
  type: 'Available',
  status: 'False',
  reason: 'MinimumReplicasUnavailable',
  message: 'Deployment does not have minimum availability.',
};

/** Adds times to a condition: both change with its status, and the update time also with its reason. */
function withTimes(cluster: Cluster, latest: StoredObject, condition: DeploymentCondition) {
  const { type, status, reason, message } = condition;
  const before = (latest.status as { conditions?: Record<string, string>[] } | undefined)?.conditions;
  const known = before?.find((one) => one.type === type);
  const now = timeText(cluster.clock.now());
  const isSame = known?.status === status && known.reason === reason;
  const updated = condition.lastUpdateTime ?? (isSame ? known.lastUpdateTime : now);
  return {
    type,
    status,
    lastUpdateTime: updated,
    lastTransitionTime: known?.status === status ? known.lastTransitionTime : now,
    reason,
    message,
  };
}

function forgetOld(cluster: Cluster, deployment: StoredObject, spec: WorkloadSpec): void {
  const limit = Number(spec.revisionHistoryLimit ?? 10);
  const sets = setsOf(cluster, deployment);
  if (sets.length <= limit) return;
  const current = setOfTemplate(sets, spec.template);
  const idle = sets
    .filter((set) => replicasOf(set) === 0 && !hasPods(cluster, set) && set !== current)
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of idle.slice(0, Math.max(0, idle.length - limit))) {
    cluster.store.remove('replicasets.apps', set.metadata.namespace, set.metadata.name);
  }
}
