import type { Inspection } from '../failures.ts';
import { type ImageTrouble, isImageReason, pullCause } from './image-trouble.ts';
import type { ContainerEnd, PodProblem } from './obstacle.ts';
import type { LiveObject } from './readiness.ts';

/** The trouble of a pod, and the command that shows more. */
export interface PodTrouble {
  readonly problem: PodProblem;
  readonly inspect: Inspection;
  /** Set if a container waits for its image. */
  readonly image?: ImageTrouble | undefined;
  /** Equal for pods with the same trouble. */
  readonly kind: string;
  /** Whether an event of the pod may give more detail. */
  readonly isVague: boolean;
}

interface ContainerStatus {
  readonly name?: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: ContainerEnd;
  };
  readonly lastState?: { readonly terminated?: ContainerEnd };
}

/** Reasons with which a new container normally waits. */
const ON_ITS_WAY = new Set(['', 'ContainerCreating', 'PodInitializing']);

/**
 * Returns what keeps a pod from being ready, or made it fail, by its status
 * (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/). Undefined if it is ready or has succeeded.
 */
export function podTrouble(pod: LiveObject): PodTrouble | undefined {
  const { name, namespace } = pod.metadata;
  const { phase, conditions = [], reason, message } = pod.status ?? {};
  const describe = descriptionOf('pod', name, namespace);
  const conditionOf = (type: string) => conditions.find((condition) => condition?.type === type);
  const scheduled = conditionOf('PodScheduled');
  if (scheduled?.status === 'False') {
    const unscheduled = { of: 'unscheduled', pod: name, message: scheduled.message ?? '' } as const;
    return trouble('unscheduled', unscheduled, describe);
  }
  if (phase === 'Succeeded' || conditionOf('Ready')?.status === 'True') return undefined;
  for (const status of containersOf(pod)) {
    const found = containerTrouble(pod, status);
    if (found !== undefined) return found;
  }
  if (phase === 'Failed') {
    const failed = { of: 'failed', pod: name, reason: textIn(reason), message: textIn(message) } as const;
    return trouble('failed', failed, describe);
  }
  const of = phase === 'Running' ? 'not-ready' : 'not-started';
  return { ...trouble(of, { of, pod: name }, describe), isVague: true };
}

const textIn = (held: unknown) => (typeof held === 'string' && held !== '' ? held : undefined);

function containerTrouble(pod: LiveObject, status: ContainerStatus): PodTrouble | undefined {
  const { name = '', state = {}, lastState = {} } = status;
  const { name: podName, namespace } = pod.metadata;
  const ref = { pod: podName, container: name };
  const { waiting, terminated } = state;
  // The logs command shows the previous run by default.
  const logs: Inspection = { kind: 'logs', pod: podName, container: name, namespace };
  const { reason = '', message = '' } = waiting ?? {};
  if (waiting !== undefined && !ON_ITS_WAY.has(reason)) {
    const kind = `${name} ${reason}`;
    if (reason === 'CrashLoopBackOff') {
      const end = endOf(lastState.terminated);
      return trouble(kind, { of: 'container-crashing', ...ref, reason, end }, logs);
    }
    const describe = descriptionOf('pod', podName, namespace);
    return {
      ...trouble(kind, { of: 'container-waiting', ...ref, reason, message }, describe),
      ...imageOf(pod, status),
    };
  }
  const failure = terminated ?? lastState.terminated;
  if (failure === undefined || failure.exitCode === 0 || status.ready === true) return undefined;
  const isPrevious = terminated === undefined;
  return trouble(`${name} ended`, { of: 'container-ended', ...ref, end: endOf(failure), isPrevious }, logs);
}

/** Returns only the fields of the status that describe the end. */
function endOf({ exitCode, reason, message }: ContainerEnd = {}): ContainerEnd {
  return { exitCode, reason, message };
}

/** Returns why a container waits for its image; kubelets report an image that runs as root under another reason. */
function imageOf(
  { metadata }: LiveObject,
  { name: container = '', image = '', state }: ContainerStatus,
): Pick<PodTrouble, 'image'> {
  const { reason = '', message = '' } = state?.waiting ?? {};
  const isOfImage =
    isImageReason(reason) || (reason === 'CreateContainerConfigError' && /\bimage\b/.test(message));
  if (!isOfImage) return {};
  const { name: pod, namespace } = metadata;
  return { image: { image, reason, cause: pullCause(message), container, pod, namespace, isOld: false } };
}

function trouble(kind: string, problem: PodProblem, inspect: Inspection): PodTrouble {
  return { kind, problem, inspect, isVague: false };
}

/** Returns the command that describes an object. */
export function descriptionOf(resource: string, name: string, namespace: string | undefined): Inspection {
  return { kind: 'describe', resource, name, namespace };
}

function containersOf({ status }: LiveObject): readonly ContainerStatus[] {
  return [status?.initContainerStatuses, status?.containerStatuses].flatMap((held: unknown) =>
    Array.isArray(held) ? (held as (ContainerStatus | null)[]).filter((one) => one !== null) : [],
  );
}
