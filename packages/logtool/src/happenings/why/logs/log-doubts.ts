import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadLogs } from '../../../domain/verdicts/explanation.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { groupsOf } from '../groups-of.ts';
import { namesOf } from '../names-of.ts';
import type { SteadyErrors } from './find-errors.ts';
import { beginningOf } from './log-beginning.ts';
import type { LogDigest } from './log-digest.ts';
import type { CutLog, ReadDigests } from './read-digests.ts';

/** Returns doubts about logs that were not completely read, and about errors without a known beginning. */
export function logDoubts(
  { cut, from, digests }: ReadDigests,
  asked: Timestamp,
  steady: readonly SteadyErrors[],
): readonly Doubt[] {
  const doubts: Doubt[] = groupsOf(cut, ({ why, until }) => `${codeOf(why)} ${until === undefined}`).map(
    (group) => {
      const [{ why }] = group;
      const until = group.map((log) => log.until).reduce(earliest, group[0].until);
      const names = namesOf(group.map(({ target }) => target));
      return {
        code: 'logs-cut',
        data: {
          ...names,
          why: codeOf(why),
          ...(until === undefined ? {} : { until: secondOf(until) }),
        },
      };
    },
  );
  doubts.push(...gapDoubts(digests));
  if (compareTimestamps(from, asked) > 0)
    doubts.unshift({ code: 'logs-read-late', data: { from: secondOf(from) } });
  if (steady.length === 0) return doubts;
  const errors = steady.reduce((sum, one) => sum + one.errors, 0);
  return [
    ...doubts,
    { code: 'steady-errors', data: { ...namesOf(steady.map(({ target }) => target)), errors } },
  ];
}

/** Returns doubts about parts that no node has any more. */
function gapDoubts(digests: readonly LogDigest[]): readonly Doubt[] {
  const late = digests.flatMap(({ target, beginning: [first], lackBefore }) =>
    first === undefined || lackBefore === undefined ? [] : [{ target, first, why: lackBefore }],
  );
  const holes = digests.flatMap(({ target, lacks }) => [...lacks].map((why) => ({ target, why })));
  return [
    ...groupsOf(late, ({ why }) => why).map((group): Doubt => {
      const from = group.map(({ first }) => first).reduce((a, b) => (compareTimestamps(a, b) >= 0 ? a : b));
      const names = namesOf(group.map(({ target }) => target));
      return { code: 'logs-begin-late', data: { ...names, from: secondOf(from), why: group[0].why } };
    }),
    ...groupsOf(holes, ({ why }) => why).map((group): Doubt => {
      const names = namesOf(group.map(({ target }) => target));
      return { code: 'logs-missing', data: { ...names, why: group[0].why } };
    }),
  ];
}

/**
 * Returns the range for which a healthy outcome may claim to know the logs. `created`: when a pod was made, by its UID;
 * before, there was no log.
 */
export function readLogsOf(
  { digests, cut, from }: ReadDigests,
  to: Timestamp,
  created: ReadonlyMap<string, Timestamp> = new Map(),
): ReadLogs {
  const unread = new Set(cut.flatMap(({ until, target }) => (until === undefined ? target.id : [])));
  const read = digests.filter(({ target }) => !unread.has(target.id));
  const until = cut.flatMap((log) => log.until ?? []).reduce((a, b) => earliest(a, b) ?? a, to);
  const begins = read.map((digest) => knownFrom(digest, from, to, created.get(digest.target.podUid)));
  const first = begins.reduce((a, b) => (compareTimestamps(a, b) <= 0 ? a : b), begins[0] ?? from);
  const late = begins.filter((begin) => begin.seconds > first.seconds + 1);
  const last = late.reduce((a, b) => (compareTimestamps(a, b) >= 0 ? a : b), first);
  return {
    containers: read.length,
    from: first,
    ...(late.length === 0 ? {} : { later: { containers: late.length, from: last } }),
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
  const gap = digest.lackBefore === undefined ? undefined : (digest.beginning[0] ?? to);
  const times = [
    from,
    { seconds, nanos: seconds === from.seconds ? from.nanos : 0 },
    gap ?? from,
    created ?? from,
  ];
  return times.reduce((a, b) => (compareTimestamps(a, b) >= 0 ? a : b));
}

/** Formats whole seconds: everything before them was read. */
export function secondOf(at: Timestamp): string {
  return formatTimestamp({ ...at, nanos: 0 }).replace('.000000000', '');
}

function codeOf(why: CutLog['why']): string {
  return typeof why === 'string' ? why : why.code;
}

function earliest(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
  if (a === undefined || b === undefined) return undefined;
  return compareTimestamps(a, b) <= 0 ? a : b;
}
