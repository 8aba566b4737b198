import type { Workload } from '../../contract/workload.ts';

/** A row as a source argument, as the command line takes it: `shop:deployments/web`. */
export function sourceArgument(workload: Pick<Workload, 'namespace' | 'kind' | 'name'>): string {
  return `${workload.namespace}:${workload.kind}/${workload.name}`;
}

/** What several sources are called in a list of views: `shop: web, db`, `3 workloads in shop`. */
export function describeSources(sources: readonly string[]): string {
  const parts = sources.map((source) => {
    const colon = source.indexOf(':');
    const path = source.slice(colon + 1).split('/');
    return { namespace: colon === -1 ? '' : source.slice(0, colon), name: path[1] ?? path[0] ?? source };
  });
  const byNamespace = new Map<string, string[]>();
  for (const { namespace, name } of parts) {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), name]);
  }
  return [...byNamespace]
    .map(([namespace, names]) => {
      const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
      return namespace === '' ? shown : `${namespace}: ${shown}`;
    })
    .join(' · ');
}
