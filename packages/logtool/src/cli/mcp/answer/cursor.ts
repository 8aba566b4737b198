import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { formatCursor, parseCursor } from '../../../domain/cursor.ts';
import { parseTimePoint } from '../../../domain/time-point.ts';
import { mcpFailure } from '../failures.ts';

/** Where another call continues. `from`: at this point and after it; `before`: before it. */
export interface PageCursor {
  readonly side: 'from' | 'before';
  /** A time, or a cursor (domain/cursor.ts) where many records have the same time. */
  readonly at: string;
}

/** `from:2026-11-21T10:00:00.123456789Z` */
export function formatPageCursor({ side, at }: PageCursor): string {
  return `${side}:${at}`;
}

export function cursorAt(side: PageCursor['side'], at: Timestamp, shown = 0): PageCursor {
  return { side, at: shown === 0 ? formatTimestamp(at) : formatCursor({ at, shown }) };
}

const NOW_IS_UNUSED: Timestamp = { seconds: 0, nanos: 0 };

/** Reads what an answer gave, or the time of a record. Throws `bad-cursor`. */
export function parsePageCursor(text: string, side: PageCursor['side'] = 'from'): PageCursor {
  const [, given, at = ''] = /^(?:(from|before):)?(.+)$/s.exec(text.trim()) ?? [];
  const point = parseTimePoint(at, { now: NOW_IS_UNUSED, durations: false, cursors: true });
  if (point.kind === 'bad') throw mcpFailure('bad-cursor', { text: text.slice(0, 200) }, { exit: 'usage' });
  return { side: (given as PageCursor['side'] | undefined) ?? side, at };
}

/** Whether the engine must count records for it. */
export function isCounted({ at }: PageCursor): boolean {
  return parseCursor(at) !== undefined;
}
