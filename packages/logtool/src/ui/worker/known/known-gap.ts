import type { LogFrame } from '../../../contract/log-frame.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { isBeforeAll, isUnproven } from '../../../domain/coverage/lost.ts';

/** A range in the log of one container (LogSource.id) where lines may be missing; undefined: of several containers. */
export interface KnownGap extends Interval {
  readonly id: string | undefined;
  /** The node no longer has what was there: nothing precedes `to`. */
  readonly isLost: boolean;
  /** Maybe nothing is missing: the container may have been silent. */
  readonly isUnproven: boolean;
}

type GapFrame = Extract<LogFrame, { readonly type: 'gap' }>;

/** Returns what the cause of a gap says of it. */
export function kindOfGap({ cause }: Pick<GapFrame, 'cause'>): Pick<KnownGap, 'isLost' | 'isUnproven'> {
  return { isLost: isBeforeAll(cause), isUnproven: isUnproven(cause) };
}

/** Whether a gap lies before everything that the node still has: it has no row. */
export function isLostFrame({ cause }: GapFrame): boolean {
  return isBeforeAll(cause);
}
