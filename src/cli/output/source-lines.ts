import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame, SourceFrame } from '../../domain/frame.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';

/** `shop/web-0/app` */
export function targetText(target: ContainerTarget): string {
  return `${target.namespace}/${target.pod}/${target.container}`;
}

/** `+ shop/web-0/app joined`: how a container stands, for a person who watches. */
export function sourceLine(frame: SourceFrame): string {
  const detail = frame.detail === '' ? '' : `: ${frame.detail}`;
  if (frame.others !== undefined) {
    return `${MARKS[frame.state]} ${frame.others + 1} containers ${MANY_WORDS[frame.state] ?? WORDS[frame.state]}${detail}`;
  }
  return `${MARKS[frame.state]} ${targetText(frame.target)} ${WORDS[frame.state]}${detail}`;
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

/** What may be missing, from when to when, and why. */
export function gapLine(frame: Extract<Frame, { type: 'gap' }>): string {
  const from = frame.from === undefined ? '' : ` from ${formatTimestamp(frame.from)}`;
  const to = frame.to === undefined ? '' : ` to ${formatTimestamp(frame.to)}`;
  return `! ${targetText(frame.target)}: records${from}${to} may be missing: ${frame.why}`;
}
