import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { ContainerExit, Workload } from '../../contract/workload.ts';
import { PULL_REASONS, registryAnswer } from '../../domain/verdicts/image-pulls.ts';
import { listOf, textOf } from '../../resolve/pods/read-json.ts';
import { isTrouble } from './pod-status.ts';

type Json = Readonly<Record<string, unknown>>;

const MAX_MESSAGE_CHARS = 600;

/**
 * Returns how each of a pod's containers ended last, the newest first. Skips successful ends of init containers, and of
 * containers that have not restarted.
 */
export function exitsOf(object: KubeObject): readonly ContainerExit[] {
  const pod = object as unknown as Json;
  const status = asRecord(pod.status) ?? {};
  const statuses = [
    ...listOf(status.containerStatuses).map((container) => ({ container, isInit: false })),
    ...listOf(status.initContainerStatuses).map((container) => ({ container, isInit: true })),
  ];
  const exits = statuses.flatMap(({ container, isInit }): readonly ContainerExit[] => {
    const exit = exitOf(container, isInit);
    if (exit === undefined) return [];
    const memoryLimit = memoryLimitOf(pod, container.name);
    return [{ pod: object.metadata.name, container: textOf(container.name) ?? '', ...exit, memoryLimit }];
  });
  return newestFirst(exits);
}

/** RFC 3339 in UTC, as the API writes it, sorts as text. */
export function newestFirst<T extends Pick<ContainerExit, 'at'>>(exits: readonly T[]): readonly T[] {
  return exits.toSorted((a, b) => (a.at === b.at ? 0 : a.at > b.at ? -1 : 1));
}

type Exit = Pick<ContainerExit, 'at' | 'exitCode' | 'reason'>;

function exitOf({ state, lastState }: Json, isInit: boolean): Exit | undefined {
  const present = readExit(state);
  if (present !== undefined && present.exitCode !== 0) return present;
  const before = readExit(lastState);
  return isInit && before?.exitCode === 0 ? undefined : before;
}

function readExit(state: unknown): Exit | undefined {
  const terminated = asRecord(asRecord(state)?.terminated);
  const at = textOf(terminated?.finishedAt);
  if (terminated === undefined || at === undefined) return undefined;
  const { exitCode } = terminated;
  return {
    at,
    exitCode: Number.isSafeInteger(exitCode) ? Number(exitCode) : 0,
    reason: textOf(terminated.reason),
  };
}

/** Returns the first container that waits because something is wrong. */
export function waitingOf(pod: Json): Workload['waiting'] {
  const status = asRecord(pod.status) ?? {};
  for (const list of [status.initContainerStatuses, status.containerStatuses]) {
    for (const container of listOf(list)) {
      const waiting = asRecord(asRecord(container.state)?.waiting);
      const reason = textOf(waiting?.reason);
      if (reason === undefined || !isTrouble(reason)) continue;
      const message = textOf(waiting?.message)?.slice(0, MAX_MESSAGE_CHARS);
      const state = { container: textOf(container.name) ?? '', reason, message };
      if (!PULL_REASONS.includes(reason)) return state;
      const image = textOf(containerOf(pod, container.name)?.image);
      return { ...state, image, message: registryAnswer(message ?? '') };
    }
  }
  return undefined;
}

function memoryLimitOf(pod: Json, name: unknown): string | undefined {
  return textOf(asRecord(asRecord(containerOf(pod, name)?.resources)?.limits)?.memory);
}

/** Returns a container of the spec. */
function containerOf(pod: Json, name: unknown): Json | undefined {
  const spec = asRecord(pod.spec) ?? {};
  return [...listOf(spec.initContainers), ...listOf(spec.containers)].find((each) => each.name === name);
}
