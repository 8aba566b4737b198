import {
  compareTimestamps,
  earliestTime,
  latestTime,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import { findErrorOnset, MIN_BEFORE } from '../../../domain/coverage/error-onset.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { compareRecords } from '../../../domain/record.ts';
import type { LogProof, ShownLine } from '../../../domain/verdicts/log-proof.ts';
import { groupsOf } from '../groups-of.ts';
import { firstKnown, type Lead, leadBefore } from './lead.ts';
import { beginningOf } from './log-beginning.ts';
import type { Buckets, LogDigest } from './log-digest.ts';
import { holesOf } from './log-gaps.ts';
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
  /** The lines just before them that may be missing: the errors may have begun there. */
  readonly gap: { readonly target: ContainerTarget; readonly from: Timestamp | undefined } | undefined;
  /** Containers with more kinds of lines than the limit: whether further kinds are new is unknown. */
  readonly full: readonly ContainerTarget[];
}

/** Errors of one workload that begin nowhere in what was read. */
export interface SteadyErrors {
  /** The containers that have written them. */
  readonly targets: readonly [ContainerTarget, ...ContainerTarget[]];
  readonly errors: number;
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** They come so early in what was read that there may have been others before it. */
  readonly mayBeOlder: boolean;
  /** They come soon after their containers started, at this time, and nothing older of the workload can be read. */
  readonly startedAt?: Timestamp | undefined;
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
    const begins = group.map((digest) => knownFrom(digest, from));
    const assumed = group.map((digest, index) =>
      assumedErrors(digest, begins[index] ?? from.seconds, buckets),
    );
    const errors = Array.from({ length: buckets.count }, (_, bucket) =>
      assumed.reduce((sum, counts) => sum + (counts[bucket] ?? 0), 0),
    );
    const onset = onsetOf(errors, Math.min(...begins), buckets);
    if (onset !== undefined) begun.push(errorsFrom(group, { onset, buckets, all, full, to }));
    const isOlder = (digest: LogDigest, index: number) =>
      onset === undefined || (assumed[index] !== digest.errors && (assumed[index]?.[0] ?? 0) > 0);
    steady.push(...steadyIn(group.filter(isOlder), { buckets, startedAt: startOf(group, buckets) }));
  }
  return { begun: begun.sort((a, b) => compareRecords(a.firstError.record, b.firstError.record)), steady };
}

/** Returns the bucket in which errors begin; ignores buckets before the first complete one. */
function onsetOf(errors: readonly number[], begin: number, { from, width }: Buckets): number | undefined {
  const first = Math.max(0, Math.ceil((begin - from.seconds) / width));
  const onset = findErrorOnset(errors.slice(first));
  return onset === undefined ? undefined : first + onset;
}

/** Returns the second from which a log is known: its first line, if what precedes it is unknown. */
function knownFrom(digest: LogDigest, from: Timestamp): number {
  return firstKnown(digest) ?? beginningOf(digest, from).seconds;
}

/**
 * Returns the errors of a log by bucket. Where what precedes its first line is unknown, assumes for that time as many
 * errors as in its first known buckets: errors that it has from its first line on do not begin there.
 */
function assumedErrors(digest: LogDigest, begin: number, { from, width, count }: Buckets): readonly number[] {
  const { errors } = digest;
  const isUnknown = firstKnown(digest) !== undefined || beginningOf(digest, from).isCut;
  const first = Math.max(0, Math.ceil((begin - from.seconds) / width));
  if (!isUnknown || first === 0 || first >= count) return errors;
  const sample = errors.slice(first, first + MIN_BEFORE);
  return errors.map((known, bucket) => (bucket < first ? sumOf(sample) / sample.length : known));
}

/** Returns when the containers of a workload started, if all of their logs begin then, inside of the range. */
function startOf(group: readonly LogDigest[], { from }: Buckets): Timestamp | undefined {
  const begins = group.map((digest) => beginningOf(digest, from));
  const areWhole = begins.every(({ isStart }) => isStart) && group.every((digest) => !firstKnown(digest));
  return areWhole ? { seconds: Math.min(...begins.map(({ seconds }) => seconds)), nanos: 0 } : undefined;
}

function steadyIn(
  digests: readonly LogDigest[],
  { buckets, startedAt }: { readonly buckets: Buckets; readonly startedAt: Timestamp | undefined },
): readonly SteadyErrors[] {
  const [first, ...others] = digests.filter(({ lastError }) => lastError !== undefined);
  if (first === undefined) return [];
  const writers = [first, ...others];
  const lines = writers.flatMap(({ firstErrors }) => firstErrors.find((line) => line !== undefined) ?? []);
  const until = latestTime([first, ...others].flatMap(({ lastError }) => lastError ?? []));
  const since = earliest(lines)?.record.at;
  if (since === undefined || until === undefined) return [];
  const errors = writers.reduce((sum, digest) => sum + sumOf(digest.errors), 0);
  const mayBeOlder = writers.some((digest) => mayHaveOlder(digest, buckets));
  const isSoon = startedAt !== undefined && since.seconds - startedAt.seconds <= MIN_BEFORE * buckets.width;
  return [
    {
      targets: [first.target, ...others.map(({ target }) => target)],
      errors,
      since,
      until,
      mayBeOlder,
      ...(isSoon ? { startedAt } : {}),
    },
  ];
}

/** Whether the first error comes in the first buckets of a log of which earlier lines are unknown. */
function mayHaveOlder(digest: LogDigest, { from, width }: Buckets): boolean {
  const { isStart } = beginningOf(digest, from);
  if (isStart && firstKnown(digest) === undefined) return false;
  const first = Math.ceil((knownFrom(digest, from) - from.seconds) / width);
  return digest.errors.findIndex((count) => count > 0) < first + MIN_BEFORE;
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
    gap: gapJustBefore(group, known ?? firstError, MIN_BEFORE * width),
    full,
  };
}

/** Returns the gap that ends less than some seconds before an error, in the log that has it. */
function gapJustBefore(
  group: readonly LogDigest[],
  { record }: ShownLine,
  seconds: number,
): LogErrors['gap'] {
  const digest = group.find(({ target }) => target.id === record.run.target.id);
  const gap = (digest === undefined ? [] : holesOf(digest)).findLast(({ from, to = from }) => {
    const end = to ?? record.at;
    return compareTimestamps(end, record.at) <= 0 && record.at.seconds - end.seconds < seconds;
  });
  return digest && gap && { target: digest.target, from: gap.from };
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
