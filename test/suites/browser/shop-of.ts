/** Returns a scenario of these workloads in the namespace shop, on one node, with one minute of history. */
export function shopOf(workloads: readonly unknown[]): unknown {
  return {
    startDelays: 'none',
    backfill: '1m',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [{ name: 'a' }],
    users: [{ name: 'somebody' }],
    workloads,
  };
}
