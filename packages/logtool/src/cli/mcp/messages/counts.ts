import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Interval } from '../../../domain/coverage/interval.ts';
import { targetText } from '../../messages/target-text.ts';

export interface CountTotal {
  readonly records: number;
  readonly matches: number;
  readonly bucketMs: number;
  /** Buckets that are not shown. */
  readonly left: number;
  /** Not the whole range was counted. */
  readonly isIncomplete: boolean;
  readonly containers: number;
  readonly isFiltered: boolean;
}

/** Summarizes what was counted. */
export function totalText({
  records,
  matches,
  bucketMs,
  left,
  isIncomplete,
  containers,
  isFiltered,
}: CountTotal): string {
  const of = containers === 1 ? '1 container' : `${containers} containers`;
  const all = records === 1 ? '1 record' : `${records} records`;
  const what = isFiltered
    ? `${matches} of ${all} of ${of} ${matches === 1 ? 'matches' : 'match'}`
    : `${all} of ${of}`;
  const range = isIncomplete ? '; logtool did not count the whole range' : '';
  const shown = left === 0 ? '' : `; the first ${left} buckets do not fit`;
  return `${what}, in buckets of ${bucketMs / 1000} s, without empty ones${range}${shown}`;
}

/** Describes a container whose records in the range were not all counted. */
export function incompleteText(target: ContainerTarget, counted: Interval | undefined): string {
  return counted?.to === undefined
    ? `${targetText(target)}: logtool counted no records`
    : `${targetText(target)}: logtool counted only records before ${formatTimestamp(counted.to)}`;
}
