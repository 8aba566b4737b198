import type { ContainerTarget } from '../../domain/container.ts';

const MAX_NAMES = 3;

/** Returns `pod container` of the first containers, and the number of further ones. */
export function namesOf(targets: readonly ContainerTarget[]) {
  const names = targets.slice(0, MAX_NAMES).map(({ pod, container }) => `${pod} ${container}`);
  return { names, more: targets.length - names.length };
}
