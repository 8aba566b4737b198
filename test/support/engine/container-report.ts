import type { ContainerReport } from '@logtool/logtool/src/domain/frame.ts';

/** Returns a state by its name: `detail` is its reason, the number of restarts, or the cause. */
export function sourceState<E>(
  state: ContainerReport['state'],
  detail: string,
  error: E,
): ContainerReport<E> {
  switch (state) {
    case 'joined':
    case 'reconnected':
      return { state };
    case 'waiting':
      return { state, reason: detail };
    case 'restarted':
      return { state, count: Number.parseInt(detail, 10) };
    case 'reconnecting':
      return { state, why: detail, error };
    case 'finished':
      return { state, reason: detail, exitCode: 0 };
    case 'left':
      return { state, why: 'deleted' };
    case 'failed':
      return { state, error };
  }
}
