import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { ALL_TIME, type ContainerCoverage, type Coverage } from '../../../domain/coverage/coverage.ts';
import {
  difference,
  type Interval,
  type Intervals,
  intervals,
  NO_INTERVALS,
  nextTime,
  union,
} from '../../../domain/coverage/interval.ts';
import { heldFrom, intervalOf, timeOfBound } from '../known/missing.ts';
import type { HeldLog } from '../store/held-log.ts';

/** Returns of which times the tab holds all lines, by container. A change of the log makes it outdated. */
export function heldCoverage(log: HeldLog): Coverage {
  const held = heldTimes(log);
  const containers = new Map<string, ContainerCoverage>();
  for (const { wire, owner, isLeftOut } of log.store.sources.all) {
    if (isLeftOut || containers.has(wire.id)) continue;
    containers.set(wire.id, coverageOf(log, wire.id, owner.isGone, held));
  }
  for (const id of log.unanswered.keys()) containers.set(id, coverageOf(log, id, false, held));
  const isFailedSource = [...log.problems.values()].filter(({ isOfSource }) => isOfSource === true);
  return { containers, failedSources: isFailedSource.length };
}

function coverageOf(log: HeldLog, id: string, isGone: boolean, held: Intervals): ContainerCoverage {
  const { late, unanswered } = log;
  const isUnreadable = log.hasUnread(id);
  if (unanswered.has(id) || log.hasFailed(id)) return { read: NO_INTERVALS, isUnreadable };
  const unread = [...late.rangesOf(id).map(intervalOf), ...(isGone ? [] : unfollowed(log, id))];
  return { read: unread.length === 0 ? held : difference(held, unread), isUnreadable };
}

/** The times that are held of all containers that answered: not before, after and between the held parts. */
function heldTimes({ store, edges: { older, newer } }: HeldLog): Intervals {
  const { first } = store.order;
  const unheld: Interval[] = [...store.missing.values()].map(intervalOf);
  if (older === 'unknown' && first !== undefined)
    unheld.push({ from: undefined, to: nextTime(store.time(first)) });
  // Some lines at a cursor's time may not be held.
  if (typeof older !== 'string') unheld.push({ from: undefined, to: heldFrom(older) });
  if (typeof newer !== 'string') unheld.push({ from: timeOfBound(newer), to: undefined });
  return difference(ALL_TIME, unheld.map(intervals).reduce(union, NO_INTERVALS));
}

/** The time since the follow lost a container, if it has not caught up yet. */
function unfollowed(log: HeldLog, id: string): Intervals {
  const fromMs = log.followedToMs(id);
  return Number.isFinite(fromMs) ? [{ from: timestampFromMs(fromMs), to: undefined }] : NO_INTERVALS;
}
