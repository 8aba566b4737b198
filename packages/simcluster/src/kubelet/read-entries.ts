import { isTimestampText, millisecondsOf, writeTimestamp } from './entry-timestamp.ts';

const NEWLINE = 10;
const SPACE = 32;
const TAG_PARTIAL = 80;
const COLON = 58;
/** `YYYY-MM-DDThh:mm:ss.nnnnnnnnn+hh:mm` and a blank. */
const PREFIX_BYTES = 36;

/** What the kubelet's log reader keeps from entry to entry. */
export interface EntryReading {
  readonly timestamps: boolean;
  /** Entries before it, in whole milliseconds, are left out, each for itself. */
  readonly sinceMs: number | undefined;
  /** Entries that may still be read; Infinity without a limit. */
  entriesLeft: number;
  /** Bytes that may still be answered; Infinity without a limit. */
  bytesLeft: number;
  /** The entry before ended a line, so the next one gets a prefix. */
  atLineStart: boolean;
  /** The file ended in the middle of an entry, and a newline was put behind it only to read it. */
  unterminated: boolean;
  /** The first line tells whether this is a log at all; later lines that are no entries are skipped. */
  format: 'open' | 'entries' | 'unknown';
  /** The line that decided for 'unknown'. */
  unknownLine: string;
}

/** What came of a stretch of a file. */
export interface EntriesRead {
  /** Offset behind the last whole entry taken. */
  readonly end: number;
  readonly body: Buffer;
}

/**
 * Turns the whole entries of `file` from `start` to `end` into the bytes that the log API answers, at most `limit`
 * entries. The rules are those of the kubelet (k8s.io/cri-client/pkg/logs): a P entry loses its newline, so the next
 * entry, of whatever stream, follows on the same line without a prefix; lines that are no entries are skipped; the
 * byte limit counts prefixes and cuts anywhere.
 */
export function readEntries(
  file: Buffer,
  start: number,
  end: number,
  reading: EntryReading,
  limit = Number.POSITIVE_INFINITY,
): EntriesRead {
  let body = Buffer.allocUnsafe(end - start + (reading.timestamps ? (end - start) / 8 + PREFIX_BYTES : 0));
  let length = 0;
  let position = start;
  for (let count = 0; count < limit && wantsMore(reading); count++) {
    const newline = file.indexOf(NEWLINE, position);
    if (newline < 0 || newline >= end) break;
    const from = position;
    position = newline + 1;
    const stampEnd = blankBefore(file, from + 20, newline);
    const tag = isTimestampText(file, from, stampEnd) ? tagOffset(file, stampEnd, newline) : -1;
    const message = tag < 0 ? newline + 1 : blankBefore(file, tag, newline) + 1;
    if (message > newline) {
      if (reading.format === 'entries') continue;
      reading.format = 'unknown';
      reading.unknownLine = file.toString('utf8', from, newline + 1);
      break;
    }
    reading.format = 'entries';
    reading.entriesLeft -= 1;
    const partial = file[tag] === TAG_PARTIAL && (message === tag + 2 || file[tag + 1] === COLON);
    const messageEnd = partial || reading.unterminated ? newline : newline + 1;
    const wasLineStart = reading.atLineStart;
    reading.atLineStart = messageEnd === message || messageEnd > newline;
    if (reading.sinceMs !== undefined && millisecondsOf(file, from, stampEnd) < reading.sinceMs) continue;
    const before = length;
    if (body.length - length < messageEnd - message + PREFIX_BYTES) {
      const grown = Buffer.allocUnsafe(body.length * 2 + messageEnd - message + PREFIX_BYTES);
      body.copy(grown, 0, 0, length);
      body = grown;
    }
    if (reading.timestamps && wasLineStart) length = writeTimestamp(file, from, stampEnd, body, length);
    length += file.copy(body, length, message, messageEnd);
    if (length - before > reading.bytesLeft) length = before + reading.bytesLeft;
    reading.bytesLeft -= length - before;
  }
  return { end: position, body: body.subarray(0, length) };
}

function wantsMore(reading: EntryReading): boolean {
  return reading.entriesLeft > 0 && reading.bytesLeft > 0 && reading.format !== 'unknown';
}

/** Offset of the first blank from there, `end` when there is none before it. */
function blankBefore(file: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && file[index] !== SPACE) index++;
  return index;
}

/** Offset of the tag when a stream name stands before it, -1 when the line is no entry. */
function tagOffset(file: Buffer, stampEnd: number, newline: number): number {
  // " stdout " and " stderr ": s t d, then o u t or e r r.
  const name = stampEnd + 1;
  if (name + 7 > newline || file[name] !== 115 || file[name + 1] !== 116 || file[name + 2] !== 100) return -1;
  const stdout = file[name + 3] === 111 && file[name + 4] === 117 && file[name + 5] === 116;
  const stderr = file[name + 3] === 101 && file[name + 4] === 114 && file[name + 5] === 114;
  return (stdout || stderr) && file[name + 6] === SPACE ? name + 7 : -1;
}
