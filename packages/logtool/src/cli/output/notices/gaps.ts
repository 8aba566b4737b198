import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Frame } from '../../../domain/frame.ts';
import { waitText } from '../../../messages/container-report.ts';
import { gapCauseText } from '../../../messages/gap.ts';
import { sourceLine, waitsLine } from '../../messages/container-report.ts';
import { gapLine, gapsLine } from '../../messages/gap.ts';
import { MAX_SINGLE } from '../../messages/target-text.ts';
import { Batch } from './batch.ts';
import type { WaitingFrame } from './source-errors.ts';

type Gap = Extract<Frame, { type: 'gap' }>;
type Notifier = (line: string) => Promise<void>;

/** logtool notices pods that left or restarted during one outage within this time, one after the other. */
const GAPS_MS = { togetherMs: 2_000, maxMs: 5_000 };
/** Pods of one workload begin to wait within this time. */
const WAITS_MS = { togetherMs: 500, maxMs: 1_000 };

/**
 * Reports what may be missing. If many containers have gaps of one cause at about the same time, such as a
 * rollout during an outage, reports them in one line.
 */
export function newGaps(clock: Clock, notify: Notifier): Batch<Gap> {
  return new Batch(clock, GAPS_MS, ({ cause }) => gapCauseText(cause), eachOrAll(notify, gapLine, gapsLine));
}

/**
 * Reports waiting containers: one line for many that wait for the same cause, such as an image that cannot be
 * pulled.
 */
export function newWaits(clock: Clock, notify: Notifier): Batch<WaitingFrame> {
  return new Batch(
    clock,
    WAITS_MS,
    ({ reason }) => waitText(reason),
    eachOrAll(notify, sourceLine, waitsLine),
  );
}

/** Reports a few items of one cause one by one, and more of them in one line. */
function eachOrAll<T>(
  notify: Notifier,
  lineOf: (item: T) => string,
  lineOfAll: (items: readonly [T, ...T[]]) => string,
): (items: readonly [T, ...T[]]) => Promise<void> {
  return async (items) => {
    if (items.length > MAX_SINGLE) return notify(lineOfAll(items));
    for (const item of items) await notify(lineOf(item));
  };
}
