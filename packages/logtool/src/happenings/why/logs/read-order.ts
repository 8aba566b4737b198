import type { ContainerTarget } from '../../../domain/container.ts';
import { containerOf, type PodNow } from '../pod-now.ts';

/**
 * Orders containers by how likely their logs report a trouble, because a slow cluster does not let all be read in
 * time: first those that wait or are not ready, then those that restarted, then the others, init containers last.
 */
export function byImportance(
  targets: readonly ContainerTarget[],
  pods: readonly PodNow[],
): readonly ContainerTarget[] {
  const byUid = new Map(pods.map((pod) => [pod.subject.uid, pod]));
  const rank = (target: ContainerTarget) => rankOf(target, byUid.get(target.podUid));
  return targets
    .map((target) => ({ target, rank: rank(target) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ target }) => target);
}

function rankOf({ container, restartCount }: ContainerTarget, pod: PodNow | undefined): number {
  const now = pod && containerOf(pod, container);
  const isBad = now !== undefined && pod?.isOver === false && !now.isReady;
  // Init containers behind one that has not ended wait, too.
  if (isBad && (!now.isInit || now.isRunning || now.restarts > 0)) return 0;
  if (restartCount > 0) return 1;
  return now?.isInit === true ? 3 : 2;
}
