import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerKind, ContainerState, RunEnd } from '../../domain/container.ts';
import { countOf, listOf, textOf } from './read-json.ts';
import { policyOf, type RestartPolicy, restartsAgain } from './restart-policy.ts';

/** One container of a pod: from its spec, joined with its status if the kubelet has reported one. */
export interface ContainerFacts {
  readonly name: string;
  /** As the spec gives it. */
  readonly image: string | undefined;
  readonly kind: ContainerKind;
  readonly state: ContainerState;
  readonly restartCount: number;
  readonly lastContainerId: string | undefined;
  readonly lastEnd: RunEnd | undefined;
  readonly lastStartedAt: Timestamp | undefined;
  readonly mayRestart: boolean;
}

interface PodLife {
  readonly phase: string;
  readonly deleting: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns all containers of a pod in the order in which they start: init and sidecar containers in spec order, then the
 * regular, then the ephemeral ones. `pod` is the object as the API returns it.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */
export function readContainers(pod: Json, life: PodLife): readonly ContainerFacts[] {
  const spec = asRecord(pod.spec) ?? {};
  const status = asRecord(pod.status) ?? {};
  const podPolicy = textOf(spec.restartPolicy);
  const notStarted = reasonNotStarted(status, textOf(spec.nodeName));
  const join = (containers: unknown, statuses: unknown, kindOf: (container: Json) => ContainerKind) => {
    const byName = new Map(listOf(statuses).map((entry) => [textOf(entry.name), entry]));
    return listOf(containers).flatMap((container) => {
      const name = textOf(container.name);
      if (name === undefined) return [];
      const kind = kindOf(container);
      const policy = policyOf(kind, container, podPolicy);
      const image = oneText(textOf(container.image));
      return [readContainer({ name, kind, image }, policy, byName.get(name), notStarted, life)];
    });
  };
  return [
    ...join(spec.initContainers, status.initContainerStatuses, (container) =>
      container.restartPolicy === 'Always' ? 'sidecar' : 'init',
    ),
    ...join(spec.containers, status.containerStatuses, () => 'regular'),
    ...join(spec.ephemeralContainers, status.ephemeralContainerStatuses, () => 'ephemeral'),
  ];
}

/** Thousands of containers share a few images. Keep each text once, and clear the map when it has too many. */
const texts = new Map<string, string>();
const MAX_TEXTS = 1_000;

function oneText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}

function readContainer(
  { name, kind, image }: Pick<ContainerFacts, 'name' | 'kind' | 'image'>,
  policy: RestartPolicy,
  status: Json | undefined,
  notStarted: { readonly reason: string; readonly message: string },
  life: PodLife,
): ContainerFacts {
  const state = readState(status) ?? { kind: 'waiting', ...notStarted };
  const last = asRecord(asRecord(status?.lastState)?.terminated);
  const over = isOver(life.phase) || life.deleting;
  return {
    name,
    kind,
    image,
    state,
    restartCount: countOf(status?.restartCount) ?? 0,
    lastContainerId: textOf(last?.containerID),
    lastEnd: last && endOf(last),
    lastStartedAt: timeOf(last?.startedAt),
    mayRestart: !over && restartsAgain(policy, state),
  };
}

function endOf({ exitCode, reason }: Json): RunEnd {
  return { exitCode: typeof exitCode === 'number' ? exitCode : 0, reason: textOf(reason) ?? '' };
}

function readState(status: Json | undefined): ContainerState | undefined {
  const state = asRecord(status?.state);
  const containerId = textOf(status?.containerID) ?? '';
  const running = asRecord(state?.running);
  if (running !== undefined) return { kind: 'running', containerId, startedAt: timeOf(running.startedAt) };
  const terminated = asRecord(state?.terminated);
  if (terminated !== undefined) {
    return {
      kind: 'terminated',
      containerId: textOf(terminated.containerID) ?? containerId,
      ...endOf(terminated),
      startedAt: timeOf(terminated.startedAt),
      finishedAt: timeOf(terminated.finishedAt),
    };
  }
  const waiting = asRecord(state?.waiting);
  if (waiting === undefined) return undefined;
  return {
    kind: 'waiting',
    reason: textOf(waiting.reason) ?? 'Waiting',
    message: textOf(waiting.message) ?? '',
  };
}

/**
 * Returns why a container without a status does not run: the pod was evicted, has no node yet, or is about to start.
 */
function reasonNotStarted(status: Json, node: string | undefined): { reason: string; message: string } {
  const reason = textOf(status.reason);
  if (reason !== undefined) return { reason, message: textOf(status.message) ?? '' };
  const unscheduled = listOf(status.conditions).find(
    (condition) => condition.type === 'PodScheduled' && condition.status === 'False',
  );
  if (unscheduled !== undefined) {
    return { reason: textOf(unscheduled.reason) ?? 'Pending', message: textOf(unscheduled.message) ?? '' };
  }
  return { reason: node === undefined ? 'Pending' : 'ContainerCreating', message: '' };
}

function timeOf(value: unknown): Timestamp | undefined {
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** Returns whether the pod is over, so that none of its containers runs again. */
export function isOver(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
