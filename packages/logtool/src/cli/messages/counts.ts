import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import { gapCauseText } from '../../messages/gap.ts';
import { type Gap, gapLine, gapsLine } from './gap.ts';
import { MAX_SINGLE, targetText } from './target-text.ts';

/** Reports a container whose records in the range were not all counted. */
export function incompleteLine(target: ContainerTarget, counted: Interval | undefined): string {
  const state =
    counted?.to === undefined
      ? 'logtool counted no records'
      : `logtool counted only records before ${formatTimestamp(counted.to)}`;
  return `! ${targetText(target)}: ${state}`;
}

/** Reports what the nodes no longer have of the range: one line for many containers and one cause. */
export function lostLines(gaps: readonly Gap[]): readonly string[] {
  const byCause = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const text = gapCauseText(gap.cause);
    byCause.set(text, [...(byCause.get(text) ?? []), gap]);
  }
  return [...byCause.values()].flatMap((own) => {
    const [first, ...others] = own;
    if (first === undefined || own.length <= MAX_SINGLE) return own.map(gapLine);
    return [gapsLine([first, ...others])];
  });
}
