import { useNow } from '../../app/chrome/use-now.ts';
import type { EntryId, Row } from '../../worker/session/protocol.ts';
import { ageText, isoTime, type ZoneClock } from '../session/zone-time.ts';
import './time-tip.css';

export interface TipAnchor {
  readonly entry: EntryId;
  readonly leftPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
}

interface TimeTipProps {
  readonly position: TipAnchor;
  readonly row: Row | undefined;
  readonly clock: ZoneClock;
}

/** The whole time of a line, and how long ago that was. */
export function TimeTip({ position, row, clock }: TimeTipProps) {
  const nowMs = useNow();
  if (row === undefined || row.kind === 'missing') return null;
  const isLow = position.bottomPx + 32 > innerHeight;
  return (
    <div
      className="time-tip"
      role="tooltip"
      style={{ left: position.leftPx, top: isLow ? position.topPx - 28 : position.bottomPx + 2 }}
    >
      {isoTime(clock, row)} · {ageText(row, nowMs)}
    </div>
  );
}
