import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import { byteLength } from './clip.ts';
import { lineText, type RecordLine } from './record-line.ts';

/** Which lines of a page an answer has room for. */
export interface FittedLines {
  readonly lines: readonly RecordLine[];
  /** Lines that were read and left out: at the end of a head, at the beginning of a tail. */
  readonly left: number;
}

/** Bytes that lines take in each form of an answer. */
export interface Room {
  readonly text: number;
  readonly structured: number;
}

interface FitOptions {
  readonly end: 'head' | 'tail';
  readonly room: Room;
  readonly hasMore?: boolean;
  readonly cutsAtTimes?: boolean;
  readonly maxLines?: number;
}

/** What lines take, with what separates them. */
export function sizeOf(lines: readonly RecordLine[]): Room {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size + 1, 0);
  return {
    text: sum(lines.map((line) => byteLength(lineText(line)))),
    structured: sum(lines.map(({ fields }) => byteLength(JSON.stringify(fields)))),
  };
}

/**
 * Keeps as many lines as both forms have room for, from the beginning (`head`) or the end (`tail`). With `cutsAtTimes`,
 * if some are left out, or more follow (`hasMore`), all records of the time at the cut are: the page that continues
 * there then has them all, whatever else was written in that nanosecond. Only where all lines have the same time they
 * stay.
 */
export function fitLines(
  lines: readonly RecordLine[],
  { end, room, hasMore = false, cutsAtTimes = false, maxLines = lines.length }: FitOptions,
): FittedLines {
  const inOrder = end === 'head' ? lines : lines.toReversed();
  let count = 0;
  let [text, structured] = [0, 0];
  for (const line of inOrder.slice(0, maxLines)) {
    const size = sizeOf([line]);
    text += size.text;
    structured += size.structured;
    if (text > room.text || structured > room.structured) break;
    count++;
  }
  if (cutsAtTimes && (count < lines.length || hasMore)) count = wholeTimes(inOrder, count, hasMore);
  const kept = inOrder.slice(0, count);
  return { lines: end === 'head' ? kept : kept.toReversed(), left: lines.length - count };
}

/** The largest number up to `count` where the time of the last line differs from that of the first one left out. */
function wholeTimes(lines: readonly RecordLine[], count: number, hasMore: boolean): number {
  for (let kept = count; kept > 0; kept--) {
    const next = lines[kept];
    // What follows the last line that was read may have its time.
    if (next === undefined ? !hasMore : compareTimestamps(lines[kept - 1]!.at, next.at) !== 0) return kept;
  }
  return count;
}

/** Whether records of one time lie on both sides of the cut. `page`: all lines that were read. */
export function splitsTime(
  page: { readonly lines: readonly RecordLine[] },
  { lines, left }: FittedLines,
  end: 'head' | 'tail',
): boolean {
  const [kept, out] =
    end === 'head' ? [lines.at(-1), page.lines[lines.length]] : [lines[0], page.lines[left - 1]];
  return kept !== undefined && out !== undefined && compareTimestamps(kept.at, out.at) === 0;
}
