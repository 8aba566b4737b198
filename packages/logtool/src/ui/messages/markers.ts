import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import type { LogSource } from '../../contract/log-source.ts';
import { stateDetail } from '../../messages/container-report.ts';
import { gapCauseText } from '../../messages/gap.ts';
import { knownText } from '../../messages/unknown-code.ts';
import type { Marker, MarkerSubject } from '../worker/store/line-store.ts';
import { logMessageOf } from './log-message-of.ts';
import { noticeText } from './notices.ts';

type NoticeFrame = Extract<LogFrame, { readonly type: 'notice' }>;
/** A notice other than a failed source. */
export type CodedNotice = Exclude<NoticeFrame, { readonly code: 'source-failed' }>;

export type StateFrame = Extract<LogFrame, { readonly type: 'state' }>;

/** Returns the row for a container's new state; undefined if the page shows that elsewhere. */
export function markerOfState(frame: StateFrame, source: LogSource, index: number): Marker | undefined {
  if (frame.state === 'reconnecting') return undefined;
  const name = `${source.pod}/${source.container}`;
  const others = frame.others === undefined || frame.others === 0 ? '' : ` and ${countOthers(frame.others)}`;
  return {
    marker: frame.state,
    source: index,
    text: `${name}${others} ${knownText(VERBS, frame.state)}${detailText(frame)}`,
    isWarning: frame.state === 'failed',
    ...aboutOf(frame, [source]),
  };
}

/** Returns which facts repeat the row of a state; nothing if the row covers unnamed containers. */
export function aboutOf(
  frame: StateFrame,
  sources: readonly LogSource[],
): { readonly about?: MarkerSubject } {
  if (frame.others !== undefined && frame.others > 0) return {};
  const runs = sources.map(({ order }) => order);
  switch (frame.state) {
    case 'joined':
    case 'restarted':
      return { about: { kinds: ['started', 'restarted'], runs } };
    case 'finished':
      return { about: { kinds: ['exited'], runs } };
    case 'waiting': {
      if (typeof frame.reason !== 'string' || frame.reason === '') return {};
      return { about: { kinds: ['waiting'], runs: sources.map(({ id }) => id), reason: frame.reason } };
    }
    case 'failed':
    case 'left':
    case 'reconnected':
    case 'reconnecting':
      return {};
  }
}

/** Returns a key that frames of the same state and detail share. */
export function stateKey(frame: StateFrame): string {
  return `${frame.state}${detailText(frame)}`;
}

/**
 * Returns one row for several containers of the same arguments: `4 containers of payment waiting ·
 * CrashLoopBackOff`.
 */
export function textOfMany(frame: StateFrame, count: number, sources: readonly string[]): string {
  if (frame.state === 'reconnecting') throw new Error('there is no row for it');
  const name = sources.length === 1 ? /[^/:]+$/.exec(sources[0] ?? '')?.[0] : undefined;
  const of = name === undefined || name.includes('*') ? '' : ` of ${name}`;
  return `${count} containers${of} ${knownText(VERBS, frame.state)}${detailText(frame)}`;
}

function detailText(frame: StateFrame): string {
  const detail = stateDetail(frame, (error) => logMessageOf(error).what);
  if (detail === '') return '';
  return frame.state === 'restarted' ? ` (${detail})` : ` · ${detail}`;
}

const VERBS = {
  joined: 'joined',
  waiting: 'waiting',
  restarted: 'restarted',
  reconnected: 'reconnected',
  finished: 'finished',
  left: 'left',
  failed: 'failed',
} as const;

function countOthers(others: number): string {
  return others === 1 ? 'one other' : `${others} others`;
}

/** Returns the row for lines that the cluster could not deliver. */
export function markerOfGap(
  frame: Extract<LogFrame, { readonly type: 'gap' }>,
  source: LogSource,
  index: number,
): Marker {
  return {
    marker: 'gap',
    source: index,
    text: `${source.pod}/${source.container} · lines may be missing: ${gapCauseText(frame.cause)}`,
    isWarning: true,
    span: { from: timeOf(frame.from), to: timeOf(frame.to) },
  };
}

function timeOf(text: string | undefined): Timestamp | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}

/** Returns the row for a restored connection: to logtool, or from logtool to the cluster. */
export function markerOfReconnect(to: 'the cluster' | 'logtool', seconds: number): Marker {
  return {
    marker: 'reconnected',
    source: undefined,
    text: `lost contact with ${to} for ${seconds.toFixed(1)} s, resumed where it left off`,
    isWarning: false,
  };
}

/** Returns the row for a container that was deleted during a disconnection. */
export function markerOfDeleted(source: LogSource, index: number): Marker {
  const name = `${source.pod}/${source.container}`;
  return {
    marker: 'left',
    source: index,
    text: `${name} was deleted meanwhile; its last lines may be missing`,
    isWarning: true,
  };
}

/** Returns the row above lines of added sources if the view cannot hold all of them. */
export function markerOfCut(sources: readonly string[], lines: number): Marker {
  return {
    marker: 'notice',
    source: undefined,
    text: `The page does not show older lines of ${sources.join(', ')}: there are more than ${lines.toLocaleString('en')}`,
    isWarning: true,
  };
}

/** Maximum number of containers named. */
const NAMED = 3;

/** Returns the row in place of lines of containers that could not be read. */
export function markerOfUnread(names: readonly string[], why: string): Marker {
  const others = names.length - NAMED;
  const listed = names.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '');
  return {
    marker: 'gap',
    source: undefined,
    text: `${listed} · lines are missing here: ${why}`,
    isWarning: true,
    span: { from: undefined, to: undefined },
  };
}

/** Returns the row for a notice. */
export function markerOfNotice(frame: CodedNotice): Marker {
  return { marker: 'notice', source: undefined, text: noticeText(frame), isWarning: false };
}
