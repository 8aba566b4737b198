import type { StoredObject } from '../../store/store.ts';
import { type Cluster, deletePod } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec, podStatus } from '../objects.ts';
import { setDisruption } from '../pods/disruption.ts';
import { podsOn } from '../related.ts';
import { factsOf, type PodDemands, priorityOf } from './node-fit.ts';
import type { NodeLoads } from './node-loads.ts';
import { requestsOf } from './quantity.ts';

interface Candidate {
  readonly node: StoredObject;
  readonly victims: readonly StoredObject[];
}

/**
 * Deletes pods with lower priority from the node where the fewest must go, so that a pod fits there
 * (pkg/scheduler/framework/preemption). Returns the node; undefined if that would not help either.
 */
export function preempt(
  cluster: Cluster,
  demands: PodDemands,
  nodes: readonly StoredObject[],
  loads: NodeLoads,
): string | undefined {
  if (podSpec(demands.pod).preemptionPolicy === 'Never') return undefined;
  const [best] = nodes
    .flatMap((node) => candidateOf(cluster, demands, node, loads))
    .toSorted((a, b) => a.victims.length - b.victims.length);
  if (best === undefined) return undefined;
  const { name } = best.node.metadata;
  for (const victim of best.victims) {
    recordEvent(cluster, victim, {
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      message: `Preempted by pod ${demands.pod.metadata.uid} on node ${name}`,
      component: 'default-scheduler',
      related: demands.pod,
    });
    const message = 'default-scheduler: preempting to accommodate a higher priority pod';
    setDisruption(cluster, victim, 'PreemptionByScheduler', message);
    const { namespace, name: victimName } = victim.metadata;
    deletePod(cluster, cluster.store.get('pods', namespace, victimName) ?? victim);
  }
  return name;
}

/** Whether pods with lower priority are still terminating on the node chosen for this one. */
export function isMakingRoom(cluster: Cluster, pod: StoredObject): boolean {
  const { nominatedNodeName } = podStatus(pod);
  if (typeof nominatedNodeName !== 'string') return false;
  return podsOn(cluster.store, nominatedNodeName).some(
    (other) => other.metadata.deletionTimestamp !== undefined && priorityOf(other) < priorityOf(pod),
  );
}

function candidateOf(
  { store }: Cluster,
  { pod, requests }: PodDemands,
  node: StoredObject,
  loads: NodeLoads,
): readonly Candidate[] {
  const { room, cpu, memory } = factsOf(node);
  const { name } = node.metadata;
  const left = { pods: loads.pods(name), ...loads.requests(name) };
  const fits = () =>
    left.pods < room && left.cpu + requests.cpu <= cpu && left.memory + requests.memory <= memory;
  const lower = podsOn(store, name)
    .filter((other) => priorityOf(other) < priorityOf(pod) && other.metadata.deletionTimestamp === undefined)
    .filter((other) => !['Succeeded', 'Failed'].includes(podStatus(other).phase))
    .toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const victims: StoredObject[] = [];
  for (const other of lower) {
    if (fits()) break;
    const freed = requestsOf(podSpec(other));
    left.pods -= 1;
    left.cpu -= freed.cpu;
    left.memory -= freed.memory;
    victims.push(other);
  }
  return victims.length > 0 && fits() ? [{ node, victims }] : [];
}
