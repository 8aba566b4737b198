import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** Identity of one run of one container. A restarted or recreated container has another key. */
export interface ContainerKey {
  readonly podUid: string;
  readonly container: string;
  /** From the pod's status, e.g. `containerd://abc...`; empty while it is unknown. */
  readonly containerId: string;
}

/** Returns the text form of a key; it also ranks the key in the total order of records. */
export function keyText(key: ContainerKey): string {
  return `${key.podUid}/${key.container}/${key.containerId}`;
}

export type ContainerKind = 'init' | 'sidecar' | 'regular' | 'ephemeral';

/** The state of one container as its pod's status reports it. */
export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly kind: 'running'; readonly containerId: string; readonly startedAt: Timestamp | undefined }
  | {
      readonly kind: 'terminated';
      readonly containerId: string;
      readonly exitCode: number;
      readonly reason: string;
      readonly startedAt?: Timestamp | undefined;
      readonly finishedAt: Timestamp | undefined;
    };

/** Where a container runs, from its pod's spec and its node's labels. Absent if unknown. */
export interface Placement {
  readonly node?: string | undefined;
  readonly region?: string | undefined;
  readonly zone?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
}

/** The name of a workload, and the kind of its pods' owner: a ReplicaSet for a Deployment. */
export interface Workload {
  readonly ownerKind: string;
  readonly name: string;
}

/** How a run of a container ended: `OOMKilled`, 137. */
export interface RunEnd {
  readonly reason: string;
  readonly exitCode: number;
}

/**
 * One container of one pod, as resolution last saw it. `id` (pod UID / container name) stays the same across restarts;
 * the container IDs in `state` and `lastContainerId` distinguish its runs.
 */
export interface ContainerTarget {
  readonly id: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  /** Image as named in the pod's spec. */
  readonly image?: string | undefined;
  readonly kind: ContainerKind;
  readonly placement: Placement;
  readonly state: ContainerState;
  readonly restartCount: number;
  /** ID of the run before the current one (status.lastState.terminated.containerID), if any. */
  readonly lastContainerId: string | undefined;
  /** How that run ended, from the pod's status. */
  readonly lastEnd?: RunEnd | undefined;
  /** When that run began, from the pod's status. */
  readonly lastStartedAt?: Timestamp | undefined;
  /** Whether the kubelet may start this container again (restartPolicy, kind and phase considered). */
  readonly mayRestart: boolean;
  readonly podPhase: string;
  /** When the API server created the pod: none of its containers ran before. Undefined: unknown. */
  readonly podCreatedAt?: Timestamp | undefined;
  /** The pod has a deletionTimestamp. */
  readonly deleting: boolean;
  /** The workload that created the pod; undefined for a standalone pod. */
  readonly workload?: Workload | undefined;
  /** Names of all containers in the pod's spec. Containers added for debugging are not the workload's. */
  readonly podContainers?: readonly string[] | undefined;
  /** Names of the pod's other containers, which are left out because the source names no container. */
  readonly hidden?: readonly string[] | undefined;
}

/**
 * Returns the ID of the run that the log API serves without `previous` in a given state; empty if none has begun. For a
 * waiting container, the API serves the run that ended last
 * (test/recorded/pods-log/crashloop-phase-waiting-current.json).
 */
export function currentRunId(target: ContainerTarget): string {
  const { state } = target;
  return (state.kind === 'waiting' ? '' : state.containerId) || (target.lastContainerId ?? '');
}

/**
 * Returns the ID of the run before the current one, if its node keeps the log: it keeps one dead container of each name,
 * so it has none beside the log of a current run that ended too. Undefined: there is none.
 */
export function keptEarlierRun({ state, lastContainerId }: ContainerTarget): string | undefined {
  const isKept = state.kind === 'running' && lastContainerId !== state.containerId;
  return isKept && lastContainerId !== '' ? lastContainerId : undefined;
}

/** Returns the restart count of a container at one of its runs. The status has the count of the current run only. */
export function restartsOfRun(target: ContainerTarget, runId: string): number {
  return runId === currentRunId(target) ? target.restartCount : Math.max(0, target.restartCount - 1);
}

/** Returns the oldest run that a status names; empty if it names none. */
export function oldestNamedRun(target: ContainerTarget): string {
  return target.lastContainerId ?? currentRunId(target);
}

/**
 * Returns a time after all records of the runs before a run; undefined if its start is unknown. The status has the second
 * in which a run began: the run before may have ended in that second.
 */
export function endOfRunsBefore(target: ContainerTarget, runId: string): Timestamp | undefined {
  const start = startOfRun(target, runId);
  return start && { seconds: start.seconds + 1, nanos: 0 };
}

/** Returns when a run of a container began, if the pod's status has it: of the current run and of the one before. */
export function startOfRun(
  { state, lastContainerId, lastStartedAt }: ContainerTarget,
  runId: string,
): Timestamp | undefined {
  if (state.kind !== 'waiting' && state.containerId === runId) return state.startedAt;
  return runId === lastContainerId ? lastStartedAt : undefined;
}
