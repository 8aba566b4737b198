import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Frame, GapCause } from '../../domain/frame.ts';
import { gapCauseText, lateBeginningText } from '../../messages/gap.ts';
import { namesText } from '../../messages/lists.ts';
import { NAMED, targetText } from './target-text.ts';

export type Gap = Extract<Frame, { type: 'gap' }>;

/** Reports what may be missing, in which range, and why. */
export function gapLine(frame: Gap): string {
  const { target, from, to, cause } = frame;
  return `! ${targetText(target)}: ${lateBeginningText(cause) ?? missingText(from, to, cause)}`;
}

/** Reports what may be missing from many containers for one cause, and names the first of them. */
export function gapsLine(gaps: readonly [Gap, ...Gap[]]): string {
  const names = [...new Set(gaps.map(({ target }) => targetText(target)))];
  const from = gaps.reduce<Timestamp | undefined>((least, gap) => edge(least, gap.from, -1), gaps[0].from);
  const to = gaps.reduce<Timestamp | undefined>((most, gap) => edge(most, gap.to, 1), gaps[0].to);
  return `! ${names.length} containers: ${missingText(from, to, gaps[0].cause)} (${namesText(names, NAMED)})`;
}

/** Returns the earlier (-1) or the later (1) of two times; undefined, which means unbounded, if either is. */
function edge(a: Timestamp | undefined, b: Timestamp | undefined, side: -1 | 1): Timestamp | undefined {
  if (a === undefined || b === undefined) return undefined;
  return compareTimestamps(b, a) * side > 0 ? b : a;
}

function missingText(from: Timestamp | undefined, to: Timestamp | undefined, cause: GapCause): string {
  const begin = from === undefined ? '' : ` from ${formatTimestamp(from)}`;
  const end = to === undefined ? '' : ` to ${formatTimestamp(to)}`;
  return `records${begin}${end} may be missing: ${gapCauseText(cause)}`;
}
