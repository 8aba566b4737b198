import type { Inspection } from '../failures.ts';
import { type ImageTrouble, isImageReason, pullCause } from './image-trouble.ts';
import type { LiveObject } from './readiness.ts';

/** The obstacle to readiness, and the command that shows more of it. */
export interface Trouble {
  readonly why: string;
  readonly inspect: Inspection;
  /** A container waits for its image. */
  readonly image?: ImageTrouble | undefined;
}

/** The trouble of a pod; `isVague` where an event of the pod may say more. */
export interface PodTrouble extends Trouble {
  /** The same for pods that have the same trouble. */
  readonly kind: string;
  readonly isVague: boolean;
}

interface Terminated {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerStatus {
  readonly name?: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
}

/** What a container waits for that has only just come. */
const ON_ITS_WAY = new Set(['', 'ContainerCreating', 'PodInitializing']);

/**
 * What keeps a pod from being ready, or has made it fail, by its status
 * (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/). Undefined: it is ready, or has ended well.
 */
export function podTrouble(pod: LiveObject): PodTrouble | undefined {
  const { name, namespace } = pod.metadata;
  const { phase, conditions = [], reason, message } = pod.status ?? {};
  const describe = descriptionOf('pod', name, namespace);
  const conditionOf = (type: string) => conditions.find((condition) => condition?.type === type);
  const scheduled = conditionOf('PodScheduled');
  if (scheduled?.status === 'False')
    return trouble('unscheduled', `no node takes the pod ${name}: ${scheduled.message ?? ''}`, describe);
  if (phase === 'Succeeded' || conditionOf('Ready')?.status === 'True') return undefined;
  for (const status of containersOf(pod)) {
    const found = containerTrouble(pod, status);
    if (found !== undefined) return found;
  }
  if (phase === 'Failed')
    return trouble('failed', `the pod ${name} has failed: ${texts(reason, message)}`, describe);
  const waits = phase === 'Running' ? 'runs and is not ready' : 'has not started';
  return { ...trouble(waits, `the pod ${name} ${waits}`, describe), isVague: true };
}

function containerTrouble(pod: LiveObject, status: ContainerStatus): PodTrouble | undefined {
  const { name = '', state = {}, lastState = {} } = status;
  const who = `the container ${name} of the pod ${pod.metadata.name}`;
  const { waiting, terminated } = state;
  // The logs show the run before a restart by themselves.
  const { name: podName, namespace } = pod.metadata;
  const logs: Inspection = { kind: 'logs', pod: podName, container: name, namespace };
  const { reason = '' } = waiting ?? {};
  if (waiting !== undefined && !ON_ITS_WAY.has(reason)) {
    const kind = `${name} ${reason}`;
    if (reason === 'CrashLoopBackOff')
      return trouble(kind, `${who}: ${reason}, ${ended('its last run', lastState.terminated)}`, logs);
    return {
      ...trouble(kind, `${who}: ${texts(reason, waiting.message)}`, descriptionOf('pod', podName, namespace)),
      ...imageOf(pod, status, who),
    };
  }
  const failure = terminated ?? lastState.terminated;
  if (failure === undefined || failure.exitCode === 0 || status.ready === true) return undefined;
  const run = terminated === undefined ? 'its last run' : 'it';
  return trouble(`${name} ended`, `${who}: ${ended(run, failure)}`, logs);
}

/**
 * Why a container waits for its image; kubelets report an image that has to run as root under another reason.
 */
function imageOf(
  { metadata }: LiveObject,
  { image = '', state }: ContainerStatus,
  who: string,
): Pick<Trouble, 'image'> {
  const { reason = '', message = '' } = state?.waiting ?? {};
  const isOfImage =
    isImageReason(reason) || (reason === 'CreateContainerConfigError' && /\bimage\b/.test(message));
  if (!isOfImage) return {};
  const { name: pod, namespace } = metadata;
  return { image: { image, reason, cause: pullCause(message), who, pod, namespace, isOld: false } };
}

function ended(what: string, { exitCode, reason = '', message = '' }: Terminated = {}): string {
  if (exitCode === undefined) return `${what} has ended`;
  return `${what} ended with the exit code ${exitCode}${reason === '' ? '' : ` (${reason})`}${message === '' ? '' : `: ${message}`}`;
}

function trouble(kind: string, why: string, inspect: Inspection): PodTrouble {
  return { kind, why, inspect, isVague: false };
}

/** What the cluster says of an object. */
export function descriptionOf(resource: string, name: string, namespace: string | undefined): Inspection {
  return { kind: 'describe', resource, name, namespace };
}

const texts = (...parts: readonly unknown[]) =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(': ');

function containersOf({ status }: LiveObject): readonly ContainerStatus[] {
  return [status?.initContainerStatuses, status?.containerStatuses].flatMap((held: unknown) =>
    Array.isArray(held) ? (held as (ContainerStatus | null)[]).filter((one) => one !== null) : [],
  );
}
