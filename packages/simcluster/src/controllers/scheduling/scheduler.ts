import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec, podStatus, timeText } from '../objects.ts';
import type { PodVolume } from '../pods/container-config.ts';
import { isGated } from '../pods/pod-defaults.ts';
import { demandsOf, type PodDemands, priorityOf, type Refusal, refusalOf } from './node-fit.ts';
import { type NodeLoads, ownerOf, trackNodeLoads } from './node-loads.ts';
import { isMakingRoom, preempt } from './preemption.ts';

const TOPOLOGY_LABELS = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/**
 * Assigns each pod without a node to the fitting node with the fewest pods, spread over zones; or reports why none
 * fits.
 */
export function startScheduler(cluster: Cluster): void {
  const { store, queue } = cluster;
  const loads = trackNodeLoads(store);
  const waiting = store.index('pods', 'unscheduled', unscheduled);
  const tryAgain = () =>
    queue.add('schedule-waiting', () => {
      const byPriority = waiting.of('').toSorted((a, b) => priorityOf(b) - priorityOf(a));
      for (const pod of byPriority) enqueue(cluster, loads, pod);
    });
  store.subscribe('pods', ({ type, object, before }) => {
    if (type !== 'DELETED' && needsNode(object)) enqueue(cluster, loads, object);
    // A pod that left made room for those without a node.
    else if (type === 'DELETED' || (before !== undefined && isDone(object) && !isDone(before))) tryAgain();
  });
  for (const resource of ['nodes', 'persistentvolumeclaims', 'persistentvolumes'])
    store.subscribe(resource, tryAgain);
}

function unscheduled(pod: StoredObject): readonly string[] {
  return needsNode(pod) ? [''] : [];
}

function isDone(pod: StoredObject): boolean {
  const { phase } = podStatus(pod);
  return phase === 'Succeeded' || phase === 'Failed';
}

function needsNode(pod: StoredObject): boolean {
  const spec = podSpec(pod);
  return spec.nodeName === undefined && pod.metadata.deletionTimestamp === undefined && !isGated(spec);
}

function enqueue(cluster: Cluster, loads: NodeLoads, pod: StoredObject, isDue = false): void {
  const { namespace, name } = pod.metadata;
  cluster.queue.add(`schedule/${namespace}/${name}`, () => {
    const current = cluster.store.get('pods', namespace, name);
    if (current !== undefined && needsNode(current)) schedule(cluster, loads, current, isDue);
  });
}

/** Maximum wait of a pod that fits nowhere (pkg/scheduler/backend/queue, podMaxInUnschedulablePodsDuration). */
const MAX_WAIT_MS = 300_000;

function schedule(cluster: Cluster, loads: NodeLoads, pod: StoredObject, isDue: boolean): void {
  const { namespace, name } = pod.metadata;
  const nodes = cluster.store.list('nodes');
  const claims = claimsOf(cluster, pod);
  const demands = demandsOf(pod, claims.volumes);
  const node = claims.problem === undefined ? leastLoaded(cluster, nodes, demands, loads) : undefined;
  if (node === undefined) {
    if (!isMakingRoom(cluster, pod))
      leaveUnscheduled(cluster, { demands, nodes, loads }, claims.problem, isDue);
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

/** The results of a search for a node. */
interface Search {
  readonly demands: PodDemands;
  readonly nodes: readonly StoredObject[];
  readonly loads: NodeLoads;
}

/** Preempts other pods if allowed, and reports why the pod has no node yet. */
function leaveUnscheduled(
  cluster: Cluster,
  search: Search,
  problem: string | undefined,
  isDue: boolean,
): void {
  const { pod } = search.demands;
  const { namespace, name } = pod.metadata;
  const refusals = search.nodes.map((node) => refusalOf(node, search.demands, search.loads, cluster.store));
  const resolvable = search.nodes.filter((_node, index) => refusals[index]?.isResolvable === true);
  const chosen =
    problem === undefined ? preempt(cluster, search.demands, resolvable, search.loads) : undefined;
  const message = whyNone(problem, refusals, chosen);
  const before = podStatus(pod).conditions?.find((c) => c.type === 'PodScheduled');
  if (before?.message === message && !isDue) return;
  if (before === undefined || isDue)
    cluster.clock.after(MAX_WAIT_MS, () => enqueue(cluster, search.loads, pod, true));
  cluster.store.update('pods', namespace, name, (object) => {
    object.status = {
      ...object.status,
      phase: 'Pending',
      conditions: [condition(cluster, 'False', message)],
      ...(chosen === undefined ? {} : { nominatedNodeName: chosen }),
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
}

interface Claims {
  readonly volumes: readonly StoredObject[];
  /** Why no node can take the pod until a claim changes (pkg/scheduler/framework/plugins/volumebinding). */
  readonly problem: string | undefined;
}

function claimsOf({ store }: Cluster, pod: StoredObject): Claims {
  const volumes: StoredObject[] = [];
  const { namespace } = pod.metadata;
  for (const { persistentVolumeClaim } of (podSpec(pod).volumes ?? []) as readonly PodVolume[]) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName } = persistentVolumeClaim;
    const claim = store.get('persistentvolumeclaims', namespace, claimName);
    if (claim === undefined)
      return { volumes, problem: `persistentvolumeclaim ${JSON.stringify(claimName)} not found` };
    if (claim.status?.phase !== 'Bound')
      return { volumes, problem: 'pod has unbound immediate PersistentVolumeClaims' };
    const volume = store.get('persistentvolumes', undefined, String(claim.spec?.volumeName));
    if (volume !== undefined) volumes.push(volume);
  }
  return { volumes, problem: undefined };
}

/** Returns the node with the fewest pods of the same owner, then the fewest in total, then the first by name. */
function leastLoaded(
  cluster: Cluster,
  nodes: readonly StoredObject[],
  demands: PodDemands,
  loads: NodeLoads,
): StoredObject | undefined {
  const siblings = loads.siblings(ownerOf(demands.pod));
  let best: StoredObject | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const { name } = node.metadata;
    const load = (siblings.get(name) ?? 0) * 1000 + loads.pods(name);
    if (load >= least || refusalOf(node, demands, loads, cluster.store) !== undefined) continue;
    best = node;
    least = load;
  }
  return best;
}

/**
 * Formats how many nodes have each reason, and whether preemption would help: pkg/scheduler/framework/types.go,
 * FitError.
 */
function whyNone(
  problem: string | undefined,
  refusals: readonly (Refusal | undefined)[],
  chosen: string | undefined,
): string {
  const total = refusals.length;
  const why = `0/${total} nodes are available: `;
  const reasons = problem ?? counted(refusals.flatMap((refusal) => refusal?.reasons ?? [])).join(', ');
  if (chosen !== undefined) return `${why}${reasons}.`;
  const help = counted(
    refusals.map((refusal) =>
      problem === undefined && refusal?.isResolvable === true
        ? 'No preemption victims found for incoming pod'
        : 'Preemption is not helpful for scheduling',
    ),
  );
  return `${why}${reasons}. no new claims to deallocate, preemption: ${why}${help.join(', ')}.`;
}

function counted(reasons: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
}
