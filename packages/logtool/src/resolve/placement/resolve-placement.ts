import type { Placement } from '../../domain/container.ts';
import type { ResolveContext } from '../context.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import { filtersOf, needsNodes } from './placement-filters.ts';
import { nodesForbidden } from './unplaced.ts';

/**
 * The labels that the API server copies from the node to a pod when it binds the pod (PodTopologyLabelsAdmission,
 * Kubernetes 1.35 and later). It overwrites any labels of the pod with these names. Other labels of a pod come from its
 * author.
 */
const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/**
 * Returns where a pod runs, as far as the caller needs it. If its node may not be read, or is gone, takes region and
 * zone from the pod's own labels. Throws if a filter needs values that only nodes have.
 */
export async function resolvePlacement(context: ResolveContext, pod: PodFacts): Promise<Placement> {
  const { node } = pod;
  if (node === undefined) return {};
  if (!needsNodes(context.plan)) return { node };
  // The filter by node needs no permission to read nodes. If it already excludes the pod, do not ask.
  if (context.plan.nodes.length > 0 && !context.plan.nodes.includes(node)) return { node };
  const labels = await context.nodes.of(node);
  if (context.nodes.refusal !== undefined) {
    const blocked = filtersOf(context.plan).flatMap(({ name }) =>
      name === 'os' || name === 'arch' ? [name] : [],
    );
    if (blocked.length > 0) throw nodesForbidden(context, blocked);
  }
  return {
    node,
    ...labels,
    region: labels.region ?? textOf(pod, REGION),
    zone: labels.zone ?? textOf(pod, ZONE),
  };
}

/** Treats an empty label as missing. */
const textOf = (pod: PodFacts, label: string) => pod.labels.get(label) || undefined;
