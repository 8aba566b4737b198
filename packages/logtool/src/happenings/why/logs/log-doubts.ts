import {
  compareTimestamps,
  earliestTime,
  latestTime,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { ReadLogs } from '../../../domain/verdicts/explanation.ts';
import type { Doubt, RolloutChange } from '../../../domain/verdicts/verdict.ts';
import { groupsOf } from '../groups-of.ts';
import { namesOf } from '../names-of.ts';
import type { SteadyErrors } from './find-errors.ts';
import { beginningOf } from './log-beginning.ts';
import type { LogDigest } from './log-digest.ts';
import { gapBefore, gapDoubts, secondOf } from './log-gaps.ts';
import type { ReadDigests } from './read-digests.ts';

/** Returns doubts about logs that were not completely read, and about errors without a known beginning. */
export function logDoubts(
  { cut, from, digests }: ReadDigests,
  asked: Timestamp,
  steady: readonly SteadySince[],
): readonly Doubt[] {
  const doubts: Doubt[] = groupsOf(cut, ({ why, until }) => `${why} ${until === undefined}`).map((group) => {
    const [{ why }] = group;
    const until = earliestTime(group.flatMap((log) => log.until ?? []));
    const names = namesOf(group.map(({ target }) => target));
    return {
      code: 'logs-cut',
      data: {
        ...names,
        why,
        ...(until === undefined ? {} : { until: secondOf(until) }),
      },
    };
  });
  doubts.push(...gapDoubts(digests));
  if (compareTimestamps(from, asked) > 0)
    doubts.unshift({ code: 'logs-read-late', data: { from: secondOf(from) } });
  const keyOf = ({ mayBeOlder, startedAt, rollout }: SteadySince) =>
    JSON.stringify([mayBeOlder, startedAt !== undefined, rollout]);
  for (const group of groupsOf(steady, keyOf)) {
    const all = sumOf(group);
    if (all === undefined) continue;
    const { startedAt, ...counts } = all;
    const names = namesOf(group.flatMap(({ targets }) => targets));
    const times = { since: secondOf(all.since), until: secondOf(all.until) };
    const start = startedAt === undefined ? {} : { startedAt: secondOf(startedAt) };
    doubts.push({ code: 'steady-errors', data: { ...names, ...counts, ...times, ...start } });
  }
  return doubts;
}

/** Steady errors, and the rollout with which their containers started, if one is known. */
export interface SteadySince extends SteadyErrors {
  readonly rollout?: RolloutChange | undefined;
}

function sumOf(steady: readonly SteadySince[]): ReadLogs['steady'] {
  const since = earliestTime(steady.map((one) => one.since));
  const until = latestTime(steady.map((one) => one.until));
  if (since === undefined || until === undefined) return undefined;
  const errors = steady.reduce((sum, one) => sum + one.errors, 0);
  const mayBeOlder = steady.some((one) => one.mayBeOlder);
  const starts = steady.flatMap((one) => one.startedAt ?? []);
  // Of several workloads, each has its own doubt.
  const startedAt = starts.length === steady.length ? earliestTime(starts) : undefined;
  const [{ rollout } = {}, ...others] = steady;
  const isOne = others.every((one) => JSON.stringify(one.rollout) === JSON.stringify(rollout));
  return {
    errors,
    since,
    until,
    mayBeOlder,
    ...(startedAt === undefined ? {} : { startedAt, ...(isOne && rollout !== undefined ? { rollout } : {}) }),
  };
}

interface KnownOfLogs {
  /** When a pod was made, by its UID: before, there was no log. */
  readonly created?: ReadonlyMap<string, Timestamp>;
  readonly steady?: readonly SteadySince[];
  /** Whose logs; of all if absent. */
  readonly isOwn?: (target: ContainerTarget) => boolean;
}

/** Returns the range for which a healthy outcome may claim to know the logs, and the errors in them. */
export function readLogsOf(
  { digests, cut: all, from }: ReadDigests,
  to: Timestamp,
  { created = new Map(), steady = [], isOwn = () => true }: KnownOfLogs = {},
): ReadLogs {
  const cut = all.filter(({ target }) => isOwn(target));
  const unread = new Set(cut.flatMap(({ until, target }) => (until === undefined ? target.id : [])));
  const read = digests.filter(({ target }) => isOwn(target) && !unread.has(target.id));
  const until = earliestTime([to, ...cut.flatMap((log) => log.until ?? [])]);
  const begins = read.map((digest) => knownFrom(digest, from, to, created.get(digest.target.podUid)));
  const first = earliestTime(begins) ?? from;
  const late = begins.filter((begin) => begin.seconds > first.seconds + 1);
  const last = latestTime([first, ...late]);
  const errors = sumOf(steady.filter(({ targets }) => targets.some(isOwn)));
  return {
    containers: read.length,
    from: first,
    ...(late.length === 0 ? {} : { later: { containers: late.length, from: last } }),
    ...(errors === undefined ? {} : { steady: errors }),
    until: read.length === 0 ? undefined : until,
  };
}

/** Returns the time from which the log of a container is known. */
function knownFrom(
  digest: LogDigest,
  from: Timestamp,
  to: Timestamp,
  created: Timestamp | undefined,
): Timestamp {
  const { seconds } = beginningOf(digest, from);
  const gap = gapBefore(digest) === undefined ? undefined : (digest.beginning[0] ?? to);
  const begin = { seconds, nanos: seconds === from.seconds ? from.nanos : 0 };
  return latestTime([from, begin, gap ?? from, created ?? from]);
}
