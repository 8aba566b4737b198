/** A scenario of these workloads in the namespace shop, on one node, with a minute behind them. */
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
