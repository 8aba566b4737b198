import { isTimestampText, millisecondsOf, writeTimestamp } from './entry-timestamp.ts';

const NEWLINE = 10;
const SPACE = 32;
const TAG_PARTIAL = 80;
const COLON = 58;
/** `YYYY-MM-DDThh:mm:ss.nnnnnnnnn+hh:mm` and a blank. */
const PREFIX_BYTES = 36;

/** The state of the kubelet's log reader between entries. */
export interface EntryReading {
  readonly timestamps: boolean;
  /** Skips each entry before this time, in whole milliseconds. */
  readonly sinceMs: number | undefined;
  /** How many more entries may be read; Infinity without a limit. */
  entriesLeft: number;
  /** How many more bytes may be returned; Infinity without a limit. */
  bytesLeft: number;
  /** Whether the previous entry ended a line, so the next one gets a prefix. */
  atLineStart: boolean;
  /** Whether the file ended inside an entry, and a newline was added only to read it. */
  unterminated: boolean;
  /** The first line decides whether this is a log; later lines that are not entries are skipped. */
  format: 'open' | 'entries' | 'unknown';
  /** The line that caused 'unknown'. */
  unknownLine: string;
}

/** The result of reading a section of a file. */
export interface EntriesRead {
  /** Offset after the last whole entry that was read. */
  readonly end: number;
  readonly body: Buffer;
}

/**
 * Converts the whole entries of `file` from `start` to `end` into the bytes that the log API returns, at most `limit`
 * entries. The rules are those of the kubelet (k8s.io/cri-client/pkg/logs): a P entry loses its newline, so the next
 * entry, of either stream, follows on the same line without a prefix; lines that are not entries are skipped; the byte
 * limit counts prefixes and cuts anywhere.
 */
export function readEntries(
  file: Buffer,
  start: number,
  end: number,
  reading: EntryReading,
  limit = Number.POSITIVE_INFINITY,
): EntriesRead {
  const body = new EntryBody(end - start, reading.timestamps);
  const entry: Entry = { start: 0, stampEnd: 0, message: 0, newline: 0, partial: false };
  let position = start;
  for (let count = 0; count < limit && wantsMore(reading); count++) {
    const newline = file.indexOf(NEWLINE, position);
    if (newline < 0 || newline >= end) break;
    entry.start = position;
    entry.newline = newline;
    if (parseEntry(file, entry)) takeEntry(file, entry, reading, body);
    else noteNoEntry(file, entry, reading);
    position = newline + 1;
  }
  return { end: position, body: body.bytes };
}

/** Offsets of one line in a file; one object serves all lines of a call, possibly millions. */
interface Entry {
  start: number;
  stampEnd: number;
  message: number;
  newline: number;
  partial: boolean;
}

/** Finds the parts of a line; returns false if it is not an entry. */
function parseEntry(file: Buffer, entry: Entry): boolean {
  const { start, newline } = entry;
  const stampEnd = blankBefore(file, start + 20, newline);
  if (!isTimestampText(file, start, stampEnd)) return false;
  const tag = tagOffset(file, stampEnd, newline);
  if (tag < 0) return false;
  entry.stampEnd = stampEnd;
  entry.message = blankBefore(file, tag, newline) + 1;
  entry.partial = file[tag] === TAG_PARTIAL && (entry.message === tag + 2 || file[tag + 1] === COLON);
  return entry.message <= newline;
}

function noteNoEntry(file: Buffer, { start, newline }: Entry, reading: EntryReading): void {
  if (reading.format === 'entries') return;
  reading.format = 'unknown';
  reading.unknownLine = file.toString('utf8', start, newline + 1);
}

function takeEntry(file: Buffer, entry: Entry, reading: EntryReading, body: EntryBody): void {
  reading.format = 'entries';
  reading.entriesLeft -= 1;
  const { start, stampEnd, message, newline } = entry;
  const messageEnd = entry.partial || reading.unterminated ? newline : newline + 1;
  const startsLine = reading.atLineStart;
  reading.atLineStart = messageEnd === message || messageEnd > newline;
  if (reading.sinceMs !== undefined && millisecondsOf(file, start, stampEnd) < reading.sinceMs) return;
  reading.bytesLeft -= body.add(file, entry, messageEnd, reading.timestamps && startsLine, reading.bytesLeft);
}

/** The bytes of the response; the buffer grows if timestamps need more room than the file's own. */
class EntryBody {
  #buffer: Buffer;
  #length = 0;

  constructor(fileBytes: number, timestamps: boolean) {
    this.#buffer = Buffer.allocUnsafe(fileBytes + (timestamps ? fileBytes / 8 + PREFIX_BYTES : 0));
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Adds a message, with or without its timestamp, cut after `limitBytes`. Returns how many bytes it added. */
  add(file: Buffer, entry: Entry, messageEnd: number, timestamp: boolean, limitBytes: number): number {
    const before = this.#length;
    this.#reserve(messageEnd - entry.message + PREFIX_BYTES);
    let length = timestamp ? writeTimestamp(file, entry.start, entry.stampEnd, this.#buffer, before) : before;
    length += file.copy(this.#buffer, length, entry.message, messageEnd);
    this.#length = Math.min(length, before + limitBytes);
    return this.#length - before;
  }

  #reserve(bytes: number): void {
    if (this.#buffer.length - this.#length >= bytes) return;
    const grown = Buffer.allocUnsafe(this.#buffer.length * 2 + bytes);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function wantsMore(reading: EntryReading): boolean {
  return reading.entriesLeft > 0 && reading.bytesLeft > 0 && reading.format !== 'unknown';
}

/** Returns the offset of the first blank from `start`, or `end` if there is none before it. */
function blankBefore(file: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && file[index] !== SPACE) index++;
  return index;
}

/** Returns the offset of the tag after a stream name, -1 if the line is not an entry. */
function tagOffset(file: Buffer, stampEnd: number, newline: number): number {
  // " stdout " and " stderr ": s t d, then o u t or e r r.
  const name = stampEnd + 1;
  if (name + 7 > newline || file[name] !== 115 || file[name + 1] !== 116 || file[name + 2] !== 100) return -1;
  const stdout = file[name + 3] === 111 && file[name + 4] === 117 && file[name + 5] === 116;
  const stderr = file[name + 3] === 101 && file[name + 4] === 114 && file[name + 5] === 114;
  return (stdout || stderr) && file[name + 6] === SPACE ? name + 7 : -1;
}
