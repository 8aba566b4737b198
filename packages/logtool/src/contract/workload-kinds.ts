/**
 * The kinds of rows of the home page, in the order of its sidebar. Without zod: the page needs them as
 * values.
 */
export const WORKLOAD_KINDS = [
  'deployments',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
  'replicasets',
  'pods',
] as const;
