import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { SourceFrame } from '../../domain/frame.ts';
import type { ReadContext } from '../read-context.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Tells the reader of the view how a container stands. */
export function reportSource(
  context: ReadContext,
  target: ContainerTarget,
  state: SourceFrame['state'],
  detail: string,
  error?: unknown,
): void {
  const reported = error === undefined ? {} : { error: describeKubeError(error, context.client.cluster) };
  context.report({ type: 'source', target, state, detail, ...reported });
}

/** Tells of an end of a run's read that is not plain. */
export function reportOutcome(
  context: ReadContext,
  target: ContainerTarget,
  outcome: RunOutcome | undefined,
): void {
  if (outcome?.kind === 'waiting') {
    reportSource(context, target, 'waiting', waitingReason(target, outcome.reason));
  } else if (outcome?.kind === 'gone') {
    reportSource(context, target, 'left', 'the pod was deleted');
  } else if (outcome?.kind === 'failed') {
    reportSource(context, target, 'failed', errorText(outcome.error), outcome.error);
  } else if (outcome?.kind === 'absent') {
    // A node keeps one dead container of each: with the present one dead, too, the run before is removed.
    const text = `the run before of ${target.namespace}/${target.pod}/${target.container} is not on its node any more`;
    context.report({ type: 'notice', code: 'run-removed', text });
  }
}

/** The reason of the pod's status where there is one (`ImagePullBackOff`), else the server's words. */
export function waitingReason(target: ContainerTarget, reason: string): string {
  const { state } = target;
  return state.kind === 'waiting' && state.reason !== '' ? state.reason : reason;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How a container ended: the reason, and the exit code where it failed. */
export function finishedText(state: { readonly reason: string; readonly exitCode: number }): string {
  return state.exitCode === 0 ? state.reason : `${state.reason} (${state.exitCode})`;
}

/** By the plural categories of CLDR. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);
const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });

/** How often a container was restarted: `1st time`. `count`: as its pod counts, from 1. */
export function restartedText(count: number): string {
  return `${count}${SUFFIXES.get(ORDINAL.select(count)) ?? 'th'} time`;
}
