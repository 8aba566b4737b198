import type { StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { ownerReference, timeText } from '../objects.ts';
import { reconcileOn, writeStatus } from '../reconcile.ts';
import { controlledBy } from '../related.ts';
import { type CronSchedule, nextTime, parseSchedule } from './cron-schedule.ts';

interface CronJobSpec {
  schedule: string;
  suspend?: boolean;
  concurrencyPolicy?: string;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
  jobTemplate: { metadata?: { labels?: Record<string, string> }; spec: Record<string, unknown> };
}

/** Runs CronJobs: creates a Job at each scheduled minute, and removes old Jobs. */
export function startCronJobs(cluster: Cluster): void {
  const armed = new Map<string, () => void>();
  cluster.store.subscribe('cronjobs.batch', ({ type, object, before }) => {
    const { uid } = object.metadata;
    const spec = object.spec as unknown as CronJobSpec;
    const known = before?.spec as unknown as CronJobSpec | undefined;
    if (type === 'MODIFIED' && spec.schedule === known?.schedule) return;
    armed.get(uid)?.();
    armed.delete(uid);
    if (type !== 'DELETED') arm(cluster, object, armed);
  });
  reconcileOn(cluster, { resource: 'cronjobs.batch', kind: 'CronJob', children: ['jobs.batch'] }, (cronJob) =>
    report(cluster, cronJob),
  );
}

function arm(cluster: Cluster, cronJob: StoredObject, armed: Map<string, () => void>): void {
  const { namespace, name, uid } = cronJob.metadata;
  const schedule: CronSchedule | undefined = parseSchedule((cronJob.spec as unknown as CronJobSpec).schedule);
  if (schedule === undefined) return;
  const atMs = nextTime(schedule, cluster.clock.now());
  if (atMs === undefined) return;
  const cancel = cluster.clock.after(Math.min(atMs - cluster.clock.now(), 2 ** 31 - 1), () => {
    const current = cluster.store.get('cronjobs.batch', namespace, name);
    if (current?.metadata.uid !== uid) return;
    if (cluster.clock.now() >= atMs) run(cluster, current, atMs);
    arm(cluster, current, armed);
  });
  armed.set(uid, cancel);
}

function run(cluster: Cluster, cronJob: StoredObject, atMs: number): void {
  const spec = cronJob.spec as unknown as CronJobSpec;
  const { namespace, name } = cronJob.metadata;
  if (spec.suspend === true) return;
  const active = jobsOf(cluster, cronJob).filter((job) => !isDone(job));
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) return;
  const jobName = `${name}-${Math.floor(atMs / 60_000)}`;
  const job = createObject(cluster, 'jobs.batch', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName,
      namespace: namespace ?? 'default',
      generation: 1,
      labels: { ...spec.jobTemplate.metadata?.labels },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': timeText(atMs) },
      ownerReferences: [ownerReference(cronJob)],
    },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, ...structuredClone(spec.jobTemplate.spec) },
    status: {},
  });
  if (job === undefined) return;
  recordEvent(cluster, cronJob, {
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message: `Created job ${jobName}`,
    component: 'cronjob-controller',
  });
  writeStatus(cluster, 'cronjobs.batch', cronJob, { ...cronJob.status, lastScheduleTime: timeText(atMs) });
}

function report(cluster: Cluster, cronJob: StoredObject): void {
  const spec = cronJob.spec as unknown as CronJobSpec;
  const jobs = jobsOf(cluster, cronJob);
  const active = jobs.filter((job) => !isDone(job));
  const done = jobs.filter((job) => hasCondition(job, 'Complete'));
  const failed = jobs.filter((job) => hasCondition(job, 'Failed'));
  const last = done.at(-1)?.status as { completionTime?: string } | undefined;
  const { active: _active, ...before } = (cronJob.status ?? {}) as Record<string, unknown>;
  writeStatus(cluster, 'cronjobs.batch', cronJob, {
    ...before,
    ...(active.length === 0
      ? {}
      : {
          active: active.map((job) => ({
            kind: 'Job',
            namespace: job.metadata.namespace,
            name: job.metadata.name,
            uid: job.metadata.uid,
            apiVersion: 'batch/v1',
            resourceVersion: job.metadata.resourceVersion,
          })),
        }),
    ...(last?.completionTime === undefined ? {} : { lastSuccessfulTime: last.completionTime }),
  });
  forget(cluster, done, spec.successfulJobsHistoryLimit ?? 3);
  forget(cluster, failed, spec.failedJobsHistoryLimit ?? 1);
}

function forget(cluster: Cluster, jobs: readonly StoredObject[], keep: number): void {
  for (const job of jobs.slice(0, Math.max(0, jobs.length - keep))) {
    cluster.store.remove('jobs.batch', job.metadata.namespace, job.metadata.name);
  }
}

/** Returns the Jobs of a CronJob, oldest first. */
function jobsOf(cluster: Cluster, cronJob: StoredObject): readonly StoredObject[] {
  return [...controlledBy(cluster.store, 'jobs.batch', cronJob)].sort((a, b) =>
    a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp),
  );
}

function isDone(job: StoredObject): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
}

function hasCondition(job: StoredObject, type: string): boolean {
  const { conditions } = (job.status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions?.some((c) => c.type === type && c.status === 'True') === true;
}
