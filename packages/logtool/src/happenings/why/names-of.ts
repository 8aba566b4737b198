import type { ContainerTarget } from '../../domain/container.ts';

const MAX_NAMES = 3;

/** Returns `pod container` of the first containers, and the number of further ones. */
export function namesOf(targets: readonly ContainerTarget[]) {
  return firstOfNames(targets.map(({ pod, container }) => `${pod} ${container}`));
}

/** Returns the first names, and the number of further ones. */
export function firstOfNames(all: readonly string[]) {
  const names = all.slice(0, MAX_NAMES);
  return { names, more: all.length - names.length };
}
