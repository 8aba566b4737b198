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
  /** If earlier runs were there: how many of the container are gone. Its end is then no time at which lines begin. */
  readonly goneRuns?: number | undefined;
}

type GapFrame = Extract<LogFrame, { readonly type: 'gap' }>;

/** Returns what the cause of a gap says of it. */
export function kindOfGap({
  cause,
}: Pick<GapFrame, 'cause'>): Pick<KnownGap, 'isLost' | 'isUnproven' | 'goneRuns'> {
  const goneRuns = cause.code === 'runs-gone' ? cause.data.count : undefined;
  return { isLost: isBeforeAll(cause), isUnproven: isUnproven(cause), goneRuns };
}

/** Whether a gap lies before everything that the node still has: it has no row. */
export function isLostFrame({ cause }: GapFrame): boolean {
  return isBeforeAll(cause);
}
