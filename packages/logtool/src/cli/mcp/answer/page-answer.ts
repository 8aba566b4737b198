import { cursorText } from '../messages/answer.ts';
import { byteLength, clipBytes } from './clip.ts';
import {
  type Answer,
  composeText,
  countKinds,
  fitNotes,
  newFence,
  redactedList,
  redactedText,
} from './compose.ts';
import { formatPageCursor, type PageCursor } from './cursor.ts';
import { type Room, sizeOf } from './fit-lines.ts';
import { lineText, type RecordLine } from './record-line.ts';

/** A page of lines as far as there is room for it. */
export interface FittedPage {
  readonly lines: readonly RecordLine[];
  /** What the page is, in a line. */
  readonly summary: string;
  /** Records exist before or after it that were left out, or not read. */
  readonly isTruncated: boolean;
  readonly older?: PageCursor | undefined;
  readonly newer?: PageCursor | undefined;
  readonly notes: readonly string[];
}

/** Tries until both forms fit; each leaves out at least what was too much. */
const MAX_TRIES = 12;

/**
 * Both forms of a page, neither of which is a byte longer than `maxBytes`. `fit` chooses lines for a room, and what is
 * to be said of what they leave out.
 */
export function pageAnswer(maxBytes: number, fit: (room: Room) => FittedPage): Answer {
  const fence = newFence();
  let room: Room = { text: maxBytes - 200, structured: maxBytes - 120 };
  for (let attempt = 0; ; attempt++) {
    const page = fit(attempt === MAX_TRIES ? { text: 0, structured: 0 } : room);
    const answer = answerOf(page, maxBytes, fence);
    const excess = {
      text: byteLength(answer.text) - maxBytes,
      structured: byteLength(JSON.stringify(answer.structured)) - maxBytes,
    };
    if (excess.text <= 0 && excess.structured <= 0) return answer;
    if (attempt === MAX_TRIES) return { ...answer, text: clipBytes(answer.text, maxBytes) };
    // Of what the lines took: of the room, they may have left more than the excess free.
    const taken = sizeOf(page.lines);
    room = {
      text: excess.text > 0 ? Math.min(room.text, taken.text) - excess.text : room.text,
      structured:
        excess.structured > 0
          ? Math.min(room.structured, taken.structured) - excess.structured
          : room.structured,
    };
  }
}

function answerOf(
  { lines, summary, isTruncated, older, newer, notes }: FittedPage,
  maxBytes: number,
  fence: string,
): Answer {
  const counts = countKinds(lines.flatMap(({ kinds }) => kinds));
  const redacted = redactedText(counts);
  const cursors = {
    ...(older === undefined ? {} : { older: formatPageCursor(older) }),
    ...(newer === undefined ? {} : { newer: formatPageCursor(newer) }),
  };
  const shownNotes = fitNotes(notes, maxBytes);
  const head = [
    summary,
    ...Object.entries(cursors).map(([side, cursor]) => cursorText(side, cursor)),
    ...(redacted === undefined ? [] : [redacted]),
  ];
  return {
    text: composeText({ head, notes: shownNotes, data: lines.map(lineText) }, fence),
    structured: {
      summary,
      records: lines.map(({ fields }) => fields),
      truncated: isTruncated,
      ...cursors,
      redacted: redactedList(counts),
      notes: shownNotes,
    },
  };
}
