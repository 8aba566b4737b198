import { compareTimestamps, formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { parseCursor } from '../../../domain/cursor.ts';
import { parseTimePoint } from '../../../domain/time-point.ts';
import { mcpFailure } from '../failures.ts';

/** Where another call continues, in the order of the records that its arguments select. */
export interface PageCursor {
  /** `from`: continues after the position. `before`: continues before it. */
  readonly side: 'from' | 'before';
  readonly at: Timestamp;
  /**
   * Number of records at exactly `at` on the pages so far: for `from` the first ones, for `before` the last
   * ones; undefined means all.
   */
  readonly shown: number | undefined;
  /** The id of a record at that time, as in answers: the position is before this record. */
  readonly id?: string | undefined;
}

/** `from:2026-11-21T10:00:00.123456789Z~2` */
export function formatPageCursor({ side, at, shown }: PageCursor): string {
  const isPlain = shown === undefined || (side === 'from' && shown === 0);
  return `${side}:${formatTimestamp(at)}${isPlain ? '' : `~${shown}`}`;
}

const NOW_IS_UNUSED: Timestamp = { seconds: 0, nanos: 0 };
const FORM = /^(?:(from|before):)?([^#]+?)(?:#([0-9a-f]{8}))?$/s;

/** Parses a cursor from an answer, or the time of a record, with or without its id. Throws `bad-cursor`. */
export function parsePageCursor(text: string): PageCursor {
  const [, given, point = '', id] = FORM.exec(text.trim()) ?? [];
  const side = given === 'before' ? 'before' : 'from';
  const cursor = parseCursor(point);
  if (cursor !== undefined) return { side, ...cursor, id };
  const time = parseTimePoint(point, { now: NOW_IS_UNUSED, durations: false, cursors: false });
  if (time.kind !== 'time') throw mcpFailure('bad-cursor', { text: text.slice(0, 200) }, { exit: 'usage' });
  return { side, at: time.at, shown: side === 'from' ? 0 : undefined, id };
}

/** Ordered lines, each with its time. */
type Timed = readonly { readonly at: Timestamp }[];

/** Returns the position after all of these lines. `began`: the cursor of the call that read them. */
export function cursorAfter(lines: Timed, began: PageCursor | undefined): PageCursor | undefined {
  const last = lines.at(-1);
  return last && { side: 'from', at: last.at, shown: countAt(lines, last.at) + shownAt(began, last.at) };
}

/** Returns the position before all of these lines. `began`: the cursor of the call that read them. */
export function cursorBefore(lines: Timed, began: PageCursor | undefined): PageCursor | undefined {
  const first = lines[0];
  return (
    first && { side: 'before', at: first.at, shown: countAt(lines, first.at) + shownAt(began, first.at) }
  );
}

export function countAt(lines: Timed, at: Timestamp): number {
  return lines.filter((line) => compareTimestamps(line.at, at) === 0).length;
}

function shownAt(began: PageCursor | undefined, at: Timestamp): number {
  return began !== undefined && compareTimestamps(began.at, at) === 0 ? (began.shown ?? 0) : 0;
}
