import type { ResourceType } from './client.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

function builtin(
  group: string,
  kind: string,
  plural: string,
  shortNames: readonly string[],
  namespaced = true,
): ResourceType {
  const singular = kind.toLowerCase();
  return { group, version: 'v1', plural, singular, kind, shortNames, namespaced, verbs: VERBS };
}

/**
 * Kinds that every cluster serves, as its discovery describes them. Using them costs no discovery request. A test keeps
 * them equal to the recorded discovery.
 */
export const PODS = builtin('', 'Pod', 'pods', ['po']);
export const SERVICES = builtin('', 'Service', 'services', ['svc']);
export const NODES = builtin('', 'Node', 'nodes', ['no'], false);
export const NAMESPACES: ResourceType = {
  ...builtin('', 'Namespace', 'namespaces', ['ns'], false),
  verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
};
export const EVENTS = builtin('', 'Event', 'events', ['ev']);
export const SECRETS = builtin('', 'Secret', 'secrets', []);
export const CONFIG_MAPS = builtin('', 'ConfigMap', 'configmaps', ['cm']);
export const REPLICATION_CONTROLLERS = builtin('', 'ReplicationController', 'replicationcontrollers', ['rc']);
export const DEPLOYMENTS = builtin('apps', 'Deployment', 'deployments', ['deploy']);
export const REPLICA_SETS = builtin('apps', 'ReplicaSet', 'replicasets', ['rs']);
export const STATEFUL_SETS = builtin('apps', 'StatefulSet', 'statefulsets', ['sts']);
export const DAEMON_SETS = builtin('apps', 'DaemonSet', 'daemonsets', ['ds']);
export const JOBS = builtin('batch', 'Job', 'jobs', []);
export const CRON_JOBS = builtin('batch', 'CronJob', 'cronjobs', ['cj']);

/** All resources above. */
export const BUILTIN_RESOURCES: readonly ResourceType[] = [
  PODS,
  SERVICES,
  NODES,
  NAMESPACES,
  EVENTS,
  SECRETS,
  CONFIG_MAPS,
  REPLICATION_CONTROLLERS,
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
  DAEMON_SETS,
  JOBS,
  CRON_JOBS,
];
