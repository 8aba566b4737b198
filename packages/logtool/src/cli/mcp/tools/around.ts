import { z } from 'zod';
import { nextTime } from '../../../domain/coverage/interval.ts';
import { cursorAt, parsePageCursor } from '../answer/cursor.ts';
import { fitLines, type Room, sizeOf, splitsTime } from '../answer/fit-lines.ts';
import { type FittedPage, pageAnswer } from '../answer/page-answer.ts';
import type { RecordLine } from '../answer/record-line.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { noteText } from '../messages/notes.ts';
import { aroundText, STOPPED_NOTE } from '../messages/summary.ts';
import { planRead } from '../plan-read.ts';
import { type ReadPage, readPage } from '../read-page.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, PAGE, SOURCE } from './arguments.ts';
import { pageLimits } from './logs.ts';
import { tool } from './tool.ts';

const MAX_LINES = 1000;
const DEFAULT_LINES = 20;
const lines = z.int().min(0).max(MAX_LINES).default(DEFAULT_LINES);

export const around = tool({
  name: 'around',
  ...DESCRIPTIONS.around,
  input: z.object({
    source: SOURCE,
    cursor: z.string().max(100).describe('The time of a record as another answer has it, or a cursor'),
    before: lines.describe('Records before the cursor'),
    after: lines.describe('Records from the cursor on'),
    all_containers: FILTERS.all_containers,
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: PAGE,
  async call(reader, given, signal) {
    const { at } = parsePageCursor(given.cursor);
    const { source, all_containers, before, after, max_bytes: maxBytes } = given;
    const client = await reader.client();
    const read = async (end: 'head' | 'tail', count: number) => {
      const cursor = { side: end === 'tail' ? 'before' : 'from', at } as const;
      const plan = await planRead(reader, client, { source, all_containers }, { count, end, cursor });
      return readPage(reader, client, plan, pageLimits(maxBytes), signal);
    };
    const [earlier, later] = await Promise.all([read('tail', before + 1), read('head', after + 1)]);
    const sides = { earlier: { page: earlier, maxLines: before }, later: { page: later, maxLines: after } };
    return pageAnswer(maxBytes, (room) => fittedSides(sides, room));
  },
});

/** Records on one side of the cursor: one more than are asked for was read, which shows that there are more. */
interface Side {
  readonly page: ReadPage;
  readonly maxLines: number;
}

/** What one side leaves of its half is for the other one. */
function fittedSides(sides: { readonly earlier: Side; readonly later: Side }, room: Room): FittedPage {
  const half = { text: Math.floor(room.text / 2), structured: Math.floor(room.structured / 2) };
  const small = fitSide(sides.earlier, 'tail', half);
  const after = fitSide(sides.later, 'head', restOf(room, small.lines));
  const before = fitSide(sides.earlier, 'tail', restOf(room, after.lines));
  const [earlier, later] = [sides.earlier.page, sides.later.page];
  const first = before.lines[0];
  const last = after.lines.at(-1);
  const hasOlder = earlier.hasMore || before.left > 0;
  const hasNewer = later.hasMore || after.left > 0;
  const notes = [...new Set([...earlier.troubles, ...later.troubles].map(noteText))];
  return {
    lines: [...before.lines, ...after.lines],
    summary: aroundText(
      before.lines.length,
      after.lines.length,
      Math.max(earlier.containers, later.containers),
    ),
    isTruncated: hasOlder || hasNewer,
    older:
      hasOlder && !splitsTime(earlier, before, 'tail') ? first && cursorAt('before', first.at) : undefined,
    newer:
      last === undefined || splitsTime(later, after, 'head')
        ? undefined
        : cursorAt('from', nextTime(last.at)),
    notes: earlier.isStopped || later.isStopped ? [STOPPED_NOTE, ...notes] : notes,
  };
}

function fitSide({ page, maxLines }: Side, end: 'head' | 'tail', room: Room) {
  return fitLines(page.lines, { end, room, maxLines });
}

function restOf(room: Room, used: readonly RecordLine[]): Room {
  const size = sizeOf(used);
  return { text: room.text - size.text, structured: room.structured - size.structured };
}
