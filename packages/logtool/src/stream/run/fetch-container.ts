import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import { readPod } from '../../resolve/pods/pod-facts.ts';
import type { ReadContext } from '../plan/read-context.ts';
import type { RunOutcome } from './run-outcome.ts';

/** `gone`: the pod no longer exists (or another one has its name); `unknown`: the cluster refused to answer. */
export type Fetched = ContainerTarget | 'gone' | 'unknown';

/** `replaced`: another pod has the name now, and the log API serves its logs under that name. */
export type FetchedByName = Fetched | 'replaced';

/**
 * Fetches a container's current pod. Never throws for a refusal: permission to read logs need not include reading pods.
 */
export async function fetchContainer(context: ReadContext, target: ContainerTarget): Promise<Fetched> {
  const fetched = await fetchByName(context, target);
  return fetched === 'replaced' ? 'gone' : fetched;
}

/** Like `fetchContainer`, and also returns whether the name is that of another pod. Never throws for a refusal. */
export async function fetchByName(context: ReadContext, target: ContainerTarget): Promise<FetchedByName> {
  try {
    const ref = { namespace: target.namespace, name: target.pod };
    const pod = readPod(await context.client.get(PODS, ref, { signal: context.signal }));
    if (pod.uid !== target.podUid) return 'replaced';
    const facts = pod.containers.find((container) => container.name === target.container);
    if (facts === undefined) return 'unknown';
    const { state, restartCount, lastContainerId, lastStartedAt, mayRestart } = facts;
    const life = { podPhase: pod.phase, deleting: pod.deleting };
    return { ...target, ...life, state, restartCount, lastContainerId, lastStartedAt, mayRestart };
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    return isKubeError(error, 'not-found') ? 'gone' : 'unknown';
  }
}

/**
 * Like `fetchContainer`; if the cluster refuses to answer, returns the pod from the events, or gone if it was leaving.
 */
export async function fetchOrLast(
  context: ReadContext,
  target: ContainerTarget,
  isLeaving: () => boolean,
): Promise<Fetched> {
  const fetched = await fetchContainer(context, target);
  if (fetched !== 'unknown') return fetched;
  return isLeaving() ? 'gone' : target;
}

/**
 * Returns the meaning of a 404 for a log, from the fetched pod: the pod is gone, or its node does not know it yet (it
 * is scheduled, and nothing of it has started). Undefined if the node knew it before, and will again
 * (test/recorded/pods-log/kubelet-just-up.json).
 */
export function outcomeOfMissing(fetched: Fetched): RunOutcome | undefined {
  if (fetched === 'gone') return { kind: 'gone' };
  if (fetched === 'unknown' || fetched.state.kind !== 'waiting' || currentRunId(fetched) !== '')
    return undefined;
  return { kind: 'waiting', reason: { code: 'unknown-to-node' } };
}

/** Returns the ID of the run that `previous` serves, if it differs from the current one. */
export function previousRunId(target: ContainerTarget): string | undefined {
  const { lastContainerId } = target;
  return lastContainerId === undefined || lastContainerId === currentRunId(target)
    ? undefined
    : lastContainerId;
}

/** The status of a pod has whole seconds. */
const START_SLACK_SECONDS = 1;

/**
 * Returns the ID of the run that was read before the pod's status named any: its first line is not older than its
 * start. If the status names two by now, the earlier one begins before the start of the later one.
 */
export function runReadUnnamed(fetched: ContainerTarget, first: Timestamp): string {
  const present = currentRunId(fetched);
  const { state, lastContainerId } = fetched;
  if (lastContainerId === undefined || lastContainerId === present) return present;
  const startedAt = state.kind === 'running' ? state.startedAt : undefined;
  const isPresent = startedAt !== undefined && first.seconds >= startedAt.seconds + START_SLACK_SECONDS;
  return isPresent ? present : lastContainerId;
}

/**
 * Returns the ID of the earlier run that a read includes. A reader of only that run gets the one that `previous`
 * serves, even if a waiting container serves the same without `previous`
 * (test/recorded/pods-log/crashloop-phase-waiting-previous.json): the run before a crash is the wanted one.
 */
export const PREVIOUS_RUN = {
  auto: previousRunId,
  only: (target: ContainerTarget) => target.lastContainerId,
  no: () => undefined,
} as const satisfies Record<'auto' | 'no' | 'only', (target: ContainerTarget) => string | undefined>;
