import type { KubeObject } from '@logtool/kube/src/client.ts';
import type { KeptReason } from '../failures.ts';
import { type Owner, otherRelease, wrongMarks } from './ownership.ts';
import type { Target } from './target.ts';

/** An object that stays in the cluster when its release goes. */
export interface Kept {
  readonly target: Target;
  readonly why: KeptReason;
}

export const KEPT_BY_POLICY: KeptReason = { by: 'policy' };
/** Someone created it again while it was being deleted. */
export const KEPT_AS_REPLACED: KeptReason = { by: 'replaced' };

/**
 * Why the release may not delete a live object of its manifest: the rule by which Helm installs, and
 * uninstalls since https://github.com/helm/helm/pull/31584. Undefined: it may.
 */
export function whyNotDeleted(live: KubeObject, owner: Owner): KeptReason | undefined {
  const other = otherRelease(live, owner);
  if (other !== undefined) return { by: 'other-release', owner: other };
  const marks = wrongMarks(live, owner);
  return marks.length === 0 ? undefined : { by: 'no-mark', marks };
}
