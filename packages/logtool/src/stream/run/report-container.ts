import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { ContainerReport, GapCause, WaitReason } from '../../domain/frame.ts';
import type { NamedContainer } from '../../domain/notice.ts';
import type { ReadContext } from '../plan/read-context.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Reports the state of a container to the reader of the view. */
export function reportContainer(
  context: ReadContext,
  target: ContainerTarget,
  state: ContainerReport<unknown>,
): void {
  context.report({ type: 'source', target, ...describeState(context, state) });
}

function describeState({ client }: ReadContext, state: ContainerReport<unknown>): ContainerReport {
  switch (state.state) {
    case 'reconnecting':
    case 'failed':
      return { ...state, error: describeKubeError(state.error, client.cluster) };
    case 'finished':
    case 'joined':
    case 'left':
    case 'reconnected':
    case 'restarted':
    case 'waiting':
      return state;
  }
}

/**
 * Reports that records of a container are known to be missing: after `from`, before `to`, as far as these are known.
 */
export function reportGap(
  context: ReadContext,
  target: ContainerTarget,
  cause: GapCause,
  from?: Timestamp,
  to?: Timestamp,
): void {
  context.report({ type: 'gap', target, from, to, cause });
}

/** Reports an abnormal end of a run's read. */
export function reportOutcome(
  context: ReadContext,
  target: ContainerTarget,
  outcome: RunOutcome | undefined,
): void {
  if (outcome?.kind === 'waiting') {
    reportContainer(context, target, { state: 'waiting', reason: waitingReason(target, outcome.reason) });
  } else if (outcome?.kind === 'gone') {
    reportContainer(context, target, { state: 'left', why: 'deleted' });
  } else if (outcome?.kind === 'failed') {
    reportContainer(context, target, { state: 'failed', error: outcome.error });
  } else if (outcome?.kind === 'absent') {
    // A node keeps one dead container of each name: if the current one has died too, the node removes the previous one.
    context.report({ type: 'notice', code: 'run-removed', data: { container: nameOf(target) } });
  } else outcome?.kind satisfies 'complete' | 'moved' | undefined;
}

/** Returns the container's names for notices. */
export function nameOf({ namespace, pod, container }: ContainerTarget): NamedContainer {
  return { namespace, pod, container };
}

/** Returns the reason from the pod's status if it has one (`ImagePullBackOff`), else the server's text. */
export function waitingReason(target: ContainerTarget, reason: WaitReason): WaitReason {
  const { state } = target;
  return state.kind === 'waiting' && state.reason !== '' ? state.reason : reason;
}
