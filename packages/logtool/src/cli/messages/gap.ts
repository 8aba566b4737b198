import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Frame, GapCause } from '../../domain/frame.ts';
import { gapCauseText } from '../../messages/gap.ts';
import { namesText } from '../../messages/lists.ts';
import { NAMED, targetText } from './target-text.ts';

type Gap = Extract<Frame, { type: 'gap' }>;

/** What may be missing, from when to when, and why. */
export function gapLine(frame: Gap): string {
  return `! ${targetText(frame.target)}: ${missingText(frame.from, frame.to, frame.cause)}`;
}

/** What may be missing of many containers for one cause, and the first of them. */
export function gapsLine(gaps: readonly [Gap, ...Gap[]]): string {
  const names = [...new Set(gaps.map(({ target }) => targetText(target)))];
  const from = gaps.reduce<Timestamp | undefined>((least, gap) => edge(least, gap.from, -1), gaps[0].from);
  const to = gaps.reduce<Timestamp | undefined>((most, gap) => edge(most, gap.to, 1), gaps[0].to);
  return `! ${names.length} containers: ${missingText(from, to, gaps[0].cause)} (${namesText(names, NAMED)})`;
}

/** Of two times the earlier (-1) or the later one; undefined, for without a bound, where one is. */
function edge(a: Timestamp | undefined, b: Timestamp | undefined, side: -1 | 1): Timestamp | undefined {
  if (a === undefined || b === undefined) return undefined;
  return compareTimestamps(b, a) * side > 0 ? b : a;
}

function missingText(from: Timestamp | undefined, to: Timestamp | undefined, cause: GapCause): string {
  const begin = from === undefined ? '' : ` from ${formatTimestamp(from)}`;
  const end = to === undefined ? '' : ` to ${formatTimestamp(to)}`;
  return `records${begin}${end} may be missing: ${gapCauseText(cause)}`;
}
