import type { KubeObject } from '@logtool/kube/src/client.ts';
import type { KeptReason } from '../failures.ts';
import { type Owner, otherRelease, wrongMarks } from './ownership.ts';
import type { Target } from './target.ts';

/** An object that stays in the cluster when its release is deleted. */
export interface Kept {
  readonly target: Target;
  readonly why: KeptReason;
}

export const KEPT_BY_POLICY: KeptReason = { by: 'policy' };
/** Another client created it again during the deletion. */
export const KEPT_AS_REPLACED: KeptReason = { by: 'replaced' };

/**
 * Returns why the release may not delete a live object of its manifest; undefined if it may. Helm applies this rule to
 * installations, and to uninstallations since https://github.com/helm/helm/pull/31584.
 */
export function whyNotDeleted(live: KubeObject, owner: Owner): KeptReason | undefined {
  const other = otherRelease(live, owner);
  if (other !== undefined) return { by: 'other-release', owner: other };
  const marks = wrongMarks(live, owner);
  return marks.length === 0 ? undefined : { by: 'no-mark', marks };
}
