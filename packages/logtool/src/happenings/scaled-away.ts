import type { Fact } from '../domain/facts/fact.ts';
import type { SourcePlan } from '../resolve/resolve.ts';
import { readSources } from '../resolve/sources/read-sources.ts';
import { SCALED_TO_0 } from './rollout-times.ts';

/**
 * Returns the event that scaled each Deployment to 0, if it was its last scaling. A rollout also scales ReplicaSets to
 * 0, but only after it scaled another one up: whether the Deployment has pods, the caller knows.
 */
export function scaledAway(facts: readonly Fact[]): readonly Fact[] {
  const last = new Map<string, Fact>();
  for (const fact of facts) {
    if (fact.kind !== 'event' || fact.reason !== 'ScalingReplicaSet') continue;
    const known = last.get(fact.subject.uid);
    const isLater = known === undefined || secondOf(fact) > secondOf(known);
    // In the same second, only scaling up leaves pods.
    const isUp = known !== undefined && secondOf(fact) === secondOf(known) && !isToZero(fact);
    if (isLater || isUp) last.set(fact.subject.uid, fact);
  }
  return [...last.values()].filter(isToZero);
}

function isToZero({ message }: Fact): boolean {
  return SCALED_TO_0.test(message);
}

function secondOf({ at, until = at }: Fact): number {
  return until.seconds;
}

const POD_KINDS: readonly string[] = ['pods', 'pod', 'po'];

/** Whether the sources are all pods of namespaces: then a Deployment without pods belongs to them too. */
export function areAllPods(plan: SourcePlan): boolean {
  const { selector, fieldSelector, excludePods, nodes, regions, zones, os, arch } = plan;
  const lists = [excludePods ?? [], nodes, regions, zones, os, arch];
  if (selector !== undefined || fieldSelector !== undefined || lists.some(({ length }) => length > 0))
    return false;
  return readSources(plan).specs.every(
    ({ kind, name }) =>
      kind !== undefined && POD_KINDS.includes(kind.name) && (kind.group ?? '') === '' && name.all,
  );
}

/** Returns the namespaces that sources of all pods name: also one without any pod may have workloads. */
export function namespacesOf(plan: SourcePlan, ofContext: string): readonly string[] {
  const given = plan.namespaces ?? [];
  const otherwise = plan.allNamespaces === true ? [] : given.length > 0 ? given : [ofContext];
  return readSources(plan).specs.flatMap(({ namespace }) =>
    namespace === undefined ? otherwise : namespace.literal ? [namespace.text] : [],
  );
}
