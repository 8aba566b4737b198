import type { NodeColumn } from '../../domain/columns.ts';
import type { Placement } from '../../domain/container.ts';
import { matchesAny } from '../pods/choose-containers.ts';
import type { SourcePlan } from '../resolve.ts';

/** The filters that need node labels, by flag name. */
const LABEL_FILTERS = [
  ['region', 'regions'],
  ['zone', 'zones'],
  ['os', 'os'],
  ['arch', 'arch'],
] as const satisfies readonly (readonly [NodeColumn, keyof SourcePlan])[];

/** Returns the given filters, with the flag name and the requested values. */
export function filtersOf(
  plan: SourcePlan,
): readonly { name: 'node' | NodeColumn; values: readonly string[] }[] {
  const all = [
    { name: 'node' as const, values: plan.nodes },
    ...LABEL_FILTERS.map(([name, list]) => ({ name, values: plan[list] })),
  ];
  return all.filter((filter) => filter.values.length > 0);
}

/** Returns whether nodes have to be read at all. */
export function needsNodes(plan: SourcePlan): boolean {
  return (plan.placement ?? []).length > 0 || filtersOf(plan).some((filter) => filter.name !== 'node');
}

/** Returns whether a pod with that name passes every filter by name and placement. */
export function passesFilters(plan: SourcePlan, placement: Placement, name: string): boolean {
  if (plan.excludePods !== undefined && matchesAny(plan.excludePods, name)) return false;
  return filtersOf(plan).every(({ name: field, values }) => {
    const value = placement[field];
    return value !== undefined && values.includes(value);
  });
}
