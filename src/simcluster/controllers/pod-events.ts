import type { StoredObject } from '../store.ts';
import type { Cluster } from './cluster.ts';
import type { ContainerWorker } from './container-worker.ts';
import { recordEvent } from './event-recorder.ts';
import { podSpec } from './objects.ts';
import { pullError } from './restart-rules.ts';

type Type = 'Normal' | 'Warning';

const LISTS = {
  init: 'initContainers',
  sidecar: 'initContainers',
  regular: 'containers',
  ephemeral: 'ephemeralContainers',
} as const;

/** An event of the kubelet about a pod, or about one of its containers. */
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

/** What a kubelet says when it starts a container. */
export function startEvents(cluster: Cluster, pod: StoredObject, container: ContainerWorker): void {
  const { image } = container.setup.spec;
  const pulled = `Container image "${image}" already present on machine and can be accessed by the pod`;
  podEvent(cluster, pod, ['Normal', 'Pulled', pulled], container);
  podEvent(cluster, pod, ['Normal', 'Created', 'Container created'], container);
  podEvent(cluster, pod, ['Normal', 'Started', 'Container started'], container);
}

/** An image that cannot be pulled: the state of its container and the events that go with it. */
export function failPull(
  cluster: Cluster,
  pod: StoredObject,
  container: ContainerWorker,
  pulling: boolean,
): void {
  const { image } = container.setup.spec;
  const why = pullError(image);
  const event = (type: Type, reason: string, message: string) =>
    podEvent(cluster, pod, [type, reason, message], container);
  if (pulling) {
    event('Normal', 'Pulling', `Pulling image "${image}"`);
    event('Warning', 'Failed', `Failed to pull image "${image}": ${why}`);
    event('Warning', 'Failed', 'Error: ErrImagePull');
    container.state = { kind: 'waiting', reason: 'ErrImagePull', message: why };
    return;
  }
  const message = `Back-off pulling image "${image}"`;
  event('Normal', 'BackOff', message);
  event('Warning', 'Failed', 'Error: ImagePullBackOff');
  container.state = {
    kind: 'waiting',
    reason: 'ImagePullBackOff',
    message: `${message}: ErrImagePull: ${why}`,
  };
}
