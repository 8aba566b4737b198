import type { Placement } from '../domain/container.ts';
import { LogtoolError } from '../domain/errors.ts';
import { describeKubeError } from '../kube/failure/describe.ts';
import type { ResolveContext } from './context.ts';
import { readPlacement } from './node-labels.ts';
import type { PodFacts } from './pod-facts.ts';
import type { SourcePlan } from './resolve.ts';

/** The filters that need node labels, by the name of their flag. */
const LABEL_FILTERS = [
  ['region', 'regions'],
  ['zone', 'zones'],
  ['os', 'os'],
  ['arch', 'arch'],
] as const satisfies readonly (readonly [keyof Placement, keyof SourcePlan])[];

/** The filters that were given, with the flag's name and the values asked for. */
export function filtersOf(plan: SourcePlan): readonly { name: keyof Placement; values: readonly string[] }[] {
  const all = [
    { name: 'node' as const, values: plan.nodes },
    ...LABEL_FILTERS.map(([name, list]) => ({ name, values: plan[list] })),
  ];
  return all.filter((filter) => filter.values.length > 0);
}

/** Whether nodes have to be read at all. */
export function needsNodes(plan: SourcePlan): boolean {
  return plan.needPlacement === true || filtersOf(plan).some((filter) => filter.name !== 'node');
}

/**
 * Where a pod runs, as far as someone wants to know. Throws when a filter needs node labels and nodes may not be read;
 * where only columns want them, a notice says so, and what the pod's own labels tell is taken.
 */
export async function placePod(context: ResolveContext, pod: PodFacts): Promise<Placement> {
  const { node } = pod;
  if (node === undefined) return {};
  if (!needsNodes(context.plan)) return { node };
  // The filter by node decides without any right on nodes: no need to ask where it refuses already.
  if (context.plan.nodes.length > 0 && !context.plan.nodes.includes(node)) return { node };
  const labels = await context.nodes.of(node);
  const refusal = context.nodes.refusal;
  if (refusal === undefined) return { node, ...labels };
  const blocked = filtersOf(context.plan).filter((filter) => filter.name !== 'node');
  const described = describeKubeError(refusal, context.client.cluster);
  if (blocked.length > 0) {
    const flags = blocked.map((filter) => `--${filter.name}`).join(', ');
    throw new LogtoolError({
      code: 'nodes-forbidden',
      what: `${flags} cannot be applied: ${described.what}`,
      why: described.why,
      next: `${described.next}; --node works without that right`,
      cause: refusal,
    });
  }
  context.notice('nodes-forbidden', `region, zone, os and arch are unknown: ${described.what}`);
  return { node, ...readPlacement(pod.labels) };
}

/** Whether the placement passes every filter. */
export function passesFilters(plan: SourcePlan, placement: Placement): boolean {
  return filtersOf(plan).every(({ name, values }) => {
    const value = placement[name];
    return value !== undefined && values.includes(value);
  });
}
