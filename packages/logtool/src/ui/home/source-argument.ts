import type { Workload } from '../../contract/workload.ts';

/** A row as a source argument, as the command line takes it: `shop:deployments/web`. */
export function sourceArgument(workload: Pick<Workload, 'namespace' | 'kind' | 'name'>): string {
  return `${workload.namespace}:${workload.kind}/${workload.name}`;
}
