import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { listOf, textOf } from '../../resolve/pods/read-json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Statuses that are normal; every other status that kubectl prints for a pod is a problem. */
const NORMAL_REASONS =
  /^(?:Running|Completed|Succeeded|Pending|ContainerCreating|PodInitializing|Terminating|NotReady|SchedulingGated|Init:\d+\/\d+)$/;

/** Whether a `podStatus` reports a problem with the pod. */
export function isTrouble(status: string): boolean {
  return !NORMAL_REASONS.test(status);
}

/**
 * Returns the STATUS that `kubectl get pods` prints for a pod: `Running`, `CrashLoopBackOff`, `Init:0/2`. The rules are
 * those of printPod in kubernetes/pkg/printers/internalversion/printers.go.
 */
export function podStatus(pod: Json): string {
  const metadata = asRecord(pod.metadata) ?? {};
  const status = asRecord(pod.status) ?? {};
  const spec = asRecord(pod.spec) ?? {};
  const gated = listOf(status.conditions).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  let text = gated ? 'SchedulingGated' : (textOf(status.reason) ?? textOf(status.phase) ?? 'Unknown');
  const init = initStatus(spec, status);
  if (init !== undefined) text = init;
  else text = containersStatus(status, text);
  if (textOf(metadata.deletionTimestamp) === undefined) return text;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? text : 'Terminating';
}

/** Returns what delays the start; undefined if the pod is initialized. */
function initStatus(spec: Json, status: Json): string | undefined {
  const isInitialized = listOf(status.conditions).some(
    ({ type, status: value }) => type === 'Initialized' && value === 'True',
  );
  if (isInitialized) return undefined;
  const containers = listOf(spec.initContainers);
  const sidecars = new Set(containers.filter((c) => c.restartPolicy === 'Always').map((c) => c.name));
  for (const [index, container] of listOf(status.initContainerStatuses).entries()) {
    const state = asRecord(container.state) ?? {};
    const terminated = asRecord(state.terminated);
    const waiting = textOf(asRecord(state.waiting)?.reason);
    if (terminated?.exitCode === 0) continue;
    if (sidecars.has(container.name) && container.started === true) continue;
    if (terminated !== undefined) return `Init:${endReason(terminated)}`;
    if (waiting !== undefined && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${index}/${containers.length}`;
  }
  return undefined;
}

function containersStatus(status: Json, before: string): string {
  let text = before;
  let runs = false;
  for (const container of listOf(status.containerStatuses).toReversed()) {
    const state = asRecord(container.state) ?? {};
    const waiting = textOf(asRecord(state.waiting)?.reason);
    const terminated = asRecord(state.terminated);
    if (waiting !== undefined) text = waiting;
    else if (terminated !== undefined) text = endReason(terminated);
    else if (container.ready === true && state.running !== undefined) runs = true;
  }
  if (text !== 'Completed' || !runs) return text;
  const isReady = listOf(status.conditions).some(
    ({ type, status: value }) => type === 'Ready' && value === 'True',
  );
  return isReady ? 'Running' : 'NotReady';
}

function endReason(terminated: Json): string {
  const reason = textOf(terminated.reason);
  if (reason !== undefined) return reason;
  const { signal, exitCode } = terminated;
  if (typeof signal === 'number' && signal !== 0) return `Signal:${signal}`;
  return `ExitCode:${typeof exitCode === 'number' ? exitCode : 0}`;
}
