import { humanDuration, since } from './duration.ts';
import { array, at, type Fields, fields, number, orNone, text } from './read.ts';

/**
 * Returns Name, Ready, Status, Restarts, Age, IP, Node, Nominated Node, Readiness Gates, like printPod of kubernetes.
 */
export function podCells(pod: unknown, nowMs: number): readonly unknown[] {
  const spec = fields(at(pod, 'spec'));
  const status = fields(at(pod, 'status'));
  const summary = summarize(pod, spec, status);
  const { restarts, lastRestart } = summary;
  const restartText =
    restarts > 0 && lastRestart > 0
      ? `${restarts} (${humanDuration(nowMs - lastRestart)} ago)`
      : String(restarts);
  const gates = array(spec.readinessGates);
  const conditions = array(status.conditions);
  const passed = gates.filter((gate) =>
    conditions.some((condition) => condition.type === gate.conditionType && condition.status === 'True'),
  );
  const podIp = text(array(status.podIPs)[0]?.ip) || text(status.podIP);
  return [
    text(at(pod, 'metadata', 'name')),
    `${summary.ready}/${summary.total}`,
    summary.reason,
    restartText,
    since(at(pod, 'metadata', 'creationTimestamp'), nowMs),
    orNone(podIp),
    orNone(text(spec.nodeName)),
    orNone(text(status.nominatedNodeName)),
    gates.length === 0 ? '<none>' : `${passed.length}/${gates.length}`,
  ];
}

interface Summary {
  reason: string;
  ready: number;
  total: number;
  restarts: number;
  lastRestart: number;
}

function summarize(pod: unknown, spec: Fields, status: Fields): Summary {
  const initSpecs = new Map(array(spec.initContainers).map((container) => [text(container.name), container]));
  const sidecar = (name: unknown) => initSpecs.get(text(name))?.restartPolicy === 'Always';
  const sidecars = [...initSpecs.values()].filter((container) => container.restartPolicy === 'Always');
  const phase = text(status.phase);
  const summary: Summary = {
    reason: text(status.reason) || phase,
    ready: 0,
    total: array(spec.containers).length + sidecars.length,
    restarts: 0,
    lastRestart: 0,
  };
  const gated = array(status.conditions).some(
    (c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated',
  );
  if (gated) summary.reason = 'SchedulingGated';

  const sidecarCount = { restarts: 0, lastRestart: 0 };
  const initializing = initPhase(
    array(status.initContainerStatuses),
    initSpecs.size,
    sidecar,
    summary,
    sidecarCount,
  );
  const initialized = array(status.conditions).some((c) => c.type === 'Initialized' && c.status === 'True');
  if (!initializing || initialized) mainPhase(array(status.containerStatuses), status, summary, sidecarCount);

  if (at(pod, 'metadata', 'deletionTimestamp') !== undefined) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

function initPhase(
  statuses: readonly Fields[],
  initCount: number,
  sidecar: (name: unknown) => boolean,
  summary: Summary,
  sidecarCount: { restarts: number; lastRestart: number },
): boolean {
  for (const [index, container] of statuses.entries()) {
    countRestarts(summary, container);
    const isSidecar = sidecar(container.name);
    if (isSidecar) countRestarts(sidecarCount, container);
    if (isDone(container)) continue;
    if (!isSidecar || container.started !== true) {
      summary.reason = initReason(container, index, initCount);
      return true;
    }
    if (container.ready === true) summary.ready += 1;
  }
  return false;
}

function countRestarts(count: { restarts: number; lastRestart: number }, container: Fields): void {
  count.restarts += number(container.restartCount);
  count.lastRestart = Math.max(count.lastRestart, finishedBefore(container));
}

function isDone(container: Fields): boolean {
  const terminated = at(container, 'state', 'terminated');
  return terminated !== undefined && number(at(terminated, 'exitCode')) === 0;
}

function initReason(container: Fields, index: number, initCount: number): string {
  const terminated = at(container, 'state', 'terminated');
  if (terminated !== undefined) return `Init:${terminatedReason(fields(terminated))}`;
  const waiting = text(at(container, 'state', 'waiting', 'reason'));
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${initCount}`;
}

function mainPhase(
  statuses: readonly Fields[],
  status: Fields,
  summary: Summary,
  sidecarCount: { restarts: number; lastRestart: number },
): void {
  summary.restarts = sidecarCount.restarts;
  summary.lastRestart = sidecarCount.lastRestart;
  let hasRunning = false;
  for (const container of [...statuses].reverse()) {
    countRestarts(summary, container);
    const terminated = at(container, 'state', 'terminated');
    const waitingReason = text(at(container, 'state', 'waiting', 'reason'));
    if (waitingReason !== '') summary.reason = waitingReason;
    else if (terminated !== undefined) summary.reason = terminatedReason(fields(terminated));
    else if (container.ready === true && at(container, 'state', 'running') !== undefined) {
      hasRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason === 'Completed' && hasRunning) {
    const ready = array(status.conditions).some((c) => c.type === 'Ready' && c.status === 'True');
    summary.reason = ready ? 'Running' : 'NotReady';
  }
}

function terminatedReason(terminated: Fields): string {
  const reason = text(terminated.reason);
  if (reason !== '') return reason;
  const signal = number(terminated.signal);
  return signal === 0 ? `ExitCode:${number(terminated.exitCode)}` : `Signal:${signal}`;
}

function finishedBefore(container: Fields): number {
  const finished = Date.parse(text(at(container, 'lastState', 'terminated', 'finishedAt')));
  return Number.isNaN(finished) ? 0 : finished;
}
