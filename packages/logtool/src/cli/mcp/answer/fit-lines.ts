import { byteLength } from './clip.ts';
import { lineText, type RecordLine } from './record-line.ts';

/** The lines of a page that fit into an answer. */
export interface FittedLines {
  readonly lines: readonly RecordLine[];
  /** Lines that were read and omitted: at the end of a head, at the beginning of a tail. */
  readonly left: number;
}

/** Bytes for lines in each form of an answer. */
export interface Room {
  readonly text: number;
  readonly structured: number;
}

interface FitOptions {
  readonly end: 'head' | 'tail';
  readonly room: Room;
  readonly maxLines?: number;
}

/** Returns the size of lines, including separators. */
export function sizeOf(lines: readonly RecordLine[]): Room {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size + 1, 0);
  return {
    text: sum(lines.map((line) => byteLength(lineText(line)))),
    structured: sum(lines.map(({ fields }) => byteLength(JSON.stringify(fields)))),
  };
}

/** Keeps as many lines as fit into both forms, from the beginning (`head`) or the end (`tail`). */
export function fitLines(
  lines: readonly RecordLine[],
  { end, room, maxLines = lines.length }: FitOptions,
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
  const kept = inOrder.slice(0, count);
  return { lines: end === 'head' ? kept : kept.toReversed(), left: lines.length - count };
}
