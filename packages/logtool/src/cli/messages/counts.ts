import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import { targetText } from './target-text.ts';

/** Reports a container whose records in the range were not all counted. */
export function incompleteLine(target: ContainerTarget, counted: Interval | undefined): string {
  const state =
    counted?.to === undefined
      ? 'no record was counted'
      : `only records before ${formatTimestamp(counted.to)} were counted`;
  return `! ${targetText(target)}: ${state}`;
}
