import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { answerWithin } from '../review/answer-within.ts';
import { choiceNeeded, containerNotValid, podNotFound, waitingToStart } from '../status/log-status.ts';
import { type Status, unavailable } from '../status/status.ts';

export interface PodName {
  readonly namespace: string;
  readonly pod: string;
}

interface State {
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: object;
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: State;
  readonly lastState?: State;
}

type Containers = readonly { readonly name: string }[] | undefined;

interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: Containers;
    readonly initContainers?: Containers;
    readonly ephemeralContainers?: Containers;
  };
  readonly status?: {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

/** Which container's files to ask which node for. */
export interface PodToRead {
  readonly node: string;
  readonly uid: string;
  readonly container: string;
}

export interface PodLookup {
  readonly client: Pick<KubeClient, 'get'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Asks the API server where a pod runs, and which of its containers is meant; `undefined` as the node: on none yet.
 * What it refuses is refused in the words of core.
 */
export async function findPod(
  asked: PodName,
  container: string,
  lookup: PodLookup,
): Promise<PodToRead | { readonly node: undefined } | { readonly status: Status; readonly cause?: unknown }> {
  const { namespace, pod: name } = asked;
  const { client, clock, signal } = lookup;
  const found = await answerWithin(
    clock,
    (limit) => client.get<Pod>(PODS, { namespace, name }, { signal: limit }),
    signal,
  );
  if ('unanswered' in found) {
    if (isKubeError(found.unanswered, 'not-found')) return { status: podNotFound(name) };
    return { status: unavailable('pod'), cause: found.unanswered };
  }
  const pod = found.answer;
  const chosen = chooseContainer(pod, container);
  if ('status' in chosen) return chosen;
  const node = pod.spec?.nodeName ?? '';
  if (node === '') return { node: undefined };
  const waiting = waitingReason(pod, chosen.container);
  if (waiting !== undefined) return { status: waitingToStart(chosen.container, name, waiting) };
  return { node, uid: pod.metadata.uid, container: chosen.container };
}

const namesOf = (containers: Containers) => (containers ?? []).map(({ name }) => name);

/** As core chooses: the only regular container, whatever others there are (registry/core/pod: LogLocation). */
function chooseContainer(
  { spec, metadata }: Pod,
  asked: string,
): { readonly container: string } | { readonly status: Status } {
  const regular = namesOf(spec?.containers);
  const init = namesOf(spec?.initContainers);
  if (asked !== '') {
    const exists = [...regular, ...init, ...namesOf(spec?.ephemeralContainers)].includes(asked);
    return exists ? { container: asked } : { status: containerNotValid(asked, metadata.name) };
  }
  const [only, another] = regular;
  if (only !== undefined && another === undefined) return { container: only };
  return { status: choiceNeeded('container', metadata.name, [...init, ...regular]) };
}

/** Returns why a container that never ran has not started; undefined if it has, or may have (pkg/kubelet: kubelet_pods). */
function waitingReason({ spec, status }: Pod, container: string): string | undefined {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  const reported = all.find(({ name }) => name === container);
  if (reported?.state === undefined) {
    return namesOf(spec?.initContainers).length > 0 ? 'PodInitializing' : 'ContainerCreating';
  }
  const { state, lastState } = reported;
  if (state.waiting === undefined || lastState?.terminated !== undefined) return undefined;
  return state.waiting.reason ?? '';
}
