import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactKinds, FactSubject, ImageChange } from '../domain/facts/fact.ts';
import { countOf, listOf, textOf } from '../resolve/pods/read-json.ts';
import { latestOf, spanMs, timeOf } from './facts-of-pod.ts';

type Json = Readonly<Record<string, unknown>>;

/** Conditions that mean trouble with this status; for others only the changes matter. */
const TROUBLE: ReadonlyMap<string, string> = new Map([
  ['Available', 'False'],
  ['Progressing', 'False'],
  ['ReplicaFailure', 'True'],
  ['Failed', 'True'],
  ['FailureTarget', 'True'],
]);

/**
 * Returns the conditions of a Deployment, ReplicaSet or Job with the times of their last changes. A Deployment gives
 * a condition another reason and message, such as those of the next rollout, without a transition; then only
 * lastUpdateTime changes (k8s.io/kubernetes/pkg/controller/deployment/util, SetDeploymentCondition).
 */
export function factsOfConditions(kind: string, object: KubeObject): readonly Fact[] {
  const subject = subjectOf(kind, object);
  const status = asRecord((object as KubeObject & Json).status);
  const conditions = listOf(status?.conditions);
  return conditions.flatMap((condition): readonly Fact[] => {
    if (condition.reason === PAUSED || isRepeated(condition, conditions)) return [];
    const since = timeOf(condition.lastTransitionTime);
    const type = textOf(condition.type);
    const value = textOf(condition.status);
    if (since === undefined || type === undefined || value === undefined) return [];
    const at = latestOf([since, timeOf(condition.lastUpdateTime)]);
    // Each pod of a rollout updates its progress: that is one fact, whose time moves.
    const when = condition.reason === 'ReplicaSetUpdated' ? `${since.seconds}/going-on` : at.seconds;
    return [
      {
        id: `condition/${subject.uid}/${type}/${when}`,
        kind: 'workload-condition',
        at,
        precision: 's',
        severity: TROUBLE.get(type) === value ? 'warning' : 'normal',
        subject,
        reason: textOf(condition.reason) ?? '',
        message: textOf(condition.message) ?? '',
        count: 1,
        source: 'workload',
        data: {
          type,
          status: value,
          ...detailOf(condition, object, spanMs(since, at)),
        },
      },
    ];
  });
}

function detailOf({ type, reason }: Json, object: KubeObject, heldMs: number) {
  if (reason === COMPLETE) return { heldMs };
  return type === 'Available' && mayMissNone(object) ? { isOfAll: true as const } : {};
}

/**
 * Whether a Deployment counts as available only with all of its pods (pkg/controller/deployment/sync.go, calculateStatus;
 * pkg/controller/deployment/util, MaxUnavailable): those that may be missing are rounded down.
 */
function mayMissNone(object: KubeObject): boolean {
  const spec = asRecord((object as KubeObject & Json).spec);
  const { type, rollingUpdate } = asRecord(spec?.strategy) ?? {};
  if (type === 'Recreate') return true;
  const given = asRecord(rollingUpdate)?.maxUnavailable;
  const replicas = countOf(spec?.replicas) ?? 1;
  const percent = /^(\d+)%$/.exec(textOf(given) ?? '')?.[1];
  return replicas > 0 && (given === 0 || (percent !== undefined && Number(percent) * replicas < 100));
}

/** Of the condition Progressing, unless it has reported a missed deadline (pkg/controller/deployment/progress.go). */
const PAUSED = 'DeploymentPaused';

/**
 * Returns that a Deployment is paused, with the time of its condition, or that a CronJob is suspended: since its last
 * Job at the earliest, because no status records when.
 */
export function factsOfPause(kind: string, object: KubeObject): readonly Fact[] {
  const { metadata, spec: givenSpec, status: givenStatus } = object as KubeObject & Json;
  const [spec, status] = [asRecord(givenSpec), asRecord(givenStatus)];
  const isPaused =
    kind === 'CronJob' ? spec?.suspend === true : kind === 'Deployment' && spec?.paused === true;
  if (!isPaused) return [];
  const condition = listOf(status?.conditions).find(({ reason }) => reason === PAUSED);
  const known = timeOf(condition?.lastUpdateTime) ?? timeOf(condition?.lastTransitionTime);
  const at = known ?? timeOf(status?.lastScheduleTime) ?? timeOf(metadata.creationTimestamp);
  if (at === undefined) return [];
  return [
    {
      id: `paused/${metadata.uid}/${at.seconds}`,
      kind: 'paused',
      at,
      precision: 's',
      bound: known === undefined ? 'not-before' : undefined,
      severity: 'normal',
      subject: subjectOf(kind, object),
      reason: textOf(condition?.reason) ?? '',
      message: textOf(condition?.message) ?? '',
      count: 1,
      source: 'workload',
      data: pauseOf(kind, object),
    },
  ];
}

function pauseOf(kind: string, object: KubeObject): FactKinds['paused'] {
  const status = asRecord((object as KubeObject & Json).status);
  if (kind === 'CronJob') return { active: listOf(status?.active).length };
  return isCurrent(object) ? updatedOf(status) : {};
}

function updatedOf(status: Json | undefined): { readonly updated: number; readonly replicas: number } {
  return { updated: countOf(status?.updatedReplicas) ?? 0, replicas: countOf(status?.replicas) ?? 0 };
}

/** Whether the controller has seen the current spec. */
function isCurrent(object: KubeObject): boolean {
  const { generation } = object.metadata as unknown as Json;
  const status = asRecord((object as KubeObject & Json).status);
  return typeof generation !== 'number' || (countOf(status?.observedGeneration) ?? 0) >= generation;
}

/**
 * Whether a condition is `FailureTarget` of a Job that has failed: it comes first, and `Failed` repeats its words once
 * the pods have ended (k8s.io/kubernetes/pkg/controller/job, enactJobFinished).
 */
function isRepeated({ type, ...texts }: Json, conditions: readonly Json[]): boolean {
  const isSame = ({ type: other, status, reason, message }: Json) =>
    other === 'Failed' && status === texts.status && reason === texts.reason && message === texts.message;
  return type === 'FailureTarget' && conditions.some(isSame);
}

/**
 * Returns the rollouts of a workload, from its ReplicaSets or ControllerRevisions: revision, and image
 * changes. A controller that returns to an earlier template reuses its old object with a new revision number,
 * so the object's creation time proves only that the rollout was later than that of the previous revision; a
 * ReplicaSet keeps its earlier numbers, so that they have their images and the first of them its time
 * (k8s.io/kubernetes/pkg/controller/deployment/util, SetNewReplicaSetAnnotations; pkg/controller/history).
 */
export function factsOfRevisions(
  kind: string,
  workload: KubeObject,
  objects: readonly KubeObject[],
): readonly Fact[] {
  const subject = subjectOf(kind, workload);
  const known = objects.flatMap((object) => revisionsOf(object));
  const revisions = inOrder(known, workload);
  const replicas = countOf(asRecord((workload as KubeObject & Json).spec)?.replicas);
  const end = endOfRollout(kind, workload);
  let earliest: Timestamp | undefined;
  return revisions.map(
    ({ revision, createdAt, images, isReused, replicaSet, controllerRevision }, index): Fact => {
      const before = imagesBefore(revisions, index, known);
      const isBound = isReused || isBefore(createdAt, earliest);
      const at = (isBound && latestOf([createdAt, earliest])) || createdAt;
      earliest = at;
      const isLast = index === revisions.length - 1;
      return {
        id: `rollout/${subject.uid}/${revision}`,
        kind: 'rollout',
        at,
        precision: 's',
        bound: isBound ? 'not-before' : undefined,
        severity: 'normal',
        subject,
        reason: '',
        message: '',
        count: 1,
        source: 'workload',
        data: {
          revision,
          images: changesOf(before ?? new Map(), images),
          ...(isLast
            ? { replicas, ...progressOf(end, isBound ? undefined : createdAt) }
            : { replicas: undefined }),
          ...(replicaSet === undefined ? { controllerRevision } : { replicaSet }),
        },
      };
    },
  );
}

function inOrder(known: readonly Revision[], workload: KubeObject): readonly Revision[] {
  const all = isOfDeployment(known) ? known : withReused(known, workload);
  return [...all].sort((a, b) => a.revision - b.revision);
}

function isOfDeployment(known: readonly Revision[]): boolean {
  return known.some(({ replicaSet }) => replicaSet !== undefined);
}

/** Returns the images that a revision replaced; undefined if it replaced none, or which is unknown. */
function imagesBefore(
  revisions: readonly Revision[],
  index: number,
  known: readonly Revision[],
): Revision['images'] | undefined {
  const [before, one] = [revisions[index - 1], revisions[index]];
  if (one === undefined || one.revision === 1) return undefined;
  const isNext = isOfDeployment(known) || before?.revision === one.revision - 1;
  return isNext ? before?.images : otherOf(known, one.images);
}

/**
 * A ControllerRevision does not keep its earlier numbers: one that is used again gets the next one (pkg/controller/history,
 * UpdateControllerRevision). Returns which were used again, and the first numbers of the two oldest, 1 and 2, unless older
 * revisions were removed. Two that took turns have all numbers.
 */
function withReused(known: readonly Revision[], workload: KubeObject): readonly Revision[] {
  const spec = asRecord((workload as KubeObject & Json).spec);
  // The controller removes older ones above this limit (pkg/apis/apps/v1, SetDefaults_StatefulSet).
  if (known.length >= (countOf(spec?.revisionHistoryLimit) ?? 10)) return known;
  const byAge = [...known].sort((a, b) => compareTimestamps(a.createdAt, b.createdAt));
  const turns = turnsOf(byAge);
  if (turns !== undefined) return turns;
  const first = byAge.slice(0, 2).map((one, index) => ({ ...one, revision: index + 1 }));
  const numbers = new Set([...known, ...first].map(({ revision }) => revision));
  const used = byAge.map((one, index) => ({ ...one, isReused: isUsedAgain(one, index + 1, numbers) }));
  return [...first.filter(({ revision }, index) => used[index]?.revision !== revision), ...used];
}

/** Returns all numbers of two revisions that took turns. */
function turnsOf([old, other, ...more]: readonly Revision[]): readonly Revision[] | undefined {
  if (old === undefined || other === undefined || more.length > 0) return undefined;
  const last = Math.max(old.revision, other.revision);
  const isWhole = Math.abs(old.revision - other.revision) === 1 && old.revision % 2 === 1;
  if (!isWhole || last > MAX_TURNS) return undefined;
  return Array.from({ length: last }, (_, index) => ({
    ...(index % 2 === 0 ? old : other),
    revision: index + 1,
    isReused: index > 1,
  }));
}

const MAX_TURNS = 20;

/** Whether a revision may have had an earlier number: of the two oldest it is known, of others a number must be missing. */
function isUsedAgain({ revision }: Revision, age: number, numbers: ReadonlySet<number>): boolean {
  if (age <= 2) return revision !== age;
  return Array.from({ length: Math.max(0, revision - age) }, (_, index) => age + index).some(
    (number) => !numbers.has(number),
  );
}

/** Returns the images of the only other revision; undefined if there are several. */
function otherOf(known: readonly Revision[], images: Revision['images']): Revision['images'] | undefined {
  const [other, ...more] = known.filter((one) => one.images !== images);
  return more.length === 0 ? other?.images : undefined;
}

function isBefore(at: Timestamp, other: Timestamp | undefined): boolean {
  return other !== undefined && compareTimestamps(at, other) < 0;
}

/**
 * `going-on`, the time when it ended, or `over` if the status has no time for it; undefined if the status
 * does not show.
 */
type RolloutEnd = 'going-on' | 'over' | DatedEnd | undefined;

interface DatedEnd {
  readonly at: Timestamp;
  /** Since then it was neither paused nor behind its deadline: the condition was True. */
  readonly heldSince: Timestamp | undefined;
}

/** Reads from a workload's status whether its latest rollout has ended. */
export function endOfRollout(kind: string, workload: KubeObject): RolloutEnd {
  const status = asRecord((workload as KubeObject & Json).status) ?? {};
  if (!isCurrent(workload)) return 'going-on';
  switch (kind) {
    case 'Deployment':
      return endOfDeployment(status);
    case 'StatefulSet': {
      // A rollback at once makes both the same, while pods of the revision between them remain.
      const isSame = status.currentRevision === status.updateRevision;
      const { updated, replicas } = updatedOf(status);
      return isSame && updated >= replicas ? 'over' : 'going-on';
    }
    case 'DaemonSet': {
      const wanted = countOf(status.desiredNumberScheduled) ?? 0;
      const isUpdated = (countOf(status.updatedNumberScheduled) ?? 0) >= wanted;
      return isUpdated && (countOf(status.numberAvailable) ?? 0) >= wanted ? 'over' : 'going-on';
    }
    default:
      return undefined;
  }
}

/**
 * Reads the condition Progressing. It gets this reason, and another lastUpdateTime, when all pods belong to
 * the new ReplicaSet and are available, and keeps both until the next rollout
 * (k8s.io/kubernetes/pkg/controller/deployment/progress.go). A Deployment without a deadline has no such
 * condition.
 */
function endOfDeployment(status: Json): RolloutEnd {
  const progressing = listOf(status.conditions).find(({ type }) => type === 'Progressing');
  if (progressing === undefined) return undefined;
  if (progressing.reason === PAUSED) return endOfPaused(status);
  if (progressing.reason !== COMPLETE) return 'going-on';
  const at = timeOf(progressing.lastUpdateTime);
  return at && { at, heldSince: timeOf(progressing.lastTransitionTime) };
}

/**
 * Without updated pods the template has changed since, and has no revision yet: the status does not show how far the
 * latest revision has come.
 */
function endOfPaused(status: Json): RolloutEnd {
  const { updated, replicas } = updatedOf(status);
  if (updated === 0) return undefined;
  const available = countOf(status.availableReplicas) ?? 0;
  return Math.min(updated, available) < replicas ? 'going-on' : 'over';
}

/** `begun`: undefined if the cluster does not date the start. */
function progressOf(end: RolloutEnd, begun: Timestamp | undefined): { isOver?: boolean; lastedMs?: number } {
  if (end === undefined) return {};
  if (typeof end === 'string') return { isOver: end === 'over' };
  if (begun === undefined) return { isOver: true };
  // The time belongs to the previous rollout: the controller has not seen this one.
  if (compareTimestamps(end.at, begun) < 0) return { isOver: false };
  const isWhole = end.heldSince !== undefined && isUnbroken(begun, end.heldSince);
  return { isOver: true, ...(isWhole ? { lastedMs: spanMs(begun, end.at) } : {}) };
}

/**
 * Whether a rollout went on since it began. A pause changes its condition Progressing to Unknown, a missed deadline to
 * False (pkg/controller/deployment/progress.go): the time until its end then includes how long it stood still.
 * `heldSince`: since when the condition was True at its end.
 */
export function isUnbroken(begun: Timestamp, heldSince: Timestamp): boolean {
  return heldSince.seconds - begun.seconds <= BEGIN_SECONDS;
}

/** The controller creates the ReplicaSet before it writes the condition. */
const BEGIN_SECONDS = 2;

/** The reason of the condition Progressing once a rollout is done. */
const COMPLETE = 'NewReplicaSetAvailable';

/** Returns how many pods a workload should have now; undefined if its kind, or its status, does not define it. */
export function replicasOf(kind: string, object: KubeObject): number | undefined {
  const { spec, status } = object as KubeObject & Json;
  switch (kind) {
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return countOf(asRecord(spec)?.replicas) ?? 1;
    case 'DaemonSet':
      return countOf(asRecord(status)?.desiredNumberScheduled);
    case 'CronJob':
      // Between its Jobs it has none.
      return 0;
    default:
      return undefined;
  }
}

interface Revision {
  readonly revision: number;
  readonly createdAt: Timestamp;
  readonly images: ReadonlyMap<string, string>;
  /** Whether its object had an earlier number, so that its creation is that of another rollout. */
  readonly isReused: boolean;
  readonly replicaSet: string | undefined;
  readonly controllerRevision: string | undefined;
}

const ANNOTATION = 'deployment.kubernetes.io/revision';

/** Returns the revision of an object, after those that it was before. */
function revisionsOf(object: KubeObject): readonly Revision[] {
  const { metadata, spec, revision, data } = object as KubeObject & Json;
  const annotated = Number(metadata.annotations?.[ANNOTATION]);
  const number = countOf(revision) ?? (Number.isSafeInteger(annotated) ? annotated : undefined);
  const createdAt = timeOf(metadata.creationTimestamp);
  if (number === undefined || createdAt === undefined) return [];
  // A ControllerRevision contains a patch of its workload.
  const template = asRecord((asRecord(asRecord(data)?.spec) ?? asRecord(spec))?.template);
  const earlier = (metadata.annotations?.[`${ANNOTATION}-history`] ?? '')
    .split(',')
    .map(Number)
    .filter((each) => Number.isSafeInteger(each) && each > 0 && each < number);
  const images = imagesOf(asRecord(template?.spec));
  const isReplicaSet = countOf(revision) === undefined;
  return [...earlier, number].map((each, index) => ({
    revision: each,
    createdAt,
    images,
    isReused: index > 0,
    replicaSet: isReplicaSet ? metadata.name : undefined,
    controllerRevision: isReplicaSet ? undefined : metadata.name,
  }));
}

function imagesOf(pod: Json | undefined): ReadonlyMap<string, string> {
  const images = new Map<string, string>();
  for (const { name, image } of [...listOf(pod?.initContainers), ...listOf(pod?.containers)])
    if (typeof name === 'string' && typeof image === 'string') images.set(name, image);
  return images;
}

/** Returns only the images that differ; none if the template changed otherwise. */
function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly ImageChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((container) => ({ container, from: before.get(container), to: after.get(container) }))
    .filter(({ from, to }) => from !== to);
}

/** Returns an object as the subject of a fact. `kind` is a parameter, because list items lack it. */
export function subjectOf(kind: string, { metadata }: KubeObject): FactSubject {
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid };
}
