import { SERVICES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeErrorLike, ResourceType } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { globMatches } from '../../domain/glob.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import type { ResolveContext } from '../context.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import { type LabelSelector, selects } from '../sources/label-selector.ts';
import type { Orphans } from './orphans.ts';
import { betweenOf, isType, ownsByName, type Root } from './roots.ts';

/** Returns whether a pod is in a namespace that the source selects, and has the labels that --selector requests. */
export function isMeant(spec: SourceSpec, pod: PodFacts, selector: LabelSelector): boolean {
  if (spec.namespace !== undefined && !globMatches(spec.namespace, pod.namespace)) return false;
  return selects(selector, pod.labels);
}

/**
 * Returns whether a pod belongs to one of the roots: by the selector of a Service, else by ownerReferences (or as one
 * of the orphans). If the objects in between may not be read, decides by the names that controllers give, and sends a
 * notice. Throws the refusal if there is no such rule.
 */
export async function belongsToRoots(
  context: ResolveContext,
  type: ResourceType,
  roots: ReadonlyMap<string, Root>,
  orphans: Orphans,
  pod: PodFacts,
): Promise<boolean> {
  if (isType(type, SERVICES)) return [...roots.values()].some((root) => servesPod(root, pod));
  return orphans.counts(pod, await isOwned(context, type, roots, pod));
}

async function isOwned(
  context: ResolveContext,
  type: ResourceType,
  roots: ReadonlyMap<string, Root>,
  pod: PodFacts,
): Promise<boolean> {
  let refusal: KubeErrorLike | undefined;
  const owned = await context.owners.owns(roots, pod, betweenOf(type), (_, error) => {
    refusal ??= error;
  });
  if (owned || refusal === undefined) return owned;
  const named = ownsByName(type, roots.values(), pod);
  if (named === undefined) throw refusal;
  const cause = describeKubeError(refusal, context.client.cluster);
  context.notice({ code: 'owners-forbidden', data: {} }, { cause });
  return named;
}

function servesPod({ namespace, selector }: Root, pod: PodFacts): boolean {
  return namespace === pod.namespace && selector !== undefined && selects(selector, pod.labels);
}
