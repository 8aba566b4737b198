import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { KnownGap } from '../../../domain/coverage/coverage.ts';
import { isBeforeAll, isUnproven } from '../../../domain/coverage/lost.ts';

type GapFrame = Extract<LogFrame, { readonly type: 'gap' }>;

/** Returns what the cause of a gap says of it. */
export function kindOfGap({
  cause,
}: Pick<GapFrame, 'cause'>): Pick<KnownGap, 'isLost' | 'isUnproven' | 'goneRuns' | 'beginsAt'> {
  const goneRuns = cause.code === 'runs-gone' ? cause.data.count : undefined;
  return { isLost: isBeforeAll(cause), isUnproven: isUnproven(cause), goneRuns, beginsAt: beginOf(cause) };
}

function beginOf(cause: GapFrame['cause']): Timestamp | undefined {
  const beginsAt = cause.code === 'begins-late' ? cause.data.beginsAt : undefined;
  return beginsAt === undefined ? undefined : parseTimestamp(beginsAt);
}

/** Whether a gap lies before everything that the node still has: it has no row. */
export function isLostFrame({ cause }: GapFrame): boolean {
  return isBeforeAll(cause);
}
