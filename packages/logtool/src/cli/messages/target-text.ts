import type { ContainerTarget } from '../../domain/container.ts';

/** Formats `shop/web-0/app`. */
export function targetText(target: ContainerTarget): string {
  return `${target.namespace}/${target.pod}/${target.container}`;
}

/** For many containers, a message names this many. */
export const NAMED = 3;

/** Messages report up to this many one by one. */
export const MAX_SINGLE = 3;
