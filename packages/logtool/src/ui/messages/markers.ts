import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { Marker } from '../store/line-store.ts';

export type StateFrame = Extract<LogFrame, { readonly type: 'state' }>;

/** The row that tells of a container's new state; undefined where the page says it elsewhere. */
export function markerOfState(frame: StateFrame, source: LogSource, index: number): Marker | undefined {
  if (frame.state === 'reconnecting') return undefined;
  const name = `${source.pod}/${source.container}`;
  const others = frame.others === undefined || frame.others === 0 ? '' : ` and ${countOthers(frame.others)}`;
  return {
    marker: frame.state,
    source: index,
    text: `${name}${others} ${VERBS[frame.state]}${detailText(frame)}`,
    isWarning: frame.state === 'failed' || frame.error !== undefined,
  };
}

/** One row for several containers of the same arguments: `4 containers of payment waiting · CrashLoopBackOff`. */
export function textOfMany(frame: StateFrame, count: number, sources: readonly string[]): string {
  if (frame.state === 'reconnecting') throw new Error('there is no row for it');
  const name = sources.length === 1 ? /[^/:]+$/.exec(sources[0] ?? '')?.[0] : undefined;
  const of = name === undefined || name.includes('*') ? '' : ` of ${name}`;
  return `${count} containers${of} ${VERBS[frame.state]}${detailText(frame)}`;
}

function detailText({ state, detail }: StateFrame): string {
  if (detail === '') return '';
  return state === 'restarted' ? ` (${detail})` : ` · ${detail}`;
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

/** The row that tells of lines that the cluster could not give. */
export function markerOfGap(
  frame: Extract<LogFrame, { readonly type: 'gap' }>,
  source: LogSource,
  index: number,
): Marker {
  return {
    marker: 'gap',
    source: index,
    text: `${source.pod}/${source.container} · lines may be missing: ${frame.why}`,
    isWarning: true,
  };
}
