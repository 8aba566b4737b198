import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Frame, GapCause, SourceFrame } from '../../../domain/frame.ts';
import { gapCauseText } from '../../../messages/gap.ts';
import { namesText } from '../../../messages/lists.ts';
import { stateDetail } from '../../../messages/source-state.ts';
import { worded } from '../../messages/worded.ts';

/** `shop/web-0/app` */
export function targetText(target: ContainerTarget): string {
  return `${target.namespace}/${target.pod}/${target.container}`;
}

/** `+ shop/web-0/app joined`: the state of a container, for a user who watches. */
export function sourceLine(frame: SourceFrame): string {
  const detail = detailText(frame);
  if (frame.others !== undefined) {
    return `${MARKS[frame.state]} ${frame.others + 1} containers ${MANY_WORDS[frame.state] ?? WORDS[frame.state]}${detail}`;
  }
  return `${MARKS[frame.state]} ${targetText(frame.target)} ${WORDS[frame.state]}${detail}`;
}

function detailText(frame: SourceFrame): string {
  const detail = stateDetail(frame, (error) => worded(error).what);
  if (detail === '') return '';
  return frame.state === 'restarted' ? ` (${detail})` : `: ${detail}`;
}

const MARKS: Readonly<Record<SourceFrame['state'], string>> = {
  joined: '+',
  waiting: '~',
  restarted: '~',
  reconnecting: '~',
  reconnected: '~',
  finished: '-',
  left: '-',
  failed: '!',
};

const WORDS: Readonly<Record<SourceFrame['state'], string>> = {
  joined: 'joined',
  waiting: 'is waiting',
  restarted: 'restarted',
  reconnecting: 'is being reconnected',
  reconnected: 'is back',
  finished: 'finished',
  left: 'left',
  failed: 'failed',
};

const MANY_WORDS: { readonly [state in SourceFrame['state']]?: string } = {
  waiting: 'are waiting',
  reconnecting: 'are being reconnected',
  reconnected: 'are back',
};

type Gap = Extract<Frame, { type: 'gap' }>;

/** What may be missing, from when to when, and why. */
export function gapLine(frame: Gap): string {
  return `! ${targetText(frame.target)}: ${missingText(frame.from, frame.to, frame.cause)}`;
}

const NAMED = 3;

/** What may be missing of many containers for one cause, and the first of them. */
export function gapsLine(gaps: readonly [Gap, ...Gap[]]): string {
  const names = [...new Set(gaps.map(({ target }) => targetText(target)))];
  const from = gaps.reduce<Timestamp | undefined>((least, gap) => edge(least, gap.from, -1), gaps[0].from);
  const to = gaps.reduce<Timestamp | undefined>((most, gap) => edge(most, gap.to, 1), gaps[0].to);
  return `! ${names.length} containers: ${missingText(from, to, gaps[0].cause)} (${namesText(names, NAMED)})`;
}

/** Many containers that wait for the same, and the first of them. */
export function waitsLine(waits: readonly [SourceFrame, ...SourceFrame[]]): string {
  const names = [...new Set(waits.map(({ target }) => targetText(target)))];
  const line = sourceLine({ ...waits[0], others: names.length - 1 });
  return `${line} (${namesText(names, NAMED)})`;
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
