import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { sinceFor } from '../window/bounds.ts';
import { ROTATED } from './failure-policy.ts';
import { addressRun } from './run-address.ts';
import type { RunOutcome } from './run-outcome.ts';
import { RunReader } from './run-reader.ts';
import type { Walk } from './walk.ts';

export interface RunRest {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly previous: boolean;
  /** The run is over: its unterminated last line is a record. Else that comes whole later. */
  readonly isOver: boolean;
  readonly walk: Walk;
  readonly from: Bound | undefined;
  push(records: readonly LogRecord[]): Promise<void>;
}

/**
 * Reads a run from a position to its end. Returns gaps after its last line: the outcome shows what they mean.
 * `isDoubtful`: whether the answers leave in doubt that an earlier clean end was that of the log.
 */
export async function readRunRest(
  context: ReadContext,
  rest: RunRest,
): Promise<{
  readonly outcome: RunOutcome | undefined;
  readonly gaps: readonly Frame[];
  readonly isDoubtful: boolean;
}> {
  const gaps: Frame[] = [];
  const report = (frame: Frame) => {
    if (frame.type === 'gap') gaps.push(frame);
    else context.report(frame);
  };
  const run = addressRun(rest.target, rest.runId, rest.previous);
  const reader = new RunReader({ ...context, report }, run, {
    start: { sinceTime: sinceFor(rest.from) },
    walk: rest.walk,
    giveUnterminated: rest.isOver,
    confirmRun: true,
  });
  for await (const batch of reader.batches()) {
    // A reader that is cut off after these lines will not come back to those before them.
    for (const gap of gaps.splice(0)) context.report(gap);
    await rest.push(batch);
  }
  // No known line is left in the log. It is reported, and once is enough.
  if (reader.outcome?.kind === 'complete' && !rest.walk.aligned) {
    const lost = rest.walk.beginRun();
    if (lost !== undefined)
      gaps.push({ type: 'gap', target: rest.target, from: lost, to: undefined, cause: ROTATED });
  }
  return { outcome: reader.outcome, gaps, isDoubtful: reader.failures.isDoubtful };
}
