import type { ContainerLogAnswer } from '../node-agent.ts';
import type { StoredObject } from '../store/store.ts';

/** The container whose log to read, or the kubelet's error. */
export type ContainerToRead =
  | { readonly kind: 'container'; readonly containerId: string }
  | ContainerLogAnswer;

interface StateFields {
  readonly waiting?: { readonly reason?: string };
  readonly running?: object;
  readonly terminated?: { readonly containerID?: string };
}

interface StatusFields {
  readonly name: string;
  readonly containerID?: string;
  readonly state?: StateFields;
  readonly lastState?: StateFields;
}

interface PodStatusFields {
  readonly containerStatuses?: readonly StatusFields[];
  readonly initContainerStatuses?: readonly StatusFields[];
  readonly ephemeralContainerStatuses?: readonly StatusFields[];
}

/**
 * Returns which run the kubelet reads for a container, based on the pod's reported status: right after a restart, that
 * is still the previous run. The rules and texts are those of validateContainerLogStatus (pkg/kubelet/kubelet_pods.go).
 */
export function containerToRead(pod: StoredObject, container: string, previous: boolean): ContainerToRead {
  const name = `container "${container}" in pod "${pod.metadata.name}"`;
  const status = statusOf(pod, container);
  const last = status.lastState?.terminated?.containerID ?? '';
  const state = status.state ?? {};
  if (previous) return last === '' ? badRequest(`previous terminated ${name} not found`) : found(last);
  if (state.running !== undefined) return found(status.containerID ?? '');
  const ended = state.terminated?.containerID ?? '';
  if (ended !== '') return found(ended);
  if (state.terminated !== undefined || status.lastState?.terminated !== undefined) {
    return last === '' ? badRequest(`${name} is terminated`) : found(last);
  }
  if (state.waiting === undefined) return badRequest(`${name} is waiting to start - no logs yet`);
  return badRequest(`${name} is waiting to start: ${waitingText(state.waiting.reason ?? '')}`);
}

function waitingText(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  if (reason === 'ImagePullBackOff') return 'trying and failing to pull image';
  return reason;
}

/**
 * Returns the status; a container that the kubelet has not reported yet counts as waiting, as in
 * convertToAPIContainerStatuses.
 */
function statusOf(pod: StoredObject, container: string): StatusFields {
  const reported = (pod.status ?? {}) as PodStatusFields;
  const all = [
    ...(reported.containerStatuses ?? []),
    ...(reported.initContainerStatuses ?? []),
    ...(reported.ephemeralContainerStatuses ?? []),
  ];
  const status = all.find((candidate) => candidate.name === container);
  if (status?.state !== undefined) return status;
  const initContainers = pod.spec?.initContainers;
  const hasInit = Array.isArray(initContainers) && initContainers.length > 0;
  const reason = hasInit ? 'PodInitializing' : 'ContainerCreating';
  return { ...status, name: container, state: { waiting: { reason } } };
}

function found(containerId: string): ContainerToRead {
  return { kind: 'container', containerId };
}

function badRequest(message: string): ContainerLogAnswer {
  return { kind: 'status', code: 400, reason: 'BadRequest', message };
}
