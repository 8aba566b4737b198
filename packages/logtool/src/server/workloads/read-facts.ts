import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { ContainerExit, Workload, WorkloadKind } from '../../contract/workload.ts';
import { DEFAULT_CONTAINER, readLabels } from '../../resolve/pods/pod-facts.ts';
import { countOf, listOf, textOf } from '../../resolve/pods/read-json.ts';
import { exitsOf, waitingOf } from './container-states.ts';
import { podStatus } from './pod-status.ts';

type Json = Readonly<Record<string, unknown>>;

/** The controller of an object. */
export interface OwnerFacts {
  readonly kind: string;
  readonly uid: string;
}

/** The parts of a workload that the home page needs; the rest of the object is not kept. */
export interface WorkloadFacts {
  readonly uid: string;
  readonly kind: Exclude<WorkloadKind, 'pods'>;
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: string;
  readonly owner: OwnerFacts | undefined;
  /** Number of desired pods; undefined for Jobs and CronJobs. */
  readonly wanted: number | undefined;
  /** The object's own status. */
  readonly note:
    | { readonly status: string; readonly isFailing: boolean; readonly since?: string | undefined }
    | undefined;
  readonly schedule: { readonly text: string; readonly timeZone: string | undefined } | undefined;
}

export interface PodFacts {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: string;
  readonly owner: OwnerFacts | undefined;
  readonly isReady: boolean;
  /** Succeeded or failed: it will not run again. */
  readonly isOver: boolean;
  readonly isLeaving: boolean;
  readonly restarts: number;
  readonly lastRestartAt: string | undefined;
  /** When it became ready, or stopped being ready; when it began if it never was ready. */
  readonly readinessAt: string | undefined;
  /** When its deletion is due. */
  readonly leavesAt: string | undefined;
  /** As in kubectl. */
  readonly status: string;
  /** Names, in the order of its spec. */
  readonly containers: readonly string[];
  /** Exits of its containers, the newest first. */
  readonly exits: readonly ContainerExit[];
  readonly waiting: Workload['waiting'];
  /** The scheduler found no node for it. */
  readonly isUnschedulable: boolean;
}

/** Reads what a row needs from an API object. A missing value, or one of another type, reads as absent. */
export function readWorkload(kind: WorkloadFacts['kind'], object: KubeObject): WorkloadFacts {
  const { metadata } = object;
  const whole = object as unknown as Json;
  const spec = asRecord(whole.spec) ?? {};
  const status = asRecord(whole.status) ?? {};
  const schedule = textOf(spec.schedule);
  return {
    uid: metadata.uid,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAt: metadata.creationTimestamp ?? '',
    owner: ownerOf(object),
    wanted: wantedOf(kind, spec, status),
    note: noteOf(kind, spec, status),
    schedule:
      kind !== 'cronjobs' || schedule === undefined || spec.suspend === true
        ? undefined
        : { text: schedule, timeZone: textOf(spec.timeZone) },
  };
}

/** Reads what a row needs from a pod. */
export function readPodFacts(object: KubeObject): PodFacts {
  const { metadata } = object;
  const pod = object as unknown as Json;
  const status = asRecord(pod.status) ?? {};
  const conditions = listOf(status.conditions);
  const ready = conditions.find(({ type }) => type === 'Ready');
  let restarts = 0;
  let lastRestartAt: string | undefined;
  for (const list of [status.initContainerStatuses, status.containerStatuses]) {
    for (const container of listOf(list)) {
      restarts += countOf(container.restartCount) ?? 0;
      const at = textOf(asRecord(asRecord(container.lastState)?.terminated)?.finishedAt);
      // RFC 3339 in UTC, as the API writes it, sorts as text.
      if (at !== undefined && (lastRestartAt === undefined || at > lastRestartAt)) lastRestartAt = at;
    }
  }
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAt: metadata.creationTimestamp ?? '',
    owner: ownerOf(object),
    isReady: ready?.status === 'True',
    isOver: status.phase === 'Succeeded' || status.phase === 'Failed',
    isLeaving: metadata.deletionTimestamp !== undefined,
    restarts,
    lastRestartAt: restarts === 0 ? undefined : lastRestartAt,
    readinessAt: textOf(ready?.lastTransitionTime) ?? metadata.creationTimestamp,
    leavesAt: metadata.deletionTimestamp,
    status: podStatus(pod),
    containers: containersOf(pod),
    exits: exitsOf(object),
    waiting: waitingOf(pod),
    isUnschedulable: conditions.some(
      ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
    ),
  };
}

/** Returns the names of the containers, the main one first: the one that kubectl logs shows. */
function containersOf(pod: Json): readonly string[] {
  const spec = asRecord(pod.spec) ?? {};
  const names = [...listOf(spec.containers), ...listOf(spec.initContainers)].flatMap(
    ({ name }) => textOf(name) ?? [],
  );
  const main = readLabels(asRecord(pod.metadata)?.annotations).get(DEFAULT_CONTAINER);
  return main === undefined || !names.includes(main)
    ? names
    : [main, ...names.filter((name) => name !== main)];
}

function ownerOf({ metadata }: KubeObject): OwnerFacts | undefined {
  const owners = listOf(metadata.ownerReferences);
  const owner = owners.find(({ controller }) => controller === true) ?? owners[0];
  const uid = textOf(owner?.uid);
  return uid === undefined ? undefined : { kind: textOf(owner?.kind) ?? '', uid };
}

function wantedOf(kind: WorkloadKind, spec: Json, status: Json): number | undefined {
  switch (kind) {
    case 'deployments':
    case 'statefulsets':
    case 'replicasets':
      return countOf(spec.replicas) ?? 1;
    case 'daemonsets':
      return countOf(status.desiredNumberScheduled) ?? 0;
    case 'cronjobs':
    case 'jobs':
    case 'pods':
      return undefined;
  }
}

type Note = WorkloadFacts['note'];
type FindCondition = (type: string, value: string) => Json | undefined;

/** Returns the note; the first rule that applies wins. */
function noteOf(kind: WorkloadKind, spec: Json, status: Json): Note {
  const find: FindCondition = (type, value) =>
    listOf(status.conditions).find((entry) => entry.type === type && entry.status === value);
  const ended = kind === 'jobs' ? jobNote(find) : undefined;
  if (ended !== undefined) return ended;
  if (spec.suspend === true) return { status: 'suspended', isFailing: false };
  return kind === 'deployments' || kind === 'replicasets' ? replicaNote(spec, find) : undefined;
}

function jobNote(find: FindCondition): Note {
  if (find('Complete', 'True') !== undefined) return { status: 'done', isFailing: false };
  const failed = find('Failed', 'True');
  return failed && failure(failed, 'Failed');
}

function failure({ reason, lastTransitionTime }: Json, otherwise: string): NonNullable<Note> {
  return { status: textOf(reason) ?? otherwise, isFailing: true, since: textOf(lastTransitionTime) };
}

function replicaNote(spec: Json, find: FindCondition): Note {
  // Its conditions keep failures from before it was scaled to zero.
  if (spec.replicas === 0) return spec.paused === true ? { status: 'paused', isFailing: false } : undefined;
  const refused = find('ReplicaFailure', 'True');
  if (refused !== undefined) return failure(refused, 'FailedCreate');
  const stuck = find('Progressing', 'False');
  if (stuck?.reason === 'ProgressDeadlineExceeded') return failure(stuck, 'ProgressDeadlineExceeded');
  return spec.paused === true ? { status: 'paused', isFailing: false } : undefined;
}
