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

/** The lines of a page that fit. */
export interface FittedPage {
  readonly lines: readonly RecordLine[];
  /** Describes the page in one line. */
  readonly summary: string;
  /** More records exist before or after the page, omitted or unread. */
  readonly isTruncated: boolean;
  readonly older?: PageCursor | undefined;
  readonly newer?: PageCursor | undefined;
  readonly notes: readonly string[];
}

/** Tries until both forms fit; each attempt removes at least the excess. */
const MAX_TRIES = 12;

/**
 * Composes both forms of a page, each at most `maxBytes` bytes. `fit` selects the lines for a given room, and
 * the notes on what it omits.
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
    // Reduces the size the lines took, not the room: they may leave more than the excess unused.
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
