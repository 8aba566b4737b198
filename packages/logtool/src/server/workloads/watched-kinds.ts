import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  EVENTS,
  JOBS,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { WorkloadFacts } from './read-facts.ts';

export type Kind = WorkloadFacts['kind'] | 'pods' | 'events';

/** The kinds that the home page uses. */
export const TYPES: readonly (readonly [Kind, ResourceType])[] = [
  ['pods', PODS],
  ['deployments', DEPLOYMENTS],
  ['replicasets', REPLICA_SETS],
  ['statefulsets', STATEFUL_SETS],
  ['daemonsets', DAEMON_SETS],
  ['jobs', JOBS],
  ['cronjobs', CRON_JOBS],
  ['events', EVENTS],
];
