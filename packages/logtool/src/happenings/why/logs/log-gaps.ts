import {
  compareTimestamps,
  earliestTime,
  formatTimestamp,
  latestTime,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { GapCause } from '../../../domain/frame.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { groupsOf } from '../groups-of.ts';
import { namesOf } from '../names-of.ts';
import type { LogDigest, LogGap } from './log-digest.ts';

/** Whether nothing more of the log comes after a gap. */
export const IS_END: { readonly [C in GapCause['code']]: boolean } = {
  rotated: false,
  'begins-late': false,
  'run-begins-late': false,
  'runs-gone': false,
  'run-removed': false,
  'run-lost': false,
  'restarted-twice': false,
  'pod-deleted': true,
  'previous-unreadable': false,
  'log-gone': true,
  'end-unread': true,
};

/** Returns the gap before all lines of a log: it is known only from its first line on. */
export function gapBefore(digest: LogDigest): LogGap | undefined {
  return digest.gaps.findLast((gap) => isBefore(digest, gap));
}

/** Returns the gaps of a log that is known before them. */
export function holesOf(digest: LogDigest): readonly LogGap[] {
  return digest.gaps.filter((gap) => !isBefore(digest, gap));
}

/**
 * Whether nothing of the log is known before a gap: no line is earlier, though the gap may be reported before lines that
 * are, and no run of which the node has the log.
 */
function isBefore({ beginning: [first], from: asked }: LogDigest, gap: LogGap): boolean {
  const { why, from, to, isAfterLine } = gap;
  if (why === 'run-begins-late' && from !== undefined && compareTimestamps(from, asked) > 0) return false;
  if (first === undefined) return true;
  return to === undefined ? !isAfterLine : compareTimestamps(to, first) <= 0;
}

/** Returns doubts about parts that no node has any more. */
export function gapDoubts(digests: readonly LogDigest[]): readonly Doubt[] {
  const late = digests.flatMap((digest) => {
    const { target, beginning } = digest;
    const gap = gapBefore(digest);
    return beginning[0] === undefined || gap === undefined ? [] : [{ target, first: beginning[0], ...gap }];
  });
  const holes = digests.flatMap((digest) => holesOf(digest).map((gap) => ({ target: digest.target, gap })));
  return [
    ...groupsOf(late, keyOf).map((group): Doubt => {
      const [one, ...others] = group;
      const from = latestTime([one.first, ...others.map(({ first }) => first)]);
      return {
        code: 'logs-begin-late',
        data: { ...containersOf(group), from: secondOf(from), ...reasonOf(one) },
      };
    }),
    ...groupsOf(holes, ({ gap }) => keyOf(gap)).map((group): Doubt => {
      const bounds = boundsOf(group.map(({ gap }) => gap));
      return { code: 'logs-missing', data: { ...containersOf(group), ...reasonOf(group[0].gap), ...bounds } };
    }),
  ];
}

/** Gaps of one key have one reason. */
function keyOf({ why, answer }: LogGap): string {
  return JSON.stringify([why, answer]);
}

function reasonOf({ why, answer }: LogGap) {
  return { why, ...(answer === undefined ? {} : { answer }) };
}

function containersOf(group: readonly { readonly target: ContainerTarget }[]) {
  return namesOf([...new Set(group.map(({ target }) => target))]);
}

/** Returns the times between which all gaps lie, each only if it is known of all of them. */
function boundsOf(gaps: readonly LogGap[]): { readonly from?: string; readonly to?: string } {
  const from = gaps.some((gap) => gap.from === undefined)
    ? undefined
    : earliestTime(gaps.flatMap((gap) => gap.from ?? []));
  const to = gaps.some((gap) => gap.to === undefined)
    ? undefined
    : latestTime(gaps.flatMap((gap) => gap.to ?? []));
  return { ...(from && { from: secondOf(from) }), ...(to && { to: nextSecondOf(to) }) };
}

/** Formats whole seconds: everything before them was read. */
export function secondOf(at: Timestamp): string {
  return formatTimestamp({ ...at, nanos: 0 }).replace('.000000000', '');
}

/** Formats the first whole second that is not earlier. */
function nextSecondOf({ seconds, nanos }: Timestamp): string {
  return secondOf({ seconds: nanos === 0 ? seconds : seconds + 1, nanos: 0 });
}
