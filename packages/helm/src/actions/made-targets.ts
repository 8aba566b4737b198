import type { ResourceType } from '@logtool/kube/src/client.ts';
import { readLive, wrongMarks } from '../apply/ownership.ts';
import { type Target, targetKey } from '../apply/target.ts';
import type { Release } from '../release/release.ts';
import type { ActionContext } from './action.ts';
import { knownTargets } from './prepare.ts';

/**
 * Returns the objects of a release in the cluster: those of `base`, and those that later failed revisions left, if they
 * still exist and belong to the release. Helm forgets the latter.
 */
export async function madeTargets(
  context: ActionContext,
  base: Release,
  history: readonly Release[],
  types: readonly ResourceType[],
): Promise<readonly Target[]> {
  const deployed = history.findLastIndex(({ info }) => info.status === 'deployed');
  const made = [...knownTargets(base, types)];
  const known = new Set(made.map(targetKey));
  for (const revision of history.slice(Math.max(deployed, 0))) {
    if (revision.version === base.version) continue;
    for (const target of knownTargets(revision, types)) {
      if (target.object.name === '' || known.has(targetKey(target))) continue;
      known.add(targetKey(target));
      const live = await readLive(context.client, target, context);
      if (live !== undefined && wrongMarks(live, base).length === 0) made.push(target);
    }
  }
  return made;
}
