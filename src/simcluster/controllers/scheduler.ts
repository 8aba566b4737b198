import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import { recordEvent } from './event-recorder.ts';
import { labelsMatch, podSpec, podStatus, timeText } from './objects.ts';

const TOPOLOGY_LABELS = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** Gives each pod without a node the fitting node with the fewest pods, spread over zones; or says why none fits. */
export function startScheduler(cluster: Cluster): void {
  cluster.store.subscribe('pods', ({ type, object }) => {
    if (type !== 'DELETED' && needsNode(object)) enqueue(cluster, object);
  });
  cluster.store.subscribe('nodes', () => {
    for (const pod of cluster.store.list('pods')) if (needsNode(pod)) enqueue(cluster, pod);
  });
}

function needsNode(pod: StoredObject): boolean {
  return podSpec(pod).nodeName === undefined && pod.metadata.deletionTimestamp === undefined;
}

function enqueue(cluster: Cluster, pod: StoredObject): void {
  const { namespace, name } = pod.metadata;
  cluster.queue.add(`schedule/${namespace}/${name}`, () => {
    const current = cluster.store.get('pods', namespace, name);
    if (current !== undefined && needsNode(current)) schedule(cluster, current);
  });
}

function schedule(cluster: Cluster, pod: StoredObject): void {
  const { namespace, name } = pod.metadata;
  const nodes = cluster.store.list('nodes');
  const counts = podCounts(cluster);
  const fitting = nodes.filter((node) => refusal(node, pod, counts) === undefined);
  const node = leastLoaded(cluster, fitting, pod, counts);
  if (node === undefined) {
    const message = whyNone(nodes, pod, counts);
    const before = podStatus(pod).conditions?.find((c) => c.type === 'PodScheduled');
    if (before?.message === message) return;
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
      message,
      component: 'default-scheduler',
    });
    return;
  }
  cluster.store.update('pods', namespace, name, (object) => {
    podSpec(object).nodeName = node.metadata.name;
    for (const label of TOPOLOGY_LABELS) {
      const value = node.metadata.labels?.[label];
      if (value !== undefined) object.metadata.labels = { [label]: value, ...object.metadata.labels };
    }
    object.status = {
      ...object.status,
      phase: 'Pending',
      conditions: [condition(cluster, 'True', undefined)],
    };
    return undefined;
  });
  recordEvent(cluster, pod, {
    type: 'Normal',
    reason: 'Scheduled',
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

function podCounts(cluster: Cluster): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pod of cluster.store.list('pods')) {
    const { nodeName } = podSpec(pod);
    const { phase } = podStatus(pod);
    if (nodeName === undefined || phase === 'Succeeded' || phase === 'Failed') continue;
    counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1);
  }
  return counts;
}

/** Why a node does not take a pod, in the scheduler's words; undefined when it does. */
function refusal(
  node: StoredObject,
  pod: StoredObject,
  counts: ReadonlyMap<string, number>,
): string | undefined {
  const spec = podSpec(pod);
  const nodeSpec = (node.spec ?? {}) as { unschedulable?: boolean };
  const allocatable = (node.status as { allocatable?: { pods?: string } } | undefined)?.allocatable;
  const ready = (
    node.status as { conditions?: { type: string; status: string }[] } | undefined
  )?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True');
  const tolerant = spec.tolerations?.some((t) => t.operator === 'Exists' && t.key === undefined) === true;
  if (nodeSpec.unschedulable === true && !tolerant) return 'node(s) were unschedulable';
  if (ready !== true && !tolerant) return 'node(s) had untolerated taint(s)';
  if (!labelsMatch(spec.nodeSelector, node.metadata.labels))
    return "node(s) didn't match Pod's node affinity/selector";
  if ((counts.get(node.metadata.name) ?? 0) >= Number(allocatable?.pods ?? 110)) return 'Too many pods';
  return undefined;
}

function leastLoaded(
  cluster: Cluster,
  nodes: readonly StoredObject[],
  pod: StoredObject,
  counts: ReadonlyMap<string, number>,
): StoredObject | undefined {
  const owner = pod.metadata.ownerReferences?.[0]?.uid;
  const siblings = new Map<string, number>();
  for (const other of cluster.store.list('pods', pod.metadata.namespace)) {
    const { nodeName } = podSpec(other);
    if (owner === undefined || nodeName === undefined || other.metadata.ownerReferences?.[0]?.uid !== owner)
      continue;
    siblings.set(nodeName, (siblings.get(nodeName) ?? 0) + 1);
  }
  const load = (node: StoredObject) =>
    (siblings.get(node.metadata.name) ?? 0) * 1000 + (counts.get(node.metadata.name) ?? 0);
  return [...nodes].sort((a, b) => load(a) - load(b) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

function whyNone(
  nodes: readonly StoredObject[],
  pod: StoredObject,
  counts: ReadonlyMap<string, number>,
): string {
  const reasons = new Map<string, number>();
  for (const node of nodes) {
    const reason = refusal(node, pod, counts) ?? '';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const list = [...reasons].sort().map(([reason, count]) => `${count} ${reason}`);
  const total = nodes.length;
  return `0/${total} nodes are available: ${list.join(', ')}. no new claims to deallocate, preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling.`;
}
