/**
 * Arguments of `logs` that fail on scenarios/minimal.yaml, by the golden file of their messages
 * (golden/cli/cluster-errors).
 */
export const CLUSTER_ERRORS: readonly (readonly [string, readonly string[]])[] = [
  ['pod-not-found', ['helo']],
  ['workload-not-found', ['deployments/wbe']],
  ['lone-kind', ['deployments']],
  ['container-not-found', ['pods/hello/mian']],
  ['pod-as-kind', ['hello/main']],
  ['no-pods-match', ['-l', 'app=nothing']],
  ['filter-leaves-none', ['hello', '--zone=mars']],
  ['unknown-context', ['hello', '--kube-context=blue']],
  ['forbidden', ['shop:pods/*', '--kube-context=reader']],
];
