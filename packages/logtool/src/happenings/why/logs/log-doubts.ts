import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadLogs } from '../../../domain/verdicts/explanation.ts';
import type { Doubt } from '../../../domain/verdicts/verdict.ts';
import { groupsOf } from '../groups-of.ts';
import { namesOf } from '../names-of.ts';
import type { SteadyErrors } from './find-errors.ts';
import type { CutLog, ReadDigests } from './read-digests.ts';

/** Returns doubts about logs that were not completely read, and about errors without a known beginning. */
export function logDoubts(
  { cut, from }: Pick<ReadDigests, 'cut' | 'from'>,
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
  if (compareTimestamps(from, asked) > 0)
    doubts.unshift({ code: 'logs-read-late', data: { from: secondOf(from) } });
  if (steady.length === 0) return doubts;
  const errors = steady.reduce((sum, one) => sum + one.errors, 0);
  return [
    ...doubts,
    { code: 'steady-errors', data: { ...namesOf(steady.map(({ target }) => target)), errors } },
  ];
}

/** Returns the range for which a healthy outcome may claim to know the logs. */
export function readLogsOf({ digests, cut, from }: ReadDigests, to: Timestamp): ReadLogs {
  const unread = cut.filter(({ until }) => until === undefined);
  const containers = digests.length - unread.length;
  const until = cut.flatMap((log) => log.until ?? []).reduce((a, b) => earliest(a, b) ?? a, to);
  return { containers, from, until: containers === 0 ? undefined : until };
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
