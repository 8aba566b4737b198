import { backoffMs } from '@logtool/kube/src/values/retry.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { isPodActive, isPodReady, podStatus, timeText, workloadSpec } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { JOB_UID_LABEL, jobLabels } from './job-labels.ts';
import { createPod } from './pod-maker.ts';

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy */
const POD_POLICY = { firstMs: 10_000, maxMs: 360_000, jitter: false };

interface JobStatus {
  startTime?: string;
  completionTime?: string;
  conditions?: JobCondition[];
}

interface JobCondition {
  type: string;
  status: string;
  reason?: string;
}

/** Runs Jobs: creates pods until enough have succeeded, or more have failed than backoffLimit allows. */
export function startJobs(cluster: Cluster): void {
  reconcileOn(cluster, { resource: 'jobs.batch', kind: 'Job', children: ['pods'] }, (job) =>
    reconcile(cluster, withSelector(cluster, job)),
  );
}

/** Adds the labels and selector with the Job's uid, as the API server does; a Job from the scenario has none yet. */
function withSelector(cluster: Cluster, job: StoredObject): StoredObject {
  if (workloadSpec(job).selector?.matchLabels !== undefined) return job;
  const { uid, name, namespace } = job.metadata;
  const labels = jobLabels(job);
  return (
    cluster.store.update('jobs.batch', namespace, name, (object) => {
      const spec = workloadSpec(object);
      spec.selector = { matchLabels: { [JOB_UID_LABEL]: uid } };
      spec.template.metadata = {
        ...spec.template.metadata,
        labels: { ...spec.template.metadata?.labels, ...labels },
      };
      return undefined;
    }) ?? job
  );
}

type JobSpec = ReturnType<typeof workloadSpec> & {
  completions?: number;
  parallelism?: number;
  backoffLimit?: number;
  activeDeadlineSeconds?: number;
  suspend?: boolean;
};

/** The pods of a Job by their state. */
interface JobPods {
  readonly active: readonly StoredObject[];
  readonly succeeded: number;
  readonly failed: number;
}

function reconcile(cluster: Cluster, job: StoredObject): void {
  const spec = workloadSpec(job) as JobSpec;
  const before = (job.status ?? {}) as JobStatus;
  if (isOver(job)) return;
  const pods = podsOfJob(cluster, job);
  const wanted = spec.completions ?? 1;
  if (spec.suspend === true) {
    suspend(cluster, job, pods);
    return;
  }
  const status = {
    startTime: before.startTime ?? timeText(cluster.clock.now()),
    ...resumed(cluster, job, before),
  };
  if (pods.succeeded >= wanted) complete(cluster, job, pods, status);
  else {
    const failure = failureOf(cluster, spec, pods, status);
    if (failure !== undefined) fail(cluster, job, pods, status, failure);
    else {
      if (before.startTime === undefined) checkAtDeadline(cluster, job, spec);
      keepRunning(cluster, job, pods, status);
    }
  }
}

function isOver(job: StoredObject): boolean {
  const { conditions = [] } = (job.status ?? {}) as JobStatus;
  return conditions.some(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
}

/** Creates the pods that the Job still needs, and writes its counts. */
function keepRunning(cluster: Cluster, job: StoredObject, pods: JobPods, status: JobStatus): void {
  const spec = workloadSpec(job) as JobSpec;
  const wanted = spec.completions ?? 1;
  const room = Math.min(spec.parallelism ?? 1, wanted - pods.succeeded) - pods.active.length;
  if (room > 0) startPods(cluster, job, room, pods.failed);
  const active = podsOfJob(cluster, job).active.length;
  const running = active > 0 ? { active } : {};
  writeStatus(cluster, 'jobs.batch', job, { ...status, ...running, ...countsOf(pods) });
}

/**
 * Deletes the pods of a suspended Job, which then has no start (pkg/controller/job/job_controller.go, syncJob):
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#suspending-a-job
 */
function suspend(cluster: Cluster, job: StoredObject, pods: JobPods): void {
  for (const pod of pods.active) deleteOf(cluster, job, pod);
  const { conditions = [] } = (job.status ?? {}) as JobStatus;
  const isNew = !conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const condition = suspendedCondition(cluster, 'True', 'JobSuspended', 'Job suspended');
  writeStatus(cluster, 'jobs.batch', job, {
    ...countsOf({ ...pods, active: [] }),
    conditions: isNew ? [condition] : conditions,
  });
  if (isNew) recordSuspension(cluster, job, 'Suspended', 'Job suspended');
}

/** Returns the condition of a Job that was suspended before, if it was. */
function resumed(
  cluster: Cluster,
  job: StoredObject,
  { conditions }: JobStatus,
): Pick<JobStatus, 'conditions'> {
  const last = conditions?.find(({ type }) => type === 'Suspended');
  if (last === undefined || conditions === undefined) return {};
  if (last.status !== 'True') return { conditions };
  recordSuspension(cluster, job, 'Resumed', 'Job resumed');
  return { conditions: [suspendedCondition(cluster, 'False', 'JobResumed', 'Job resumed')] };
}

function suspendedCondition({ clock }: Cluster, status: 'True' | 'False', reason: string, message: string) {
  const now = timeText(clock.now());
  return { type: 'Suspended', status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

function recordSuspension(cluster: Cluster, job: StoredObject, reason: string, message: string): void {
  recordEvent(cluster, job, { type: 'Normal', reason, message, component: 'job-controller' });
}

function deleteOf(cluster: Cluster, job: StoredObject, pod: StoredObject): void {
  deletePod(cluster, pod);
  recordEvent(cluster, job, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted pod: ${pod.metadata.name}`,
    component: 'job-controller',
  });
}

function podsOfJob(cluster: Cluster, job: StoredObject): JobPods {
  const pods = controlledBy(cluster.store, 'pods', job);
  const inPhase = (phase: string) => pods.filter((pod) => podStatus(pod).phase === phase).length;
  return { active: pods.filter(isPodActive), succeeded: inPhase('Succeeded'), failed: inPhase('Failed') };
}

function countsOf({ active, succeeded, failed }: JobPods) {
  return {
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failed > 0 ? { failed } : {}),
    terminating: 0,
    uncountedTerminatedPods: {},
    ready: active.filter(isPodReady).length,
  };
}

function complete(cluster: Cluster, job: StoredObject, pods: JobPods, status: JobStatus): void {
  const now = timeText(cluster.clock.now());
  const message = 'Reached expected number of succeeded pods';
  writeStatus(cluster, 'jobs.batch', job, {
    ...status,
    conditions: [
      ...(status.conditions ?? []),
      ...ended(now, ['SuccessCriteriaMet', 'Complete'], 'CompletionsReached', message),
    ],
    completionTime: now,
    ...countsOf(pods),
  });
  recordEvent(cluster, job, {
    type: 'Normal',
    reason: 'Completed',
    message: 'Job completed',
    component: 'job-controller',
  });
}

interface JobFailure {
  readonly reason: string;
  readonly message: string;
}

/** pkg/controller/job/job_controller.go */
const BACKOFF_LIMIT = {
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
} as const;
const DEADLINE = {
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
} as const;

function failureOf(
  cluster: Cluster,
  spec: JobSpec,
  pods: JobPods,
  status: JobStatus,
): JobFailure | undefined {
  if (pods.failed > (spec.backoffLimit ?? 6)) return BACKOFF_LIMIT;
  return deadlineMs(spec, status) <= cluster.clock.now() ? DEADLINE : undefined;
}

/** Returns when the job must end, ms since the epoch. */
function deadlineMs({ activeDeadlineSeconds }: JobSpec, { startTime }: JobStatus): number {
  if (activeDeadlineSeconds === undefined || startTime === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(startTime) + activeDeadlineSeconds * 1000;
}

function checkAtDeadline(cluster: Cluster, { metadata }: StoredObject, spec: JobSpec): void {
  if (spec.activeDeadlineSeconds === undefined) return;
  cluster.clock.after(spec.activeDeadlineSeconds * 1000, () => {
    const job = cluster.store.get('jobs.batch', metadata.namespace, metadata.name);
    if (job?.metadata.uid === metadata.uid) reconcile(cluster, job);
  });
}

function fail(
  cluster: Cluster,
  job: StoredObject,
  pods: JobPods,
  status: JobStatus,
  { reason, message }: JobFailure,
): void {
  for (const pod of pods.active) deleteOf(cluster, job, pod);
  const now = timeText(cluster.clock.now());
  writeStatus(cluster, 'jobs.batch', job, {
    ...status,
    conditions: [...(status.conditions ?? []), ...ended(now, ['FailureTarget', 'Failed'], reason, message)],
    ...countsOf(pods),
  });
  recordEvent(cluster, job, { type: 'Warning', reason, message, component: 'job-controller' });
}

/** Creates pods. After a failure the next pod starts 10 s later, then 20 s, as with the real Job controller. */
function startPods(cluster: Cluster, job: StoredObject, count: number, failed: number): void {
  const make = () => {
    const current = cluster.store.get('jobs.batch', job.metadata.namespace, job.metadata.name);
    if (current?.metadata.uid !== job.metadata.uid || isOver(current)) return;
    const active = controlledBy(cluster.store, 'pods', job).filter(isPodActive);
    for (let n = active.length; n < count; n++) createPod(cluster, current, workloadSpec(current).template);
  };
  if (failed === 0) {
    for (let n = 0; n < count; n++) createPod(cluster, job, workloadSpec(job).template);
    return;
  }
  const key = `${job.metadata.uid}/${failed}`;
  if (pending.get(cluster)?.has(key) === true) return;
  const keys = pending.get(cluster) ?? new Set<string>();
  pending.set(cluster, keys.add(key));
  cluster.clock.after(cluster.realDelays ? backoffMs(POD_POLICY, failed - 1) : 0, make);
}

const pending = new WeakMap<Cluster, Set<string>>();

function ended(now: string, types: readonly string[], reason: string, message: string) {
  return types.map((type) => ({
    type,
    status: 'True',
    lastProbeTime: now,
    lastTransitionTime: now,
    reason,
    message,
  }));
}
