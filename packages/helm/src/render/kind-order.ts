/**
 * Kinds in installation order; other kinds follow, sorted by name
 * (https://github.com/helm/helm/blob/v4.1.4/pkg/release/v1/util/kind_sorter.go).
 */
const INSTALL_ORDER: ReadonlyMap<string, number> = new Map(
  [
    'PriorityClass',
    'Namespace',
    'NetworkPolicy',
    'ResourceQuota',
    'LimitRange',
    'PodSecurityPolicy',
    'PodDisruptionBudget',
    'ServiceAccount',
    'Secret',
    'SecretList',
    'ConfigMap',
    'StorageClass',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'CustomResourceDefinition',
    'ClusterRole',
    'ClusterRoleList',
    'ClusterRoleBinding',
    'ClusterRoleBindingList',
    'Role',
    'RoleList',
    'RoleBinding',
    'RoleBindingList',
    'Service',
    'DaemonSet',
    'Pod',
    'ReplicationController',
    'ReplicaSet',
    'Deployment',
    'HorizontalPodAutoscaler',
    'StatefulSet',
    'Job',
    'CronJob',
    'IngressClass',
    'Ingress',
    'APIService',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ].map((kind, at) => [kind, at]),
);

/** Returns a negative number if objects of kind `a` are installed before those of kind `b`. */
export function compareInstallOrder(a: string, b: string): number {
  const first = INSTALL_ORDER.get(a);
  const second = INSTALL_ORDER.get(b);
  if (first !== undefined && second !== undefined) return first - second;
  if (first !== undefined) return -1;
  if (second !== undefined) return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
