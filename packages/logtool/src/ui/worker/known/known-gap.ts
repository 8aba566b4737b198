import type { LogFrame } from '../../../contract/log-frame.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import { isBeforeAll, isUnproven } from '../../../domain/coverage/lost.ts';

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
