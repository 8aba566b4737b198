import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec } from '../objects.ts';
import type { ContainerWorker } from './container-worker.ts';
import { goDuration } from './restart-rules.ts';

type Type = 'Normal' | 'Warning';

const LISTS = {
  init: 'initContainers',
  sidecar: 'initContainers',
  regular: 'containers',
  ephemeral: 'ephemeralContainers',
} as const;

/** Records an event of the kubelet about a pod, or about one of its containers. */
export function podEvent(
  cluster: Cluster,
  pod: StoredObject,
  [type, reason, message]: readonly [Type, string, string],
  container?: ContainerWorker,
): void {
  const fieldPath = container && `spec.${LISTS[container.kind]}{${container.name}}`;
  recordEvent(cluster, pod, {
    type,
    reason,
    message,
    component: 'kubelet',
    host: podSpec(pod).nodeName,
    fieldPath,
  });
}

/** Records that the kubelet begins to pull the image of a container. */
export function pullingEvent(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  const message = `Pulling image "${container.setup.spec.image}"`;
  podEvent(cluster, pod, ['Normal', 'Pulling', message], container);
}

/** Records that the node has the image of a container. */
export function pulledEvent(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  const { image } = container.setup.spec;
  const { pulledMs } = container;
  if (container.isPulled && pulledMs === undefined) pullingEvent(cluster, pod, container);
  const took = pulledMs === undefined ? '1.214s' : goDuration(pulledMs);
  const pulled = container.isPulled
    ? `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: 51298201 bytes.`
    : `Container image "${image}" already present on machine and can be accessed by the pod`;
  podEvent(cluster, pod, ['Normal', 'Pulled', pulled], container);
}

/** Records the events of a kubelet that starts a container. */
export function startEvents(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  createdEvents(cluster, pod, container);
  podEvent(cluster, pod, ['Normal', 'Started', 'Container started'], container);
}

/** Records the events of a kubelet whose runtime creates a container but cannot start it. */
export function failedStartEvents(
  cluster: Cluster,
  pod: StoredObject,
  container: ContainerWorker,
  error: string,
): void {
  createdEvents(cluster, pod, container);
  podEvent(cluster, pod, ['Warning', 'Failed', `Error: ${error}`], container);
}

function createdEvents(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  pulledEvent(cluster, pod, container);
  podEvent(cluster, pod, ['Normal', 'Created', 'Container created'], container);
}
