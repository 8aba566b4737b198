import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import type { ContainerWorker } from './container-worker.ts';
import type { ImageRefusal } from './image-refusal.ts';
import { podEvent, pulledEvent, pullingEvent } from './pod-events.ts';

export interface PullOptions {
  readonly cluster: Cluster;
  readonly pod: () => StoredObject;
  /** Whether the container no longer waits for the image. */
  readonly isOver: () => boolean;
  readonly publish: () => void;
  /** Called when the node has the image. */
  readonly onImage: () => void;
}

/** Time between a failed pull and the next sync of the pod, which reports that the kubelet backs off. */
const RECHECK_MS = 3_000;
/** Time between the end of a back-off and the sync that notices it. */
const SYNC_MS = 1_000;
/**
 * The back-off begins with the failed pull, and is first 10 s:
 * https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff
 */
const FIRST_BACK_OFF_MS = 10_000;

/**
 * Gets a container its image as a kubelet does: ErrImagePull and ImagePullBackOff alternate, at growing intervals,
 * until a pull succeeds. The kubelet keeps checking an invalid name, and an image that it may not pull.
 */
export function bringImage(container: ContainerWorker, options: PullOptions): void {
  const { cluster, pod, isOver } = options;
  if (isOver()) return;
  const pullMs = container.pullMs();
  if (pullMs > 0) {
    pullingEvent(cluster, pod(), container);
    cluster.clock.after(pullMs, () => {
      if (!isOver()) tryImage(container, options, pullMs);
    });
    return;
  }
  tryImage(container, options);
}

/** `pullMs`: how long the pull took, which an event has reported; undefined if none has. */
function tryImage(container: ContainerWorker, options: PullOptions, pullMs?: number): void {
  const { cluster, pod, isOver, publish, onImage } = options;
  container.pulledMs = pullMs;
  const refusal = container.tryImage();
  if (refusal === undefined) {
    onImage();
    return;
  }
  refuse(cluster, pod(), container, refusal);
  publish();
  cluster.clock.after(RECHECK_MS, () => {
    if (isOver()) return;
    if (refusal.reason !== 'ErrImagePull') {
      bringImage(container, options);
      return;
    }
    backOff(cluster, pod(), container, refusal);
    publish();
    const backOffMs = Math.max(FIRST_BACK_OFF_MS, container.nextBackOffMs());
    cluster.clock.after(backOffMs - RECHECK_MS + SYNC_MS, () => bringImage(container, options));
  });
}

const FIRST_EVENTS = {
  InvalidImageName: 'InspectFailed',
  ErrImageNeverPull: 'ErrImageNeverPull',
} as const;

/** Sets the state of a container without its image, and records the events. */
function refuse(
  cluster: Cluster,
  pod: StoredObject,
  container: ContainerWorker,
  { reason, message }: ImageRefusal,
): void {
  const { image } = container.setup.spec;
  if (reason === 'ErrImagePull') {
    if (container.pulledMs === undefined) pullingEvent(cluster, pod, container);
    podEvent(cluster, pod, ['Warning', 'Failed', `Failed to pull image "${image}": ${message}`], container);
  }
  if (reason === 'CreateContainerConfigError' || reason === 'CreateContainerError') {
    // The image exists: kuberuntime_container.go, startContainer, reports that first.
    pulledEvent(cluster, pod, container);
    podEvent(cluster, pod, ['Warning', 'Failed', `Error: ${message}`], container);
  } else {
    if (reason !== 'ErrImagePull')
      podEvent(cluster, pod, ['Warning', FIRST_EVENTS[reason], message], container);
    podEvent(cluster, pod, ['Warning', 'Failed', `Error: ${reason}`], container);
  }
  container.state = { kind: 'waiting', reason, message };
}

function backOff(
  cluster: Cluster,
  pod: StoredObject,
  container: ContainerWorker,
  { reason, message: why }: ImageRefusal,
): void {
  const message = `Back-off pulling image "${container.setup.spec.image}"`;
  podEvent(cluster, pod, ['Normal', 'BackOff', message], container);
  podEvent(cluster, pod, ['Warning', 'Failed', 'Error: ImagePullBackOff'], container);
  container.state = { kind: 'waiting', reason: 'ImagePullBackOff', message: `${message}: ${reason}: ${why}` };
}
