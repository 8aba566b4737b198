import { isPodActive } from '../controllers/objects.ts';
import type { ContainerWorker } from '../controllers/pods/container-worker.ts';
import type { PodWorker } from '../controllers/pods/pod-worker.ts';
import { controlledBy } from '../controllers/related.ts';
import { SimClusterError } from '../simcluster-error.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { Simulation } from './simulation.ts';

/** One pod by name, or the pods of a workload (`deployments/web`): all, or the nth by name. */
export interface PodsTarget {
  /** Default: the scenario's default namespace. */
  readonly namespace?: string | undefined;
  readonly pod?: string | undefined;
  readonly workload?: string | undefined;
  readonly index?: number | undefined;
}

export interface ContainerTarget extends PodsTarget {
  /** Default: the first regular container. */
  readonly container?: string | undefined;
}

/** Makes the error for an event with a missing target, which is a mistake in the scenario or the call. */
export function eventError(what: string): SimClusterError {
  return new SimClusterError('event-target-missing', {
    what,
    why: 'the simulated cluster has no such object at this moment',
    next: 'name one that exists at the time of the event',
  });
}

/** Resolves `deployments/web`: returns the store's resource name, and the object. */
export function workloadOf(simulation: Simulation, namespace: string | undefined, workload: string) {
  const [plural = '', name = ''] = workload.split('/');
  const groups = ['', '.apps', '.batch'];
  const candidates = groups.map((group) => `${plural}${group}`);
  for (const definition of simulation.store.list('customresourcedefinitions.apiextensions.k8s.io')) {
    if (definition.metadata.name.startsWith(`${plural}.`)) candidates.push(definition.metadata.name);
  }
  for (const resource of candidates) {
    const object = simulation.store.get(resource, namespace ?? simulation.defaultNamespace, name);
    if (object !== undefined) return { resource, object };
  }
  throw eventError(`no ${workload} in namespace ${namespace ?? simulation.defaultNamespace}`);
}

/** Returns the pods that an event targets, ordered by name. Throws if there are none. */
export function podsOf(simulation: Simulation, target: PodsTarget): readonly StoredObject[] {
  const namespace = target.namespace ?? simulation.defaultNamespace;
  if (target.pod !== undefined) {
    const pod = simulation.store.get('pods', namespace, target.pod);
    if (pod === undefined) throw eventError(`no pod ${target.pod} in namespace ${namespace}`);
    return [pod];
  }
  if (target.workload === undefined) throw eventError('the event names neither a pod nor a workload');
  const { object } = workloadOf(simulation, namespace, target.workload);
  const pods = podsBelow(simulation.store, object).filter(isPodActive);
  const chosen = target.index === undefined ? pods : pods.slice(target.index, target.index + 1);
  if (chosen.length === 0) throw eventError(`no pod of ${target.workload} in namespace ${namespace}`);
  return chosen;
}

/** Returns the pods of a workload and of its ReplicaSets and Jobs, ordered by name. */
function podsBelow(store: Store, workload: StoredObject): readonly StoredObject[] {
  const between = ['replicasets.apps', 'jobs.batch'].flatMap((resource) =>
    controlledBy(store, resource, workload),
  );
  return [workload, ...between]
    .flatMap((owner) => controlledBy(store, 'pods', owner))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Returns the containers (one per pod) that an event targets. */
export function containersOf(
  simulation: Simulation,
  target: ContainerTarget,
): readonly {
  readonly pod: StoredObject;
  readonly worker: PodWorker;
  readonly container: ContainerWorker;
}[] {
  return podsOf(simulation, target).map((pod) => {
    const worker = simulation.kubelets.worker(pod.metadata.uid);
    if (worker === undefined) throw eventError(`pod ${pod.metadata.name} has not started on a node`);
    const container = worker.containers.find((c) =>
      target.container === undefined ? c.kind === 'regular' : c.name === target.container,
    );
    if (container === undefined)
      throw eventError(`pod ${pod.metadata.name} has no container ${target.container ?? ''}`);
    return { pod, worker, container };
  });
}
