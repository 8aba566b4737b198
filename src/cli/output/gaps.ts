import type { Clock } from '../../domain/clock.ts';
import type { Frame, SourceFrame } from '../../domain/frame.ts';
import { Batch } from './batch.ts';
import { gapLine, gapsLine, sourceLine, waitsLine } from './source-lines.ts';

type Gap = Extract<Frame, { type: 'gap' }>;

/** Up to so many are reported one by one. */
export const FEW = 3;
/** Pods that went or were started again during one outage are noticed within this time, one after the other. */
const GAPS_MS = { togetherMs: 2_000, maxMs: 5_000 };
/** Pods of one workload begin to wait within this time. */
const WAITS_MS = { togetherMs: 500, maxMs: 1_000 };

/**
 * Reports what may be missing. Where many containers miss something of one cause at about the same time, as of a
 * rollout during an outage, that is one line.
 */
export function newGaps(clock: Clock, say: (line: string) => Promise<void>): Batch<Gap> {
  return new Batch(
    clock,
    GAPS_MS,
    ({ why }) => why,
    async (gaps) => {
      if (gaps.length > FEW) return say(gapsLine(gaps));
      for (const gap of gaps) await say(gapLine(gap));
    },
  );
}

/** Reports containers that wait: many that wait for the same, as of an image that nobody can pull, are one line. */
export function newWaits(clock: Clock, say: (line: string) => Promise<void>): Batch<SourceFrame> {
  return new Batch(
    clock,
    WAITS_MS,
    ({ detail }) => detail,
    async (waits) => {
      if (waits.length > FEW) return say(waitsLine(waits));
      for (const wait of waits) await say(sourceLine(wait));
    },
  );
}
