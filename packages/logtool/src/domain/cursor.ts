import { formatTimestamp, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/**
 * A position in the total order of records, between two records: after all records before `at`, and after the first
 * `shown` records at exactly `at`. Text form `2026-11-21T10:00:00.123456789Z~2`; `~0` is optional. `--after CURSOR`
 * begins at the position, `--before CURSOR` ends at it. A plain time point excludes its own time in both flags:
 * `--after T` leaves out every record at T, and so does `--before T` (the same position as `T~0`).
 */
export interface Cursor {
  readonly at: Timestamp;
  /** Number of records at exactly `at` before the position. */
  readonly shown: number;
}

export function formatCursor(cursor: Cursor): string {
  const at = formatTimestamp(cursor.at);
  return cursor.shown === 0 ? at : `${at}~${cursor.shown}`;
}

/** Reads `TIMESTAMP~N`. Returns undefined if the text has no `~N` or is malformed. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(.+)~(\d{1,15})$/.exec(text);
  if (match === null) return undefined;
  const at = parseTimestamp(match[1] ?? '');
  return at === undefined ? undefined : { at, shown: Number(match[2]) };
}
