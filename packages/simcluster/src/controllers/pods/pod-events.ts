import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { recordEvent } from '../event-recorder.ts';
import { podSpec } from '../objects.ts';
import type { ContainerWorker } from './container-worker.ts';

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

/** Records that the node has the image of a container. */
export function pulledEvent(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  const { image } = container.setup.spec;
  if (container.isPulled)
    podEvent(cluster, pod, ['Normal', 'Pulling', `Pulling image "${image}"`], container);
  const pulled = container.isPulled
    ? `Successfully pulled image "${image}" in 1.214s (1.214s including waiting). Image size: 51298201 bytes.`
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
