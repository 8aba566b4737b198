import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import {
  compareTimestamps,
  parseTimestamp,
  type Timestamp,
  timestampToMs,
} from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject, Severity } from '../domain/facts/fact.ts';
import { countOf, listOf, textOf } from '../resolve/pods/read-json.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parts of a pod that its facts come from. */
interface Pod {
  readonly subject: FactSubject;
  readonly node: string | undefined;
  readonly status: Json;
  readonly conditions: readonly Json[];
  /** When its deletion was requested. */
  readonly deletedAt: Timestamp | undefined;
  readonly graceSeconds: number | undefined;
  readonly createdAt: Timestamp | undefined;
  /** The latest time in its object: something without a time is not known to be earlier. */
  readonly latest: Timestamp;
}

/**
 * Waiting reasons that are normal before a start (kubelet: pkg/kubelet/kubelet_pods.go, ContainerCreating,
 * PodInitializing).
 */
const NORMAL_WAITS: readonly string[] = ['ContainerCreating', 'PodInitializing'];

/**
 * Reads what a pod's object reports of its past and present: runs that began and ended (the current and the
 * previous one), readiness, scheduling, eviction, deletion. The same object yields the same facts. `isGone`:
 * the pod was deleted.
 */
export function factsOfPod(object: KubeObject, isGone = false): readonly Fact[] {
  const pod = readPod(object);
  const spec = asRecord((object as KubeObject & Json).spec) ?? {};
  return [
    ...containersOf(pod, spec).flatMap((container) => factsOfContainer(pod, container)),
    ...pod.conditions.flatMap((condition) => factOfCondition(pod, condition)),
    ...factOfFailure(pod),
    ...factOfDeletion(pod, isGone),
  ];
}

function readPod(object: KubeObject): Pod {
  const { metadata, spec, status: givenStatus } = object as KubeObject & Json;
  const status = asRecord(givenStatus) ?? {};
  const conditions = listOf(status.conditions);
  const graceSeconds = countOf((metadata as unknown as Json).deletionGracePeriodSeconds);
  const endsAt = timeOf(metadata.deletionTimestamp);
  const createdAt = timeOf(metadata.creationTimestamp);
  const deletedAt = endsAt && { seconds: endsAt.seconds - (graceSeconds ?? 0), nanos: 0 };
  const times = [
    createdAt,
    timeOf(status.startTime),
    deletedAt,
    ...conditions.map(({ lastTransitionTime }) => timeOf(lastTransitionTime)),
  ];
  return {
    subject: { kind: 'Pod', namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
    node: textOf(asRecord(spec)?.nodeName),
    status,
    conditions,
    deletedAt,
    graceSeconds,
    createdAt,
    latest: latestOf(times),
  };
}

interface Container {
  readonly name: string;
  readonly isInit: boolean;
  readonly image: string | undefined;
  readonly memoryLimit: string | undefined;
  readonly status: Json;
}

const GROUPS = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

function containersOf({ status }: Pod, spec: Json): readonly Container[] {
  return GROUPS.flatMap(([list, statuses]) => {
    const byName = new Map(listOf(status[statuses]).map((entry) => [entry.name, entry]));
    return listOf(spec[list]).flatMap((container) => {
      const found = byName.get(container.name);
      const name = textOf(container.name);
      if (found === undefined || name === undefined) return [];
      return {
        name,
        isInit: list === 'initContainers' && container.restartPolicy !== 'Always',
        image: textOf(container.image),
        memoryLimit: textOf(asRecord(asRecord(container.resources)?.limits)?.memory),
        status: found,
      };
    });
  });
}

/** Reads the runs in a container's status, and its waiting reason. */
function factsOfContainer(pod: Pod, container: Container): readonly Fact[] {
  const { status } = container;
  const restarts = countOf(status.restartCount) ?? 0;
  const state = asRecord(status.state);
  const last = asRecord(asRecord(status.lastState)?.terminated);
  const ended = asRecord(state?.terminated);
  const running = asRecord(state?.running);
  const facts: Fact[] = [];
  // The count is that of the newest run (pkg/kubelet, convertToAPIContainerStatuses): while the container waits to be
  // restarted, the run that ended last.
  const ofLast = asRecord(state?.waiting) === undefined ? Math.max(0, restarts - 1) : restarts;
  if (last !== undefined) facts.push(...factsOfRun(pod, container, last, ofLast, undefined));
  const present = ended ?? (running && { ...running, containerID: status.containerID });
  if (present !== undefined) facts.push(...factsOfRun(pod, container, present, restarts, last));
  const waiting = asRecord(state?.waiting);
  if (waiting !== undefined) facts.push(factOfWait(pod, container, waiting, restarts));
  return facts;
}

/** Returns the start of a run and, if it has ended, its exit. `before`: the end of the previous run. */
function factsOfRun(
  pod: Pod,
  container: Container,
  run: Json,
  restarts: number,
  before: Json | undefined,
): readonly Fact[] {
  const id = textOf(run.containerID) ?? '';
  const startedAt = timeOf(run.startedAt);
  const finishedAt = timeOf(run.finishedAt);
  const facts: Fact[] = [];
  // A run that failed to start has the time zero.
  if (startedAt !== undefined && startedAt.seconds > 0)
    facts.push(factOfStart(pod, container, { id, startedAt, restarts, before }));
  if (finishedAt !== undefined && finishedAt.seconds > 0)
    facts.push(factOfExit(pod, container, { run, id, startedAt, finishedAt, restarts }));
  return facts;
}

function runSubject({ subject }: Pod, { name }: Container, run: string): FactSubject {
  return { ...subject, container: name, run };
}

function idOf(what: string, { subject }: Pod, { name }: Container, run: string): string {
  return `${what}/${subject.uid}/${name}/${run}`;
}

function factOfStart(
  pod: Pod,
  container: Container,
  {
    id,
    startedAt,
    restarts,
    before,
  }: { id: string; startedAt: Timestamp; restarts: number; before: Json | undefined },
): Fact {
  const base = {
    id: idOf('start', pod, container, id),
    at: startedAt,
    precision: 's',
    severity: 'normal',
    subject: runSubject(pod, container, id),
    reason: '',
    message: '',
    count: 1,
    source: 'pod',
  } as const;
  const { image } = container;
  if (restarts === 0) return { ...base, kind: 'started', data: { restarts, image } };
  const endedAt = timeOf(before?.finishedAt);
  const ended = textOf(before?.containerID);
  return {
    ...base,
    kind: 'restarted',
    data: { restarts, image, afterMs: endedAt && spanMs(endedAt, startedAt) },
    cause: ended === undefined ? undefined : idOf('exit', pod, container, ended),
  };
}

interface EndedRun {
  readonly run: Json;
  readonly id: string;
  readonly startedAt: Timestamp | undefined;
  readonly finishedAt: Timestamp;
  readonly restarts: number;
}

function factOfExit(pod: Pod, container: Container, ended: EndedRun): Fact {
  const { run, id, startedAt, finishedAt, restarts } = ended;
  const exitCode = typeof run.exitCode === 'number' ? run.exitCode : 0;
  const wasDeleted = pod.deletedAt !== undefined && finishedAt.seconds >= pod.deletedAt.seconds;
  const hasLasted = startedAt !== undefined && startedAt.seconds > 0;
  return {
    id: idOf('exit', pod, container, id),
    kind: 'exited',
    at: finishedAt,
    precision: 's',
    severity: severityOfExit(exitCode, wasDeleted),
    subject: runSubject(pod, container, id),
    reason: textOf(run.reason) ?? '',
    message: textOf(run.message) ?? '',
    count: 1,
    source: 'pod',
    data: {
      exitCode,
      signal: countOf(run.signal) || undefined,
      memoryLimit: container.memoryLimit,
      lastedMs: hasLasted ? spanMs(startedAt, finishedAt) : undefined,
      restarts,
      isInit: container.isInit,
      wasDeleted,
    },
  };
}

/**
 * Returns the severity of an exit. SIGTERM (128 + 15) is how the kubelet ends a deleted pod; 137 means that
 * it did not end within its grace period.
 */
function severityOfExit(exitCode: number, wasDeleted: boolean): Severity {
  if (exitCode === 0 || (wasDeleted && exitCode === 143)) return 'normal';
  return wasDeleted ? 'warning' : 'fatal';
}

/** The status has no time for the wait: it began at the earliest at the last change that the status dates. */
function factOfWait(pod: Pod, container: Container, waiting: Json, restarts: number): Fact {
  const reason = textOf(waiting.reason) ?? '';
  const last = asRecord(asRecord(container.status.lastState)?.terminated);
  return {
    id: idOf('waiting', pod, container, `${restarts}/${reason}`),
    kind: 'waiting',
    at: timeOf(last?.finishedAt) ?? readySince(pod) ?? pod.createdAt ?? pod.latest,
    precision: 's',
    bound: 'not-before',
    severity: NORMAL_WAITS.includes(reason) ? 'normal' : 'warning',
    subject: { ...pod.subject, container: container.name },
    reason,
    message: textOf(waiting.message) ?? '',
    count: 1,
    source: 'pod',
    data: { image: container.image, restarts },
  };
}

function readySince({ conditions }: Pod): Timestamp | undefined {
  return timeOf(conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime);
}

/**
 * Reads conditions with their times:
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-conditions
 */
function factOfCondition(pod: Pod, condition: Json): readonly Fact[] {
  const type = textOf(condition.type) ?? '';
  const status = textOf(condition.status);
  // The API server sets this condition as it creates the pod, without a time (pkg/registry/core/pod/strategy.go).
  const isGated = condition.reason === 'SchedulingGated';
  const at = timeOf(condition.lastTransitionTime) ?? (isGated ? pod.createdAt : undefined);
  if (at === undefined) return [];
  const base = {
    id: `${type}/${pod.subject.uid}/${at.seconds}`,
    at,
    precision: 's',
    subject: pod.subject,
    reason: textOf(condition.reason) ?? '',
    message: textOf(condition.message) ?? '',
    count: 1,
    source: 'pod',
  } as const;
  const { node } = pod;
  if (type === 'Ready' && status === 'True')
    return [{ ...base, kind: 'ready', severity: 'normal', data: {} }];
  // Its containers have ended; their exits show this.
  if (type === 'Ready' && base.reason !== 'PodCompleted')
    return [{ ...base, kind: 'not-ready', severity: 'warning', data: {} }];
  if (type === 'PodScheduled' && status === 'True')
    return [{ ...base, kind: 'scheduled', severity: 'normal', data: { node } }];
  if (type === 'PodScheduled') return [{ ...base, kind: 'unschedulable', severity: 'warning', data: {} }];
  if (type === 'DisruptionTarget' && status === 'True') return [factOfDisruption(pod, base)];
  return [];
}

type ConditionBase = Omit<Fact, 'kind' | 'data' | 'severity'>;

/** https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
function factOfDisruption({ node, subject }: Pod, base: ConditionBase): Fact {
  const kind = base.reason === 'PreemptionByScheduler' ? 'preempted' : 'evicted';
  return { ...base, id: `${kind}/${subject.uid}`, kind, severity: 'fatal', data: { node } };
}

/** Reasons in a pod's own status, from the kubelet (pkg/kubelet/eviction, pkg/kubelet/preemption). */
const KINDS_OF_FAILURE: ReadonlyMap<string, 'evicted' | 'preempted'> = new Map([
  ['Evicted', 'evicted'],
  ['Preempting', 'preempted'],
]);

/** Returns a failure of the whole pod. Its status has no time for it; a disruption condition has. */
function factOfFailure({ status, subject, node, conditions, latest }: Pod): readonly Fact[] {
  const reason = textOf(status.reason);
  if (reason === undefined) return [];
  const kind = KINDS_OF_FAILURE.get(reason) ?? 'failed';
  const disrupted = conditions.find((each) => each.type === 'DisruptionTarget' && each.status === 'True');
  const disruptedAt = timeOf(disrupted?.lastTransitionTime);
  return [
    {
      id: `${kind}/${subject.uid}/${reason}`,
      kind,
      at: disruptedAt ?? latest,
      precision: 's',
      bound: disruptedAt === undefined ? 'not-before' : undefined,
      severity: 'fatal',
      subject,
      reason,
      message: textOf(status.message) ?? '',
      count: 1,
      source: 'pod',
      data: { node },
    },
  ];
}

/**
 * deletionTimestamp minus the grace period is when the deletion was requested
 * (k8s.io/apiserver/pkg/registry/rest/delete.go).
 */
function factOfDeletion(
  { subject, deletedAt, graceSeconds, latest, conditions }: Pod,
  isGone: boolean,
): readonly Fact[] {
  if (deletedAt === undefined && !isGone) return [];
  return [
    {
      id: `deleted/${subject.uid}`,
      kind: 'deleted',
      at: deletedAt ?? latest,
      precision: 's',
      bound: deletedAt === undefined ? 'not-before' : undefined,
      severity: 'normal',
      subject,
      reason: '',
      message: '',
      count: 1,
      source: 'pod',
      data: { graceSeconds, by: deletedAt && deleterOf(conditions, deletedAt) },
    },
  ];
}

/**
 * Components that set this condition and then delete the pod at once
 * (https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions). The kubelet's own reason
 * is left out: it ends a pod, and another deletes it later.
 */
const DELETERS: readonly string[] = [
  'EvictionByEvictionAPI',
  'DeletionByTaintManager',
  'DeletionByPodGC',
  'PreemptionByScheduler',
];
/** Maximum time between the condition and the deletion, in seconds. */
const AT_ONCE = 10;

function deleterOf(conditions: readonly Json[], deletedAt: Timestamp): string | undefined {
  const disrupted = conditions.find(({ type, status, lastTransitionTime }) => {
    const at = timeOf(lastTransitionTime);
    const isNear = at !== undefined && Math.abs(at.seconds - deletedAt.seconds) <= AT_ONCE;
    return type === 'DisruptionTarget' && status === 'True' && isNear;
  });
  const reason = textOf(disrupted?.reason);
  return reason !== undefined && DELETERS.includes(reason) ? reason : undefined;
}

/** Parses a time of the API. */
export function timeOf(value: unknown): Timestamp | undefined {
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** Returns the latest of several times; the epoch if there is none. */
export function latestOf(times: readonly (Timestamp | undefined)[]): Timestamp {
  let latest: Timestamp = { seconds: 0, nanos: 0 };
  for (const time of times) if (time !== undefined && compareTimestamps(time, latest) > 0) latest = time;
  return latest;
}

/** Returns the time between two timestamps in ms. */
export function spanMs(from: Timestamp, to: Timestamp): number {
  return timestampToMs(to) - timestampToMs(from);
}
