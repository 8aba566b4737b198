import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { difference, type Interval, type Intervals, intersection, NO_INTERVALS } from './interval.ts';

/** What was read of the log of one container. */
export interface ContainerCoverage {
  /**
   * The times that were read completely. A known gap takes nothing away: of it, everything was read that can be read.
   */
  readonly read: Intervals;
  /** Whether its log was unreadable lately: what it has written is unknown, at least its newest lines. */
  readonly isUnreadable: boolean;
}

/**
 * What was read of the logs of a view, by one means: lines that are held, or lines that were counted. Every count,
 * "nothing", "first" and "next" asks it, so that none of them claims more than was read.
 */
export interface Coverage {
  /** By container (LogSource.id). */
  readonly containers: ReadonlyMap<string, ContainerCoverage>;
  /** Number of source arguments that failed as a whole, so that their containers are unknown. */
  readonly failedSources: number;
}

/** A range of time of which lines may be missing although it was read. */
export interface KnownGap extends Interval {
  /** The container (LogSource.id); undefined: of several containers. */
  readonly id: string | undefined;
  /** The node no longer has what was there: nothing precedes `to`. */
  readonly isLost: boolean;
  /** Maybe nothing is missing: the container may have been silent. */
  readonly isUnproven: boolean;
  /** If earlier runs were there: how many of the container are gone. Its end is then no time at which lines begin. */
  readonly goneRuns?: number | undefined;
  /** If the log begins after what was there: when. It is later than `to` if a range was read that ends before. */
  readonly beginsAt?: Timestamp | undefined;
}

/** Every time. */
export const ALL_TIME: Intervals = [{ from: undefined, to: undefined }];

/** Returns the times that were read of every accepted container; all times if there is none. */
export function readOfAll(
  { containers }: Coverage,
  isWanted: (id: string) => boolean = () => true,
): Intervals {
  let common = ALL_TIME;
  // Most containers have the same list.
  const seen = new Set<Intervals>();
  for (const [id, { read }] of containers) {
    if (seen.has(read) || !isWanted(id)) continue;
    seen.add(read);
    common = intersection(common, read);
    if (common.length === 0) return NO_INTERVALS;
  }
  return common;
}

/** Returns the times at which an accepted container may have lines that were not read. */
export function unreadOfAny(coverage: Coverage, isWanted?: (id: string) => boolean): Intervals {
  return difference(ALL_TIME, readOfAll(coverage, isWanted));
}

/** Whether every container is known, and none is unreadable. */
export function isReadable({ containers, failedSources }: Coverage): boolean {
  return failedSources === 0 && [...containers.values()].every(({ isUnreadable }) => !isUnreadable);
}
