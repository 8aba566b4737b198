import type { Workload } from '../../../contract/workload.ts';

/** Returns a row as a source argument of the command line: `shop:deployments/web`. */
export function sourceArgument(workload: Pick<Workload, 'namespace' | 'kind' | 'name'>): string {
  return `${workload.namespace}:${workload.kind}/${workload.name}`;
}
