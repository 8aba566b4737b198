import type { Histogram } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { CountedView } from './counted-view.ts';

/** What a chart leaves out as a whole. */
type LeftOut = NonNullable<Histogram['without']>;

/**
 * Notes in a chart which containers and sources it leaves out because they could not be read. `isWanted`: whether the
 * facets accept a container.
 */
export function withLeftOut(
  log: HeldLog,
  counted: CountedView | undefined,
  histogram: Histogram,
  isWanted: (source: HeldSource) => boolean,
): Histogram {
  const without = counted === undefined ? leftOutOfLoaded(log, isWanted) : leftOutOfScan(counted);
  return without.containers + without.sources === 0 ? histogram : { ...histogram, without };
}

/** While a scan reads, what it has not read is marked as unread. */
function leftOutOfScan({ scan: { counts, state }, isWanted }: CountedView): LeftOut {
  const containers = state === 'done' ? counts.incomplete.filter(isWanted).length : 0;
  return { containers, sources: counts.failedSources };
}

/** Of a container that is being reconnected, the time since is marked as unread. */
function leftOutOfLoaded(log: HeldLog, isWanted: (source: HeldSource) => boolean): LeftOut {
  const { store, problems } = log;
  const unread = store.sources.all.filter(
    (source) =>
      !source.isLeftOut && !source.owner.isGone && log.hasFailed(source.wire.id) && isWanted(source),
  );
  const sources = [...problems.values()].filter(({ isOfSource }) => isOfSource === true);
  return { containers: new Set(unread.map(({ wire }) => wire.id)).size, sources: sources.length };
}
