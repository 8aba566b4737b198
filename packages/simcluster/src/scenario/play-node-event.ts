import { deletePod } from '../controllers/cluster.ts';
import { setPressure } from '../controllers/nodes/node-pressure.ts';
import { nodeStatusEvent } from '../controllers/nodes/node-status.ts';
import { controllerOf } from '../controllers/objects.ts';
import { setDisruption } from '../controllers/pods/disruption.ts';
import { podsOn } from '../controllers/related.ts';
import type { StoredObject } from '../store/store.ts';
import { eventError } from './event-targets.ts';
import type { Simulation } from './simulation.ts';
import type { TimelineEvent } from './timeline-schema.ts';

type NodeEvent = Extract<TimelineEvent, { node: string }>;

/** Plays an event on a node. Throws a SimClusterError if the node does not exist. */
export function playNodeEvent(simulation: Simulation, event: NodeEvent): void {
  const { cluster, kubelets } = simulation;
  const node = checkNode(simulation, event.node);
  const { name } = node.metadata;
  switch (event.action) {
    case 'drain':
      drain(simulation, name);
      return;
    case 'uncordon':
      setUnschedulable(simulation, name, false);
      return;
    case 'kubelet-down':
      kubelets.down(name);
      return;
    case 'kubelet-up':
      kubelets.up(name);
      return;
    case 'runtime-restart':
      restartRuntime(simulation, name);
      return;
    case 'pressure':
      setPressure(cluster, node, event.resource, event.on);
      return;
    case 'node-down':
      kubelets.lose(name);
      return;
    case 'node-up':
      kubelets.boot(name);
      return;
    default:
      event satisfies never;
  }
}

const RUNTIME_RESTART_MS = 3000;

function restartRuntime(simulation: Simulation, node: string): void {
  simulation.runtime.runtimeDown(node);
  simulation.clock.after(RUNTIME_RESTART_MS, () => simulation.runtime.runtimeUp(node));
}

function checkNode(simulation: Simulation, name: string): StoredObject {
  const node = simulation.store.get('nodes', undefined, name);
  if (node === undefined) throw eventError(`no node ${name}`);
  return node;
}

function drain(simulation: Simulation, name: string): void {
  setUnschedulable(simulation, name, true);
  for (const pod of podsOn(simulation.store, name)) {
    if (controllerOf(pod)?.kind === 'DaemonSet') continue;
    // What kubectl drain requests: pkg/registry/core/pod/storage/eviction.go.
    setDisruption(simulation.cluster, pod, 'EvictionByEvictionAPI', 'Eviction API: evicting');
    deletePod(simulation.cluster, pod);
  }
}

function setUnschedulable(simulation: Simulation, name: string, unschedulable: boolean): void {
  const node = checkNode(simulation, name);
  simulation.store.update('nodes', undefined, name, (changed) => {
    const { unschedulable: _before, ...spec } = changed.spec ?? {};
    changed.spec = unschedulable ? { ...spec, unschedulable } : spec;
    return undefined;
  });
  nodeStatusEvent(
    simulation.cluster,
    node,
    unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable',
    'kubelet',
  );
}
