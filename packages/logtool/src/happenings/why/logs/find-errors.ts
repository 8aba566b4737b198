import { earliestTime, latestTime, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { findErrorOnset } from '../../../domain/coverage/error-onset.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { compareRecords } from '../../../domain/record.ts';
import type { LogProof, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { groupsOf } from '../groups-of.ts';
import { type Lead, leadBefore } from './lead.ts';
import { beginningOf } from './log-beginning.ts';
import type { Buckets, LogDigest } from './log-digest.ts';
import { type AllKinds, allKinds, MAX_NEW, newLinesBefore } from './new-lines.ts';

/** Maximum buckets in a range; a bucket is at least one second. */
const MAX_BUCKETS = 480;
/**
 * An onset is the most likely bucket: errors of a new kind belong to it if they occur this many buckets
 * before or after it.
 */
const LEAD_BUCKETS = 4;
const ONSET_BUCKETS = 9;
/** Errors have ended if none occurred for this many seconds, and for this many of their usual intervals. */
const QUIET_SECONDS = 60;
const QUIET_DISTANCES = 10;
const ERROR = LEVELS.indexOf('error');

/** Errors that begin in the log of one container of a workload. */
export interface LogErrors extends LogProof {
  readonly container: string;
  /** The containers that have written errors since then. */
  readonly targets: readonly ContainerTarget[];
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** Number of records with level error or fatal since then, in what was read. */
  readonly errors: number;
  readonly isOver: boolean;
  /** The time before the first error in which a new line would have been found. */
  readonly lead: Lead;
  /** Containers with more kinds of lines than the limit: whether further kinds are new is unknown. */
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

/** Divides a range into buckets. */
export function bucketsOf(from: Timestamp, to: Timestamp): Buckets {
  const seconds = Math.max(1, to.seconds - from.seconds + 1);
  const width = Math.max(1, Math.ceil(seconds / MAX_BUCKETS));
  return { from, width, count: Math.ceil(seconds / width) };
}

/**
 * Finds where errors begin in logs, by workload and name of the container (domain/coverage/error-onset):
 * since when, how many, the first of a new kind, and what else was new before it in any of the containers.
 * Pure.
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

/** Returns the bucket in which errors begin; ignores buckets before the first complete one. */
function onsetOf(errors: readonly number[], begin: number, { from, width }: Buckets): number | undefined {
  const first = Math.max(0, Math.ceil((begin - from.seconds) / width));
  const onset = findErrorOnset(errors.slice(first));
  return onset === undefined ? undefined : first + onset;
}

function beginningOfAll(digests: readonly LogDigest[], from: Timestamp): number {
  return Math.min(...digests.map((digest) => beginningOf(digest, from).seconds));
}

/** Returns a key for the pods of one workload, or one pod without an owner, and the name of the container. */
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
  const until = latestTime([since, ...group.flatMap(({ lastError }) => lastError ?? [])]);
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
    lead: leadBefore(all.baselines, firstError.record.at),
    full,
  };
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function earliest(lines: readonly ShownLine[]): ShownLine | undefined {
  const [first, ...rest] = lines;
  return first && rest.reduce((a, b) => (compareRecords(b.record, a.record) < 0 ? b : a), first);
}

/**
 * Returns the first error, between `begin` and `end` in seconds, of a kind that no container of the group
 * wrote before.
 */
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

/** Returns the time up to which all logs were read. */
function endOf(digests: readonly LogDigest[], from: Timestamp, to: Timestamp): Timestamp {
  return earliestTime([to, ...digests.map(({ isComplete, last = from }) => (isComplete ? to : last))]);
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
