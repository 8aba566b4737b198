const BLANK = 32;
const COLON = 58;
const PARTIAL = 80;
/** `2026-11-21T10:00:00` */
export const SECOND_LENGTH = 19;
/** `YYYY-MM-DDThh:mm:ss.nnnnnnnnn+hh:mm` */
const MAX_STAMP = 35;
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Where the parts of an entry of a CRI log lie: `STAMP stdout F MESSAGE` (k8s.io/cri-client/pkg/logs). */
export interface CriEntry {
  /** The blank after the stamp. */
  readonly stampEnd: number;
  /** The first byte of the tags; the name of the stream ends before the blank in front of it. */
  readonly tag: number;
  /** The first byte of the message. */
  readonly message: number;
  /** The next entry continues its line. */
  readonly isPartial: boolean;
}

/** Finds the parts of the entry between two offsets, without its newline; undefined for text that is no entry. */
export function readEntry(bytes: Buffer, start: number, end: number): CriEntry | undefined {
  const stampEnd = stampEndOf(bytes, start, end);
  const tag = stampEnd === -1 ? 0 : bytes.indexOf(BLANK, stampEnd + 1) + 1;
  const message = tag === 0 || tag >= end ? 0 : bytes.indexOf(BLANK, tag) + 1;
  if (message === 0 || message > end) return undefined;
  const isPartial = bytes[tag] === PARTIAL && (message === tag + 2 || bytes[tag + 1] === COLON);
  return { stampEnd, tag, message, isPartial };
}

/** Returns the end of the stamp that an entry begins with; -1 for text that is no entry. */
export function stampEndOf(bytes: Buffer, start: number, end: number): number {
  const stampEnd = bytes.indexOf(BLANK, start + SECOND_LENGTH);
  if (stampEnd === -1 || stampEnd >= end || stampEnd - start > MAX_STAMP) return -1;
  return SECOND.test(bytes.toString('latin1', start, start + SECOND_LENGTH)) ? stampEnd : -1;
}
