import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  EVENTS,
  JOBS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';

/** The newer API of the same objects as `EVENTS`, with separate permissions. */
export const EVENTS_V1: ResourceType = { ...EVENTS, group: 'events.k8s.io' };

export const CONTROLLER_REVISIONS: ResourceType = {
  ...STATEFUL_SETS,
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  kind: 'ControllerRevision',
  shortNames: [],
};

export const AUTOSCALERS: ResourceType = {
  ...EVENTS,
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
};

const WORKLOADS = [DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS, REPLICATION_CONTROLLERS];

export function isWorkload(type: ResourceType): boolean {
  return WORKLOADS.some(({ group, plural }) => group === type.group && plural === type.plural);
}

/** Returns the type of an owner to read: a workload with conditions and rollouts, or a CronJob, which may be suspended. */
export function workloadType(kind: string, apiVersion: string): ResourceType | undefined {
  return [...WORKLOADS, CRON_JOBS].find((type) => {
    const own = type.group === '' ? type.version : `${type.group}/${type.version}`;
    return type.kind === kind && own === apiVersion;
  });
}

/** Returns the type of workloads, or of CronJobs, of a kind. */
export function workloadOfKind(kind: string): ResourceType | undefined {
  return [...WORKLOADS, CRON_JOBS].find((type) => type.kind === kind);
}

/** Whether the facts of an object include those of its Jobs. */
export function isCronJob({ group, plural }: ResourceType): boolean {
  return group === CRON_JOBS.group && plural === CRON_JOBS.plural;
}

/** Returns the type of the objects to read with a workload: those of its revisions, or the Jobs of a CronJob. */
export function childrenOf({ kind }: ResourceType): ResourceType | undefined {
  if (kind === CRON_JOBS.kind) return JOBS;
  if (kind === DEPLOYMENTS.kind) return REPLICA_SETS;
  return kind === STATEFUL_SETS.kind || kind === DAEMON_SETS.kind ? CONTROLLER_REVISIONS : undefined;
}
