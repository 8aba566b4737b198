import type { ContainerFrame } from '../../domain/frame.ts';
import { stateDetail } from '../../messages/container-report.ts';
import { namesText } from '../../messages/lists.ts';
import { NAMED, targetText } from './target-text.ts';
import { worded } from './worded.ts';

/** Formats `+ shop/web-0/app joined`: the state of a container, for a user who watches. */
export function sourceLine(frame: ContainerFrame): string {
  const detail = detailText(frame);
  if (frame.others !== undefined) {
    return `${MARKS[frame.state]} ${frame.others + 1} containers ${PLURAL_STATES[frame.state] ?? STATE_NAMES[frame.state]}${detail}`;
  }
  return `${MARKS[frame.state]} ${targetText(frame.target)} ${STATE_NAMES[frame.state]}${detail}`;
}

function detailText(frame: ContainerFrame): string {
  const detail = stateDetail(frame, (error) => worded(error).what);
  if (detail === '') return '';
  return frame.state === 'restarted' ? ` (${detail})` : `: ${detail}`;
}

const MARKS: Readonly<Record<ContainerFrame['state'], string>> = {
  joined: '+',
  waiting: '~',
  restarted: '~',
  reconnecting: '~',
  reconnected: '~',
  finished: '-',
  left: '-',
  failed: '!',
};

const STATE_NAMES: Readonly<Record<ContainerFrame['state'], string>> = {
  joined: 'joined',
  waiting: 'is waiting',
  restarted: 'restarted',
  reconnecting: 'is reconnecting',
  reconnected: 'reconnected',
  finished: 'finished',
  left: 'left',
  failed: 'failed',
};

const PLURAL_STATES: { readonly [state in ContainerFrame['state']]?: string } = {
  waiting: 'are waiting',
  reconnecting: 'are reconnecting',
};

/** Reports many containers that wait for the same cause, and names the first of them. */
export function waitsLine(waits: readonly [ContainerFrame, ...ContainerFrame[]]): string {
  const names = [...new Set(waits.map(({ target }) => targetText(target)))];
  const line = sourceLine({ ...waits[0], others: names.length - 1 });
  return `${line} (${namesText(names, NAMED)})`;
}
