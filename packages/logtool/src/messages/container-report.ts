import type { RunEnd } from '../domain/container.ts';
import type { ContainerReport, WaitReason } from '../domain/frame.ts';
import { whyText } from './problems.ts';
import { knownText, unknownMemberText } from './unknown-code.ts';

/** Returns the details of a state beyond its name; empty if there are none. `whatOf`: describes a failure. */
export function stateDetail<E>(state: ContainerReport<E>, whatOf: (error: E) => string): string {
  switch (state.state) {
    case 'joined':
    case 'reconnected':
      return '';
    case 'waiting':
      return waitText(state.reason);
    case 'restarted':
      return restartedText(state.count) + afterText(state.after);
    case 'reconnecting':
      return whyText(state.why);
    case 'finished':
      return endText(state);
    case 'left':
      return knownText(LEFT, state.why);
    case 'failed':
      return whatOf(state.error);
    default:
      return unknownMemberText(state satisfies never, 'state');
  }
}

/** Returns `, after OOMKilled (137)`; empty if the status does not report how a run ended. */
function afterText(end: RunEnd | undefined): string {
  const text = end === undefined ? '' : endText(end);
  return text === '' ? '' : `, after ${text}`;
}

/** Returns `Completed`, `OOMKilled (137)`. */
function endText({ reason, exitCode }: RunEnd): string {
  return exitCode === 0 ? reason : `${reason} (${exitCode})`.trimStart();
}

/** Returns why a container does not start. */
export function waitText(reason: WaitReason): string {
  return typeof reason === 'string' ? reason : knownText(WAITS, reason.code);
}

const WAITS = {
  'no-node': 'the pod has no node yet',
  'unknown-to-node': 'its node does not know the pod yet',
} as const;

const LEFT = { deleted: 'the pod was deleted', 'not-matching': 'it no longer matches' } as const;

/** By the plural categories of CLDR. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);
const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });

/** Returns how often a container restarted: `1st time`. */
export function restartedText(count: number): string {
  return `${count}${SUFFIXES.get(ORDINAL.select(count)) ?? 'th'} time`;
}
