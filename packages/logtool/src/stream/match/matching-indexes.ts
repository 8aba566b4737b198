import type { LogRecord } from '../../domain/record.ts';

/** First byte of color sequences, which may split the text to find. */
const ESCAPE = Buffer.from([0x1b]);

/**
 * Returns the records of a batch that may contain a text: those that contain it unchanged, and those with colors, which
 * may split it.
 */
export function recordsThatMayHold(needle: Buffer, records: readonly LogRecord[]): readonly LogRecord[] {
  return matchingIndexes([needle, ESCAPE], records).map((index) => records[index]!);
}

/** Returns the same for one record. */
export function mayHold({ message }: LogRecord, needle: Buffer): boolean {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  return bytes.includes(needle) || bytes.includes(ESCAPE);
}

/**
 * Returns the indexes of the batch's records whose messages contain one of these texts, ascending. Searches messages
 * that are adjacent in memory, as the parser leaves them, in one go: without a hit, a thousand lines cost one call.
 */
export function matchingIndexes(
  needles: readonly Buffer[],
  records: readonly LogRecord[],
): readonly number[] {
  const indexes: number[] = [];
  let isMixed = false;
  for (let first = 0; first < records.length; ) {
    const { buffer, byteOffset } = records[first]!.message;
    let next = first;
    let end = byteOffset;
    for (; next < records.length; next++) {
      const { message } = records[next]!;
      if (message.buffer !== buffer || message.byteOffset < end) break;
      end = message.byteOffset + message.length;
    }
    const stretch = Buffer.from(buffer, byteOffset, end - byteOffset);
    const before = indexes.length;
    for (const needle of needles) {
      const found = indexes.length;
      search(stretch, needle, records, first, indexes);
      isMixed ||= found > before && indexes.length > found;
    }
    first = next;
  }
  return isMixed ? [...new Set(indexes)].sort((a, b) => a - b) : indexes;
}

/** Searches a stretch, which begins with the message of the record at `first`, and ends with that of a later one. */
function search(
  stretch: Buffer,
  needle: Buffer,
  records: readonly LogRecord[],
  first: number,
  indexes: number[],
): void {
  let index = first;
  for (let at = stretch.indexOf(needle); at !== -1; ) {
    const start = stretch.byteOffset + at;
    while (endOf(records[index]!) <= start) index++;
    const record = records[index]!;
    const isInside = start >= record.message.byteOffset && start + needle.length <= endOf(record);
    if (isInside) indexes.push(index);
    // Otherwise it lies between two messages, or crosses the end of one.
    at = stretch.indexOf(needle, isInside ? endOf(record) - stretch.byteOffset : at + 1);
  }
}

function endOf({ message }: LogRecord): number {
  return message.byteOffset + message.length;
}
