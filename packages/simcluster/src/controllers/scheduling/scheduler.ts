import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { labelsMatch, podSpec, podStatus, timeText } from '../objects.ts';
import { type NodeLoads, ownerOf, trackNodeLoads } from './node-loads.ts';

const TOPOLOGY_LABELS = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** Gives each pod without a node the fitting node with the fewest pods, spread over zones; or reports why none fits. */
export function startScheduler(cluster: Cluster): void {
  const { store, queue } = cluster;
  const loads = trackNodeLoads(store);
  const waiting = store.index('pods', 'unscheduled', unscheduled);
  const tryAgain = () =>
    queue.add('schedule-waiting', () => {
      for (const pod of waiting.of('')) enqueue(cluster, loads, pod);
    });
  store.subscribe('pods', ({ type, object, before }) => {
    if (type !== 'DELETED' && needsNode(object)) enqueue(cluster, loads, object);
    // One that left made room for those that found none.
    else if (type === 'DELETED' || (before !== undefined && isDone(object) && !isDone(before))) tryAgain();
  });
  store.subscribe('nodes', tryAgain);
}

function unscheduled(pod: StoredObject): readonly string[] {
  return needsNode(pod) ? [''] : [];
}

function isDone(pod: StoredObject): boolean {
  const { phase } = podStatus(pod);
  return phase === 'Succeeded' || phase === 'Failed';
}

function needsNode(pod: StoredObject): boolean {
  return podSpec(pod).nodeName === undefined && pod.metadata.deletionTimestamp === undefined;
}

function enqueue(cluster: Cluster, loads: NodeLoads, pod: StoredObject, isDue = false): void {
  const { namespace, name } = pod.metadata;
  cluster.queue.add(`schedule/${namespace}/${name}`, () => {
    const current = cluster.store.get('pods', namespace, name);
    if (current !== undefined && needsNode(current)) schedule(cluster, loads, current, isDue);
  });
}

/** How long a pod that fits nowhere waits at most (pkg/scheduler/backend/queue, podMaxInUnschedulablePodsDuration). */
const MAX_WAIT_MS = 300_000;

function schedule(cluster: Cluster, loads: NodeLoads, pod: StoredObject, isDue: boolean): void {
  const { namespace, name } = pod.metadata;
  const nodes = cluster.store.list('nodes');
  const node = leastLoaded(nodes, pod, loads);
  if (node === undefined) {
    const message = whyNone(nodes, pod, loads);
    const before = podStatus(pod).conditions?.find((c) => c.type === 'PodScheduled');
    if (before?.message === message && !isDue) return;
    if (before === undefined || isDue)
      cluster.clock.after(MAX_WAIT_MS, () => enqueue(cluster, loads, pod, true));
    cluster.store.update('pods', namespace, name, (object) => {
      object.status = {
        ...object.status,
        phase: 'Pending',
        conditions: [condition(cluster, 'False', message)],
      };
      return undefined;
    });
    recordEvent(cluster, pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      message,
      component: 'default-scheduler',
    });
    return;
  }
  const topology = TOPOLOGY_LABELS.flatMap((label) => {
    const value = node.metadata.labels?.[label];
    return value === undefined ? [] : [[label, value] as const];
  });
  cluster.store.replace('pods', pod, {
    metadata: { ...pod.metadata, labels: { ...Object.fromEntries(topology), ...pod.metadata.labels } },
    spec: { ...pod.spec, nodeName: node.metadata.name },
    status: { ...pod.status, phase: 'Pending', conditions: [condition(cluster, 'True', undefined)] },
  });
  recordEvent(cluster, pod, {
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Binding',
    message: `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`,
    component: 'default-scheduler',
  });
}

function condition(cluster: Cluster, status: string, message: string | undefined) {
  return {
    type: 'PodScheduled',
    status,
    lastProbeTime: null,
    lastTransitionTime: timeText(cluster.clock.now()),
    ...(message === undefined ? {} : { reason: 'Unschedulable', message }),
  };
}

/** Why a node does not take a pod, in the scheduler's words; undefined when it does. */
function refusal(node: StoredObject, pod: StoredObject, loads: NodeLoads): string | undefined {
  const spec = podSpec(pod);
  const { unschedulable, ready, room } = factsOf(node);
  if (unschedulable || !ready) {
    const tolerant = spec.tolerations?.some((t) => t.operator === 'Exists' && t.key === undefined) === true;
    if (unschedulable && !tolerant) return 'node(s) were unschedulable';
    if (!ready && !tolerant) return 'node(s) had untolerated taint(s)';
  }
  if (spec.nodeSelector !== undefined && !labelsMatch(spec.nodeSelector, node.metadata.labels))
    return "node(s) didn't match Pod's node affinity/selector";
  if (loads.pods(node.metadata.name) >= room) return 'Too many pods';
  return undefined;
}

/** The one with the fewest pods of the same owner, then the fewest of all, then the first by name. */
function leastLoaded(
  nodes: readonly StoredObject[],
  pod: StoredObject,
  loads: NodeLoads,
): StoredObject | undefined {
  const siblings = loads.siblings(ownerOf(pod));
  let best: StoredObject | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const { name } = node.metadata;
    const load = (siblings.get(name) ?? 0) * 1000 + loads.pods(name);
    if (load >= least || refusal(node, pod, loads) !== undefined) continue;
    best = node;
    least = load;
  }
  return best;
}

function whyNone(nodes: readonly StoredObject[], pod: StoredObject, loads: NodeLoads): string {
  const reasons = new Map<string, number>();
  for (const node of nodes) {
    const reason = refusal(node, pod, loads) ?? '';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const list = [...reasons].sort().map(([reason, count]) => `${count} ${reason}`);
  const total = nodes.length;
  return `0/${total} nodes are available: ${list.join(', ')}. no new claims to deallocate, preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling.`;
}

/** What the scheduler asks of a node; read once for each state of the object. */
interface NodeFacts {
  readonly unschedulable: boolean;
  readonly ready: boolean;
  /** How many pods fit. */
  readonly room: number;
}

const DEFAULT_ROOM = 110;
const knownFacts = new WeakMap<StoredObject, NodeFacts>();

function factsOf(node: StoredObject): NodeFacts {
  const read = knownFacts.get(node);
  if (read !== undefined) return read;
  const { unschedulable } = (node.spec ?? {}) as { unschedulable?: boolean };
  const { allocatable, conditions } = (node.status ?? {}) as {
    allocatable?: { pods?: string };
    conditions?: { type: string; status: string }[];
  };
  const facts = {
    unschedulable: unschedulable === true,
    ready: conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true,
    room: Number(allocatable?.pods ?? DEFAULT_ROOM),
  };
  knownFacts.set(node, facts);
  return facts;
}
