import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { findErrorOnset } from '../../../domain/coverage/error-onset.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { compareRecords } from '../../../domain/record.ts';
import type { LogProof, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { groupsOf } from '../groups-of.ts';
import { beginningOf } from './log-beginning.ts';
import type { Buckets, LogDigest } from './log-digest.ts';
import { type AllKinds, allKinds, MAX_NEW, newLinesBefore } from './new-lines.ts';

/** Buckets of a range; of a short one fewer, none less than a second. */
const MAX_BUCKETS = 480;
/** Where errors begin is the likeliest bucket: an error of a new kind belongs to it so many buckets before and later. */
const LEAD_BUCKETS = 4;
const ONSET_BUCKETS = 9;
/** Errors are over when none came for so long, in seconds, and for so many of their usual distances. */
const QUIET_SECONDS = 60;
const QUIET_DISTANCES = 10;
const ERROR = LEVELS.indexOf('error');

/** Errors that begin in the log of one container of a workload. */
export interface LogErrors extends LogProof {
  readonly container: string;
  /** Those that wrote errors since then. */
  readonly targets: readonly ContainerTarget[];
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** Records of the level error or fatal since then, of what was read. */
  readonly errors: number;
  readonly isOver: boolean;
  /** Too little was read before to call anything new. */
  readonly isBaselineShort: boolean;
  /** Containers with more kinds of lines than are distinguished: of further ones it is not known whether they are new. */
  readonly full: readonly ContainerTarget[];
}

/** Errors whose beginning is not in what was read. */
export interface SteadyErrors {
  readonly target: ContainerTarget;
  readonly errors: number;
}

export interface FoundErrors {
  /** In the order of their first errors. */
  readonly begun: readonly LogErrors[];
  readonly steady: readonly SteadyErrors[];
}

/** How a range is divided. */
export function bucketsOf(from: Timestamp, to: Timestamp): Buckets {
  const seconds = Math.max(1, to.seconds - from.seconds + 1);
  const width = Math.max(1, Math.ceil(seconds / MAX_BUCKETS));
  return { from, width, count: Math.ceil(seconds / width) };
}

/**
 * Where errors begin in logs, by workload and name of the container (domain/coverage/error-onset): since when, how many, the
 * first of a kind that was not read before, and what else was new before it in any of the containers. Pure.
 */
export function findErrors(digests: readonly LogDigest[], from: Timestamp, to: Timestamp): FoundErrors {
  const buckets = bucketsOf(from, to);
  const all = allKinds(digests, from, to);
  const full = digests.filter(({ isFull }) => isFull).map(({ target }) => target);
  const begun: LogErrors[] = [];
  const steady: SteadyErrors[] = [];
  for (const group of groupsOf(digests, ({ target }) => speakerOf(target))) {
    const errors = Array.from({ length: buckets.count }, (_, bucket) =>
      group.reduce((sum, digest) => sum + (digest.errors[bucket] ?? 0), 0),
    );
    const onset = onsetOf(errors, beginningOfAll(group, from), buckets);
    const [{ target }] = group;
    const total = errors.reduce((sum, count) => sum + count, 0);
    if (onset !== undefined) begun.push(errorsFrom(group, { onset, buckets, all, full, to }));
    else if (total > 0) steady.push({ target, errors: total });
  }
  return { begun: begun.sort((a, b) => compareRecords(a.firstError.record, b.firstError.record)), steady };
}

/** The bucket in which errors begin, counted from the first that is known as a whole. */
function onsetOf(errors: readonly number[], begin: number, { from, width }: Buckets): number | undefined {
  const first = Math.max(0, Math.ceil((begin - from.seconds) / width));
  const onset = findErrorOnset(errors.slice(first));
  return onset === undefined ? undefined : first + onset;
}

function beginningOfAll(digests: readonly LogDigest[], from: Timestamp): number {
  return Math.min(...digests.map((digest) => beginningOf(digest, from).seconds));
}

/** Pods of one workload, or one pod by itself, and the name of the container. */
function speakerOf({ namespace, workload, pod, container }: ContainerTarget): string {
  return [namespace, workload?.ownerKind ?? 'Pod', workload?.name ?? pod, container].join('/');
}

interface Onset {
  readonly onset: number;
  readonly buckets: Buckets;
  readonly all: AllKinds;
  readonly full: readonly ContainerTarget[];
  readonly to: Timestamp;
}

function errorsFrom(
  group: readonly [LogDigest, ...LogDigest[]],
  { onset, buckets: { from, width }, all, full, to }: Onset,
): LogErrors {
  const begin = from.seconds + onset * width;
  const kind = newError(group, begin - LEAD_BUCKETS * width, begin + ONSET_BUCKETS * width);
  const ofKind = kind && Math.floor((kind.record.at.seconds - from.seconds) / width);
  const first = Math.min(onset, Math.max(0, ofKind ?? onset));
  const known = earliest(group.flatMap(({ firstErrors }) => firstErrors[first] ?? []));
  const firstError = (kind ?? known) as ShownLine;
  const since = (known ?? firstError).record.at;
  const writers = group.filter(({ errors }) => sumOf(errors.slice(first)) > 0);
  const until = group
    .flatMap(({ lastError }) => lastError ?? [])
    .reduce((a, b) => (compareTimestamps(b, a) > 0 ? b : a), since);
  const errors = writers.reduce((sum, digest) => sum + sumOf(digest.errors.slice(first)), 0);
  const newBefore = newLinesBefore(all, firstError.record);
  return {
    container: group[0].target.container,
    targets: writers.map(({ target }) => target),
    since,
    until,
    errors,
    isOver: isOver({ since, until, errors, to: endOf(group, from, to) }),
    firstError,
    isFirstNew: kind !== undefined,
    newBefore: newBefore.slice(0, MAX_NEW),
    newCount: newBefore.length,
    isBaselineShort: firstError.record.at.seconds < all.baseline,
    full,
  };
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function earliest(lines: readonly ShownLine[]): ShownLine | undefined {
  const [first, ...rest] = lines;
  return first && rest.reduce((a, b) => (compareRecords(b.record, a.record) < 0 ? b : a), first);
}

/** The first error, in seconds from `begin` on, of a kind that none of the containers had written before. */
function newError(group: readonly LogDigest[], begin: number, end: number): ShownLine | undefined {
  const firsts = new Map<string, ShownLine>();
  for (const { kinds } of group)
    for (const [wording, { first, level, isFolded }] of kinds) {
      const known = firsts.get(wording);
      if (level <= ERROR && !isFolded)
        firsts.set(wording, known === undefined ? first : (earliest([known, first]) ?? first));
    }
  const isHere = ({ record: { at } }: ShownLine) => at.seconds >= begin && at.seconds < end;
  return earliest([...firsts.values()].filter(isHere));
}

/** All of them were read up to here. */
function endOf(digests: readonly LogDigest[], from: Timestamp, to: Timestamp): Timestamp {
  return digests
    .map(({ isComplete, last = from }) => (isComplete ? to : last))
    .reduce((a, b) => (compareTimestamps(b, a) < 0 ? b : a), to);
}

function isOver({
  since,
  until,
  errors,
  to,
}: Pick<LogErrors, 'since' | 'until' | 'errors'> & { readonly to: Timestamp }) {
  const distance = errors < 2 ? 0 : (until.seconds - since.seconds) / (errors - 1);
  return to.seconds - until.seconds > Math.max(QUIET_SECONDS, QUIET_DISTANCES * distance);
}
