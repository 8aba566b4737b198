import type { Scenario } from './schema.ts';

/** The scenario with each node and workload that has `copies` written out, so that nothing later knows of them. */
export function expandCopies(scenario: Scenario): Scenario {
  const { namespaces } = scenario;
  return {
    ...scenario,
    nodes: scenario.nodes.flatMap(copiesOf),
    workloads: scenario.workloads.flatMap((workload) =>
      copiesOf(workload).map((copy, index) => {
        const namespace = workload.spread ? namespaces[index % namespaces.length] : copy.namespace;
        return namespace === undefined ? copy : { ...copy, namespace };
      }),
    ),
  };
}

function copiesOf<T extends { readonly name: string; readonly copies?: number | undefined }>(one: T): T[] {
  const { copies } = one;
  if (copies === undefined) return [one];
  return Array.from({ length: copies }, (_, index) => ({ ...one, name: `${one.name}-${index + 1}` }));
}
