import { z } from 'zod';
import { cursorAfter, cursorBefore, type PageCursor, parsePageCursor } from '../answer/cursor.ts';
import { fitLines, type Room, sizeOf } from '../answer/fit-lines.ts';
import { type FittedPage, pageAnswer } from '../answer/page-answer.ts';
import { type RecordLine, withIds } from '../answer/record-line.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';
import { noteText } from '../messages/notes.ts';
import { aroundText, NO_SUCH_ID_NOTE, STOPPED_NOTE } from '../messages/summary.ts';
import { PageReader } from '../page-reader.ts';
import type { ReadPage } from '../read-page.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, PAGE, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.around;

const MAX_LINES = 1000;
const DEFAULT_LINES = 20;
const lines = z.int().min(0).max(MAX_LINES).default(DEFAULT_LINES);

export const around = tool({
  name: 'around',
  ...DESCRIPTIONS.around,
  input: z.object({
    source: SOURCE,
    cursor: z.string().max(100).describe(FIELDS.cursor),
    before: lines.describe(FIELDS.before),
    after: lines.describe(FIELDS.after),
    all_containers: FILTERS.all_containers,
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: PAGE,
  async call(reader, given, signal) {
    const { source, all_containers, before, after, max_bytes: maxBytes } = given;
    const client = await reader.client();
    const pages = new PageReader({ reader, client, given: { source, all_containers }, maxBytes, signal });
    const position = await positionOf(parsePageCursor(given.cursor), pages);
    const [earlier, later] = await Promise.all([
      pages.last(position.before, before + 1),
      pages.first(position.from, after + 1),
    ]);
    const sides = {
      earlier: { page: earlier, cursor: position.before, maxLines: before },
      later: { page: later, cursor: position.from, maxLines: after },
    };
    const notes = position.isMissing ? [NO_SUCH_ID_NOTE] : [];
    return pageAnswer(maxBytes, (room) => fittedSides(sides, room, notes));
  },
});

/** One position as two cursors: for what comes before it and after it. */
interface Position {
  readonly before: PageCursor;
  readonly from: PageCursor;
  /** No record at that time has the id. */
  readonly isMissing: boolean;
}

/** Cursors count records of one time from its beginning or its end; an id names one of them. */
async function positionOf({ side, at, shown, id }: PageCursor, pages: PageReader): Promise<Position> {
  const isBorder = id === undefined && (shown === undefined || (side === 'from' && shown === 0));
  const start = (isMissing: boolean): Position => ({
    before: { side: 'before', at, shown: undefined },
    from: { side: 'from', at, shown: 0 },
    isMissing,
  });
  if (isBorder) return start(false);
  const { lines } = await pages.allAt(at);
  const own = lines.findIndex((line) => line.id === id);
  if (id !== undefined && own === -1) return start(true);
  const rank = id !== undefined ? own : side === 'from' ? (shown ?? 0) : lines.length - (shown ?? 0);
  return {
    before: { side: 'before', at, shown: Math.max(0, lines.length - rank) },
    from: { side: 'from', at, shown: Math.max(0, rank) },
    isMissing: false,
  };
}

/** Records on one side of the cursor. The call reads one more than requested, to see whether more exist. */
interface Side {
  readonly page: ReadPage;
  readonly cursor: PageCursor;
  readonly maxLines: number;
}

/** Fits both sides into the room; one side may use what the other leaves of its half. */
function fittedSides(
  sides: { readonly earlier: Side; readonly later: Side },
  room: Room,
  ownNotes: readonly string[],
): FittedPage {
  const half = { text: Math.floor(room.text / 2), structured: Math.floor(room.structured / 2) };
  const small = fitSide(sides.earlier, 'tail', half);
  const after = fitSide(sides.later, 'head', restOf(room, small.lines));
  const before = fitSide(sides.earlier, 'tail', restOf(room, after.lines));
  const [earlier, later] = [sides.earlier.page, sides.later.page];
  const hasOlder = earlier.hasMore || before.left > 0;
  const hasNewer = later.hasMore || later.isStopped || after.left > 0;
  const isStopped = earlier.isStopped || later.isStopped;
  const notes = new Set([...earlier.troubles, ...later.troubles].map(noteText));
  return {
    lines: withIds([...before.lines, ...after.lines], false),
    summary: aroundText(
      before.lines.length,
      after.lines.length,
      Math.max(earlier.containers, later.containers),
    ),
    isTruncated: hasOlder || hasNewer,
    older: hasOlder ? (cursorBefore(before.lines, sides.earlier.cursor) ?? sides.earlier.cursor) : undefined,
    newer: cursorAfter(after.lines, sides.later.cursor) ?? sides.later.cursor,
    notes: [...(isStopped ? [STOPPED_NOTE] : []), ...ownNotes, ...notes],
  };
}

function fitSide({ page, maxLines }: Side, end: 'head' | 'tail', room: Room) {
  return fitLines(page.lines, { end, room, maxLines });
}

function restOf(room: Room, used: readonly RecordLine[]): Room {
  const size = sizeOf(used);
  return { text: room.text - size.text, structured: room.structured - size.structured };
}
