import { parseTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { deletePod } from '../controllers/cluster.ts';
import { recordEvent } from '../controllers/event-recorder.ts';
import { controllerOf, type PodTemplate, podSpec, workloadSpec } from '../controllers/objects.ts';
import { podsOn } from '../controllers/related.ts';
import type { StoredObject } from '../store/store.ts';
import { containersOf, eventError, podsOf, workloadOf } from './event-targets.ts';
import { containerSpec } from './pod-template.ts';
import type { Simulation } from './simulation.ts';
import type { TimelineEvent } from './timeline-schema.ts';

type Event<Action extends TimelineEvent['action']> = Extract<TimelineEvent, { action: Action }>;

/** Lets one event of a timeline happen now. Throws a SimClusterError when it names something that does not exist. */
export function playEvent(simulation: Simulation, event: TimelineEvent): void {
  const { kubelets } = simulation;
  switch (event.action) {
    case 'crash':
      endContainers(simulation, event, event.code, event.code === 0 ? 'Completed' : 'Error');
      return;
    case 'oom':
      endContainers(simulation, event, 137, 'OOMKilled');
      return;
    case 'restart':
      endContainers(simulation, event, 0, 'Completed');
      return;
    case 'rollout':
      rollout(simulation, event);
      return;
    case 'scale':
      scale(simulation, event);
      return;
    case 'delete':
      deleteObjects(simulation, event);
      return;
    case 'rotate':
      rotate(simulation, event);
      return;
    case 'write':
      write(simulation, event);
      return;
    case 'behave':
      behave(simulation, event);
      return;
    case 'drain':
      drain(simulation, event.node);
      return;
    case 'uncordon':
      setUnschedulable(simulation, event.node, false);
      return;
    case 'kubelet-down':
      kubelets.down(checkNode(simulation, event.node).metadata.name);
      return;
    case 'kubelet-up':
      kubelets.up(checkNode(simulation, event.node).metadata.name);
      return;
    case 'runtime-restart':
      restartRuntime(simulation, event.node);
      return;
    case 'ephemeral':
      addEphemeral(simulation, event);
      return;
  }
}

function endContainers(
  simulation: Simulation,
  event: Event<'crash' | 'oom' | 'restart'>,
  code: number,
  reason: string,
): void {
  for (const { container } of containersOf(simulation, event)) {
    if (!container.running) throw eventError(`container ${container.name} does not run, so it cannot end`);
    container.flush();
    container.end(code, reason);
  }
}

function scale(simulation: Simulation, event: Event<'scale'>): void {
  const { resource, object } = workloadOf(simulation, event.namespace, event.workload);
  simulation.store.update(resource, object.metadata.namespace, object.metadata.name, (changed) => {
    changed.spec = { ...changed.spec, replicas: event.replicas };
    return bumped(changed);
  });
}

function rotate(simulation: Simulation, event: Event<'rotate'>): void {
  for (const { container } of containersOf(simulation, event)) {
    container.flush();
    if (container.containerId !== undefined) simulation.runtime.rotate(container.containerId);
  }
}

/** Changes the behavior of a workload's containers; running ones continue with the new one. */
function behave(simulation: Simulation, event: Event<'behave'>): void {
  const { kubelets, behaviors } = simulation;
  const { object } = workloadOf(simulation, event.namespace, event.workload);
  const targets = podsOf(simulation, event).flatMap(
    (pod) => kubelets.worker(pod.metadata.uid)?.containers ?? [],
  );
  for (const container of targets) container.flush();
  behaviors.set(object.metadata.namespace ?? '', object.kind, object.metadata.name, event.containers);
  const names = event.containers.map(({ name }) => name);
  for (const container of targets) if (names.includes(container.name)) container.renewProgram();
}

const RUNTIME_RESTART_MS = 3000;

function restartRuntime(simulation: Simulation, node: string): void {
  checkNode(simulation, node);
  simulation.runtime.runtimeDown(node);
  simulation.clock.after(RUNTIME_RESTART_MS, () => simulation.runtime.runtimeUp(node));
}

function rollout(simulation: Simulation, event: Event<'rollout'>): void {
  const { cluster, behaviors } = simulation;
  const { resource, object } = workloadOf(simulation, event.namespace, event.workload);
  if (event.containers !== undefined) {
    behaviors.set(object.metadata.namespace ?? '', object.kind, object.metadata.name, event.containers);
  }
  const restartedAt = new Date(cluster.clock.now()).toISOString();
  cluster.store.update(resource, object.metadata.namespace, object.metadata.name, (changed) => {
    const { template } = workloadSpec(changed);
    if (event.image !== undefined && template.spec.containers[0] !== undefined)
      template.spec.containers[0].image = event.image;
    for (const container of event.containers ?? []) replaceContainer(template, containerSpec(container));
    if (event.labels !== undefined) {
      template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, ...event.labels } };
    }
    if (event.image === undefined && event.containers === undefined && event.labels === undefined) {
      const annotations = {
        ...template.metadata?.annotations,
        'kubectl.kubernetes.io/restartedAt': restartedAt,
      };
      template.metadata = { ...template.metadata, annotations };
    }
    return bumped(changed);
  });
}

function replaceContainer(template: PodTemplate, container: ReturnType<typeof containerSpec>): void {
  for (const list of [template.spec.containers, template.spec.initContainers ?? []]) {
    const index = list.findIndex((c) => c.name === container.name);
    if (index >= 0) list[index] = { ...list[index], ...container };
  }
}

function bumped(object: StoredObject): undefined {
  object.metadata.generation = (object.metadata.generation ?? 1) + 1;
  return undefined;
}

function deleteObjects(simulation: Simulation, event: Event<'delete'>): void {
  if (!event.all) {
    for (const pod of podsOf(simulation, event)) deletePod(simulation.cluster, pod, event.gracePeriodSeconds);
    return;
  }
  if (event.workload === undefined) throw eventError('delete with all needs a workload');
  const { resource, object } = workloadOf(simulation, event.namespace, event.workload);
  simulation.store.remove(resource, object.metadata.namespace, object.metadata.name);
}

function write(simulation: Simulation, event: Event<'write'>): void {
  const { runtime, cluster } = simulation;
  const text =
    event.base64 === undefined ? Buffer.from(event.text ?? '') : Buffer.from(event.base64, 'base64');
  const stamp = event.stamp === undefined ? undefined : parseTimestamp(event.stamp);
  if (event.stamp !== undefined && stamp === undefined)
    throw eventError(`${event.stamp} is not an RFC 3339 time`);
  for (const { container } of containersOf(simulation, event)) {
    container.flush();
    const { containerId } = container;
    if (containerId === undefined) throw eventError(`container ${container.name} has not run yet`);
    for (let n = 1; n <= event.repeat; n++) {
      const bytes =
        event.base64 === undefined ? Buffer.from(String(text).replaceAll('{n}', String(n))) : text;
      const at = stamp ?? timestampFromMs(cluster.clock.now() + container.setup.skewMs);
      runtime.append(containerId, { bytes, stream: event.stream, at, partial: event.partial });
    }
  }
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
  const reason = unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable';
  const message = `Node ${name} status is now: ${reason}`;
  recordEvent(simulation.cluster, node, {
    type: 'Normal',
    reason,
    message,
    component: 'kubelet',
    host: name,
  });
}

function addEphemeral(simulation: Simulation, event: Event<'ephemeral'>): void {
  const { behaviors, store } = simulation;
  for (const pod of podsOf(simulation, event)) {
    const { namespace = '', name } = pod.metadata;
    behaviors.set(namespace, 'Pod', name, event.containers);
    store.update('pods', namespace, name, (changed) => {
      const spec = podSpec(changed);
      spec.ephemeralContainers = [
        ...(spec.ephemeralContainers ?? []),
        ...event.containers.map(containerSpec),
      ];
      return undefined;
    });
  }
}
