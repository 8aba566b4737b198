import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { wallTime, type ZoneClock } from '../console/state/zone-time.ts';
import { logMessageOf } from '../messages/log-message-of.ts';
import type { FactsStatus } from '../worker/protocol/protocol.ts';

/** A browser allows six connections to a server. */
const RESTING = 'this window gets no new events: other windows use the connections of this browser';
const CUT = 'there are more events than this window keeps; only the newest appear';

/** Returns which events were read, and which do not appear, one line each. */
export function eventExtent(
  {
    state,
    isResting,
    isCut,
    notices,
    eventsSinceMs,
    error,
  }: Pick<FactsStatus, 'state' | 'isResting' | 'isCut' | 'notices' | 'eventsSinceMs' | 'error'>,
  clock: ZoneClock,
): readonly string[] {
  if (state === 'off') return [];
  const lines = [...notices];
  if (isCut) lines.unshift(CUT);
  if (isResting) lines.unshift(RESTING);
  else if (state === 'reading') lines.unshift('reading events…');
  if (state === 'failed' && error !== undefined)
    lines.unshift(`logtool could not read events: ${logMessageOf(error).what}`);
  if (eventsSinceMs !== undefined) {
    const { date, time } = wallTime(clock, timestampFromMs(eventsSinceMs));
    lines.push(`the cluster has events since ${date} ${time.slice(0, 8)}`);
  }
  return lines;
}
