import { isPodActive } from '../controllers/objects.ts';
import type { ContainerWorker } from '../controllers/pods/container-worker.ts';
import type { PodWorker } from '../controllers/pods/pod-worker.ts';
import { controlledBy } from '../controllers/related.ts';
import { SimClusterError } from '../simcluster-error.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { Simulation } from './simulation.ts';

/** One pod by name, or the pods of a workload (`deployments/web`), all or the nth in the order of names. */
export interface PodsTarget {
  /** The scenario's default namespace when left out. */
  readonly namespace?: string | undefined;
  readonly pod?: string | undefined;
  readonly workload?: string | undefined;
  readonly index?: number | undefined;
}

export interface ContainerTarget extends PodsTarget {
  /** The first regular container when left out. */
  readonly container?: string | undefined;
}

/** An event that names what is not there is a mistake in the scenario or in the call. */
export function eventError(what: string): SimClusterError {
  return new SimClusterError('event-target-missing', {
    what,
    why: 'the simulated cluster has no such object at this moment',
    next: 'name one that exists at the time of the event',
  });
}

/** `deployments/web` in full: the resource as the store names it, and the object. */
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

/** The pods that an event is about, in the order of their names. Throws when there are none. */
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

/** The pods of a workload and of the ReplicaSets and Jobs that it controls, in the order of their names. */
function podsBelow(store: Store, workload: StoredObject): readonly StoredObject[] {
  const between = ['replicasets.apps', 'jobs.batch'].flatMap((resource) =>
    controlledBy(store, resource, workload),
  );
  return [workload, ...between]
    .flatMap((owner) => controlledBy(store, 'pods', owner))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The containers (one a pod) that an event is about. */
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
