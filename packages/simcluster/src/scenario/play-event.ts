import { parseTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { deletePod } from '../controllers/cluster.ts';
import { recordEvent } from '../controllers/event-recorder.ts';
import { evictionMessage } from '../controllers/nodes/node-pressure.ts';
import { type PodTemplate, podSpec, workloadSpec } from '../controllers/objects.ts';
import type { StoredObject } from '../store/store.ts';
import { containersOf, eventError, podsOf, workloadOf } from './event-targets.ts';
import { playGateEvent } from './play-gate-event.ts';
import { playNodeEvent } from './play-node-event.ts';
import { containerSpec } from './pod-template.ts';
import type { Simulation } from './simulation.ts';
import type { TimelineEvent } from './timeline-schema.ts';

type Event<Action extends TimelineEvent['action']> = Extract<TimelineEvent, { action: Action }>;

/** Plays one event of a timeline now. Throws a SimClusterError if it names something that does not exist. */
export function playEvent(simulation: Simulation, event: TimelineEvent): void {
  switch (event.action) {
    case 'crash':
      endContainers(simulation, event, event.code, event.code === 0 ? 'Completed' : 'Error');
      return;
    case 'oom':
      killForMemory(simulation, event);
      return;
    case 'kill':
      endContainers(simulation, event, SIGNAL_EXITS[event.signal], 'Error');
      return;
    case 'evict':
      evict(simulation, event);
      return;
    case 'restart':
      endContainers(simulation, event, 0, 'Completed');
      return;
    case 'rollout':
      rollout(simulation, event);
      return;
    case 'scale':
    case 'pause':
    case 'suspend':
      setOfSpec(simulation, event);
      return;
    case 'delete':
      deleteObjects(simulation, event);
      return;
    case 'ungate':
    case 'condition':
      playGateEvent(simulation, event);
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
    case 'ephemeral':
      addEphemeral(simulation, event);
      return;
    case 'drain':
    case 'kubelet-down':
    case 'kubelet-up':
    case 'node-down':
    case 'node-up':
    case 'pressure':
    case 'runtime-restart':
    case 'uncordon':
      playNodeEvent(simulation, event);
      return;
    default:
      event satisfies never;
  }
}

function endContainers(
  simulation: Simulation,
  event: Event<'crash' | 'oom' | 'kill' | 'restart'>,
  code: number,
  reason: string,
): void {
  for (const { container } of containersOf(simulation, event)) {
    if (!container.running) throw eventError(`container ${container.name} does not run, so it cannot end`);
    container.flush();
    container.end(code, reason);
  }
}

/** 128 plus the number of the signal. */
const SIGNAL_EXITS = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGABRT: 134,
  SIGKILL: 137,
  SIGSEGV: 139,
  SIGTERM: 143,
} as const;

function killForMemory(simulation: Simulation, event: Event<'oom'>): void {
  for (const { pod, container } of containersOf(simulation, event)) {
    if (!container.running) throw eventError(`container ${container.name} does not run, so it cannot end`);
    container.flush();
    if (event.process === 'of-node') {
      reportSystemOom(simulation, pod, event.victim);
      container.end(137, 'Error');
      continue;
    }
    if (event.reported) reportOom(simulation, pod, event.victim);
    container.noteOom();
    if (event.process === 'main') container.end(137, 'OOMKilled');
  }
}

/** Records what the kubelet reports of its node (pkg/kubelet/oom/oom_watcher_linux.go). */
function reportSystemOom({ cluster, store }: Simulation, pod: StoredObject, victim: string): void {
  const host = podSpec(pod).nodeName ?? '';
  const node = store.get('nodes', undefined, host);
  if (node === undefined) return;
  const id = cluster.random('oom', pod.metadata.uid, cluster.clock.now()).int(1000, 60_000);
  recordEvent(cluster, node, {
    type: 'Warning',
    reason: 'SystemOOM',
    message: `System OOM encountered, victim process: ${victim}, pid: ${id}`,
    component: 'kubelet',
    host,
  });
}

/**
 * Records the kernel log line from which node-problem-detector makes an event (config/kernel-monitor.json, OOMKilling).
 */
function reportOom({ cluster, store }: Simulation, pod: StoredObject, victim: string): void {
  const host = podSpec(pod).nodeName ?? '';
  const node = store.get('nodes', undefined, host);
  if (node === undefined) return;
  const random = cluster.random('oom', pod.metadata.uid, cluster.clock.now());
  const [id, total, resident] = [
    random.int(1000, 60_000),
    random.int(400_000, 900_000),
    random.int(100_000, 260_000),
  ];
  recordEvent(cluster, node, {
    type: 'Warning',
    reason: 'OOMKilling',
    message: `Memory cgroup out of memory: Killed process ${id} (${victim}) total-vm:${total}kB, anon-rss:${resident}kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:700kB oom_score_adj:985`,
    component: 'kernel-monitor',
    host,
  });
}

function evict(simulation: Simulation, event: Event<'evict'>): void {
  for (const pod of podsOf(simulation, event))
    simulation.kubelets.worker(pod.metadata.uid)?.evict(evictionMessage(pod, event));
}

function setOfSpec(simulation: Simulation, event: Event<'suspend' | 'pause' | 'scale'>): void {
  const { resource, object } = workloadOf(simulation, event.namespace, event.workload);
  const fields = fieldsOf(event);
  simulation.store.update(resource, object.metadata.namespace, object.metadata.name, (changed) => {
    changed.spec = { ...changed.spec, ...fields };
    return bumped(changed);
  });
}

function fieldsOf(event: Event<'suspend' | 'pause' | 'scale'>): Readonly<Record<string, unknown>> {
  switch (event.action) {
    case 'scale':
      return { replicas: event.replicas };
    case 'pause':
      return { paused: event.on };
    case 'suspend':
      return { suspend: event.on };
  }
}

function rotate(simulation: Simulation, event: Event<'rotate'>): void {
  for (const { container } of containersOf(simulation, event)) {
    container.flush();
    if (container.containerId !== undefined) simulation.runtime.rotate(container.containerId);
  }
}

/** Changes the behavior of a workload's containers; running containers continue with the new one. */
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
