import type { ContainerTarget } from '../../domain/container.ts';

/** `shop/web-0/app` */
export function targetText(target: ContainerTarget): string {
  return `${target.namespace}/${target.pod}/${target.container}`;
}

/** Of many containers, so many are named. */
export const NAMED = 3;

/** Up to this many are reported one by one. */
export const MAX_SINGLE = 3;
