import type { Owner } from './ownership.ts';
import { type Target, targetText } from './target.ts';

/** An object that stays in the cluster when its release goes. */
export interface Kept {
  readonly target: Target;
  /** The other release that it belongs to; undefined: its resource policy keeps it. */
  readonly owner: Owner | undefined;
}

/** `ConfigMap "a" in namespace "b", as its resource policy says` */
export function keptText({ target, owner }: Kept): string {
  const why =
    owner === undefined
      ? 'as its resource policy says'
      : `because it belongs to release ${owner.name} in namespace ${owner.namespace}`;
  return `${targetText(target)}, ${why}`;
}
