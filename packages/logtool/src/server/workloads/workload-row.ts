import { Cron } from 'croner';
import type { ContainerExit, PodsExit, Warning, Workload, WorkloadKind } from '../../contract/workload.ts';
import { LATELY_MS } from '../../domain/verdicts/workload-problem.ts';
import { newestFirst } from './container-states.ts';
import { isTrouble } from './pod-status.ts';
import type { PodFacts, WorkloadFacts } from './read-facts.ts';

/** Kubernetes reads `?` as `*`, and now refuses a leading `TZ=`, but old objects may have it. */
const ZONE = /^(?:CRON_)?TZ=(\S+)\s+/;
const EVERY = /^@every\b/;

/** Number in addition to the last one: a row has no room for more. */
const OTHER_EXITS = 2;

export type LastEvent = NonNullable<Workload['lastEvent']>;

export const KIND_NAMES: Readonly<Record<WorkloadKind, string>> = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  jobs: 'Job',
  cronjobs: 'CronJob',
  replicasets: 'ReplicaSet',
  pods: 'Pod',
};

/** The events of a row, including those of its pods. */
export interface RowEvents {
  readonly lastEvent: LastEvent | undefined;
  readonly lastWarning: Warning | undefined;
}

/** Returns the row of a workload. `pods`: its pods; for a CronJob those of its latest Job, whose note is `latest`. */
export function workloadRow(
  facts: WorkloadFacts,
  pods: readonly PodFacts[],
  events: RowEvents,
  latest: WorkloadFacts['note'],
  nowMs: number,
): Workload {
  const present = pods.filter(({ isOver, isLeaving }) => !isOver && !isLeaving);
  const ready = present.filter(({ isReady }) => isReady).length;
  const total = facts.wanted === undefined ? pods.length : Math.max(facts.wanted, present.length);
  const counted = withoutReplaced(pods, present, facts.wanted);
  const { schedule } = facts;
  const next = schedule === undefined ? undefined : nextRunAt(schedule.text, schedule.timeZone, nowMs);
  return {
    id: facts.uid,
    kind: facts.kind,
    kindName: KIND_NAMES[facts.kind],
    namespace: facts.namespace,
    name: facts.name,
    podsReady: ready,
    podsTotal: total,
    ...restartsOf(pods),
    ...stateOf(facts, counted, ready < total, latest),
    ...detailsOf(counted, ready < total),
    ...events,
    createdAt: facts.createdAt,
    containers: containersOf(pods),
    nextRunAt: next,
  };
}

/**
 * Leaves out pods that are over, as after an eviction, once as many others are present as are wanted: how they ended is
 * past, and what is wrong with their successors has another cause.
 */
function withoutReplaced(
  pods: readonly PodFacts[],
  present: readonly PodFacts[],
  wanted: number | undefined,
): readonly PodFacts[] {
  return wanted === undefined || present.length < wanted ? pods : pods.filter(({ isOver }) => !isOver);
}

/** Returns the row of a pod. `ownerId`: the row that it belongs to; undefined for a standalone pod. */
export function podRow(pod: PodFacts, ownerId: string | undefined, events: RowEvents): Workload {
  const status = pod.status === 'Completed' || pod.status === 'Succeeded' ? 'done' : statusOf(pod);
  return {
    id: pod.uid,
    kind: 'pods',
    kindName: KIND_NAMES.pods,
    namespace: pod.namespace,
    name: pod.name,
    podsReady: pod.isReady && !pod.isOver ? 1 : 0,
    podsTotal: 1,
    ...restartsOf([pod]),
    status,
    isFailing: isFailing(pod),
    ...detailsOf([pod], !pod.isReady && !pod.isOver),
    ...events,
    ownerId,
    createdAt: pod.createdAt,
    // A workload's pod has the containers of the workload.
    containers: ownerId === undefined ? containersOf([pod]) : undefined,
  };
}

function restartsOf(pods: readonly PodFacts[]): Pick<Workload, 'restarts' | 'lastRestartAt'> {
  let restarts = 0;
  let last: string | undefined;
  for (const pod of pods) {
    restarts += pod.restarts;
    const at = pod.lastRestartAt;
    if (at !== undefined && (last === undefined || at > last)) last = at;
  }
  return last === undefined ? { restarts } : { restarts, lastRestartAt: last };
}

/** Returns the containers of all pods; undefined if there are none. */
function containersOf(pods: readonly PodFacts[]): Workload['containers'] {
  const names = new Set(pods.flatMap(({ containers }) => containers));
  return names.size === 0 ? undefined : [...names];
}

/** Returns details about the health of the pods. `isShort`: fewer are ready than desired. */
function detailsOf(
  pods: readonly PodFacts[],
  isShort: boolean,
): Pick<Workload, 'lastExit' | 'otherExits' | 'waiting' | 'notReadySince'> {
  const [lastExit, ...others] = exitsOfAll(pods);
  const otherExits = others.length === 0 ? undefined : others.slice(0, OTHER_EXITS);
  const present = pods.filter(({ isOver, isLeaving }) => !isOver && !isLeaving);
  const waiting = present.find((pod) => pod.waiting !== undefined)?.waiting;
  return { lastExit, otherExits, waiting, notReadySince: isShort ? notReadySince(present, pods) : undefined };
}

/** Returns one exit for each reason and exit code, the newest first. */
function exitsOfAll(pods: readonly PodFacts[]): readonly PodsExit[] {
  const kinds = new Map<string, PodsExit>();
  for (const exit of newestFirst(pods.flatMap(({ exits }) => onePerKind(exits)))) {
    const known = kinds.get(kindOf(exit));
    kinds.set(kindOf(exit), known === undefined ? { ...exit, pods: 1 } : { ...known, pods: known.pods + 1 });
  }
  const all = pods.flatMap(({ exits }) => exits);
  return [...kinds.values()].map((newest) => ({ ...newest, ...firstOf(newest, all) }));
}

/** Returns when the trouble began of which an end is the newest: what ended alike long before was another. */
function firstOf(newest: PodsExit, all: readonly ContainerExit[]): Pick<PodsExit, 'firstAt'> {
  const newestMs = Date.parse(newest.at);
  const isOfTrouble = (exit: ContainerExit) =>
    kindOf(exit) === kindOf(newest) && newestMs - Date.parse(exit.at) <= LATELY_MS.exit;
  const first = newestFirst(all.filter(isOfTrouble)).at(-1);
  return first === undefined || first.at === newest.at ? {} : { firstAt: first.at };
}

/** Counts a pod with several containers that ended alike once. */
function onePerKind(exits: readonly ContainerExit[]): readonly ContainerExit[] {
  const kinds = exits.map(kindOf);
  return exits.filter((exit, index) => kinds.indexOf(kindOf(exit)) === index);
}

function kindOf({ reason, exitCode }: ContainerExit): string {
  return `${exitCode} ${reason ?? ''}`;
}

/**
 * Returns when the first of the pods became unready; if all present pods are ready, when the first pod without a
 * successor left.
 */
function notReadySince(present: readonly PodFacts[], pods: readonly PodFacts[]): string | undefined {
  const times = present.flatMap(({ isReady, readinessAt }) => (isReady ? [] : (readinessAt ?? [])));
  return times.length > 0 ? times.sort()[0] : pods.flatMap(({ leavesAt }) => leavesAt ?? []).sort()[0];
}

function stateOf(
  { note, wanted }: WorkloadFacts,
  pods: readonly PodFacts[],
  isShort: boolean,
  latest: WorkloadFacts['note'],
): Pick<Workload, 'status' | 'isFailing' | 'failingSince'> {
  // A finished Job's earlier pod failures no longer matter.
  const outcome = note ?? (latest?.isFailing === true ? latest : undefined);
  // Why a Job is not retried is more useful than how its pods ended.
  if (outcome?.isFailing === true && wanted === undefined) return stateOfNote(outcome);
  const isDone = outcome?.status === 'done' || latest?.status === 'done';
  // Completed pods have been replaced if enough others exist.
  const counted =
    isDone || note?.status === 'suspended'
      ? []
      : pods.filter(({ isOver }) => !isOver || (wanted === undefined ? true : isShort));
  const failing = mostFrequent(counted.filter(isFailing).map(statusOf));
  if (failing !== undefined) return { status: failing, isFailing: true };
  if (outcome !== undefined) return stateOfNote(outcome);
  if (!isShort || isDone || wanted === undefined) return { isFailing: false };
  const waiting = mostFrequent(
    pods.filter(({ isReady, isOver }) => !isReady && !isOver).map((pod) => statusOf(pod) ?? 'NotReady'),
  );
  return waiting === undefined ? { isFailing: false } : { status: waiting, isFailing: false };
}

function stateOfNote({ status, isFailing: fails, since }: NonNullable<WorkloadFacts['note']>) {
  return since === undefined
    ? { status, isFailing: fails }
    : { status, isFailing: fails, failingSince: since };
}

function isFailing(pod: PodFacts): boolean {
  return pod.isUnschedulable || isTrouble(pod.status);
}

function statusOf({ status, isReady, isUnschedulable }: PodFacts): string | undefined {
  if (isUnschedulable) return 'Unschedulable';
  if (status === 'Running') return isReady ? undefined : 'NotReady';
  return status;
}

function mostFrequent(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  let best: string | undefined;
  for (const value of values) {
    if (value === undefined) continue;
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (best === undefined || count > (counts.get(best) ?? 0)) best = value;
  }
  return best;
}

/**
 * Returns when a CronJob runs next after a time (ms since the epoch), RFC 3339. Undefined if its schedule is
 * unreadable, never matches, or depends on when its controller started (`@every`).
 * https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax
 */
export function nextRunAt(
  schedule: string,
  timeZone: string | undefined,
  afterMs: number,
): string | undefined {
  const zone = ZONE.exec(schedule)?.[1] ?? timeZone ?? 'UTC';
  const text = schedule.replace(ZONE, '').trim();
  if (EVERY.test(text) || (!text.startsWith('@') && text.split(/\s+/).length !== 5)) return undefined;
  try {
    const cron = new Cron(text.replaceAll('?', '*'), { timezone: zone, paused: true });
    const next = cron.nextRun(new Date(afterMs));
    return next === null ? undefined : next.toISOString();
  } catch {
    // An invalid schedule, or a time zone that this machine does not know: no time to show.
    return undefined;
  }
}
