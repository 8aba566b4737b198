import type { KubeObject } from '@logtool/kube/src/client.ts';
import { type Owner, otherRelease, whyNotOwned } from './ownership.ts';
import { type Target, targetText } from './target.ts';

/** An object that stays in the cluster when its release goes. */
export interface Kept {
  readonly target: Target;
  /** Ends the sentence that names it: `because it belongs to release shop in namespace prod`. */
  readonly why: string;
}

/** `ConfigMap "a" in namespace "b", as its resource policy says` */
export function keptText({ target, why }: Kept): string {
  return `${targetText(target)}, ${why}`;
}

export const KEPT_BY_POLICY = 'as its resource policy says';
export const KEPT_AS_REPLACED = 'because somebody replaced it while logtool was deleting it';

/**
 * Why the release may not delete a live object that its manifest names: the rule by which Helm installs, and
 * uninstalls since https://github.com/helm/helm/pull/31584. Undefined: it may.
 */
export function whyNotDeleted(live: KubeObject, owner: Owner): string | undefined {
  const other = otherRelease(live, owner);
  if (other !== undefined) return `because it belongs to ${other}`;
  const why = whyNotOwned(live, owner);
  return why === undefined ? undefined : `because it is not marked as this release's: ${why}`;
}
