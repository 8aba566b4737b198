import type { ContainerTarget } from '@logtool/logtool/src/domain/container.ts';
import { type LogRecord, makeRun } from '@logtool/logtool/src/domain/record.ts';

/** Returns a running container of the pod web. */
export function containerNamed(container: string): ContainerTarget {
  return {
    id: `pod/${container}`,
    namespace: 'shop',
    pod: 'web',
    podUid: 'pod',
    container,
    kind: 'regular',
    placement: {},
    state: { kind: 'running', containerId: 'c', startedAt: undefined },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
  };
}

/** Returns records of one container with these messages, a second apart. */
export function recordsWith(messages: readonly string[]): LogRecord[] {
  const run = makeRun(containerNamed('main'), 'c');
  return messages.map((text, seq) => ({
    run,
    seq,
    at: { seconds: seq, nanos: 0 },
    message: Buffer.from(text),
    partial: false,
    late: false,
  }));
}
