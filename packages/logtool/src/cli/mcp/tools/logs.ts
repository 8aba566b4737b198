import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import { z } from 'zod';
import { cursorAfter, cursorBefore, type PageCursor, parsePageCursor } from '../answer/cursor.ts';
import { type FittedLines, fitLines } from '../answer/fit-lines.ts';
import { type FittedPage, pageAnswer } from '../answer/page-answer.ts';
import { withIds } from '../answer/record-line.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';
import { noteText } from '../messages/notes.ts';
import { STOPPED_NOTE, summaryText } from '../messages/summary.ts';
import { PageReader } from '../page-reader.ts';
import type { ReadPage } from '../read-page.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, PAGE, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.logs;

export const logs = tool({
  name: 'logs',
  ...DESCRIPTIONS.logs,
  input: z.object({
    source: SOURCE,
    ...FILTERS,
    cursor: z.string().max(100).optional().describe(FIELDS.cursor),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: PAGE,
  async call(reader, given, signal) {
    const maxBytes = given.max_bytes;
    const cursor = given.cursor === undefined ? undefined : parsePageCursor(given.cursor);
    const end = endOf(given.since, cursor);
    const pages = new PageReader({ reader, client: await reader.client(), given, maxBytes, signal });
    const page = await (end === 'head' ? pages.first(cursor) : pages.last(cursor));
    const isFiltered = (given.grep ?? given.exclude ?? given.level) !== undefined;
    const lines = withIds(page.lines, isFiltered);
    const isOpenEnded = given.until === undefined && cursor?.side !== 'before';
    const later = isOpenEnded ? await laterCursor(page, { end, cursor, pages }) : undefined;
    return pageAnswer(maxBytes, (room) => {
      const fitted = fitLines(lines, { end, room });
      return fittedPage(page, fitted, { end, cursor, later });
    });
  },
});

/**
 * Like `logtool logs`: reads forward from a beginning if there is one, otherwise backward from the newest
 * record.
 */
function endOf(since: string | undefined, cursor: PageCursor | undefined): 'head' | 'tail' {
  if (cursor !== undefined) return cursor.side === 'before' ? 'tail' : 'head';
  return since === undefined ? 'tail' : 'head';
}

interface PageSide {
  readonly end: 'head' | 'tail';
  /** The cursor that led to the page. */
  readonly cursor: PageCursor | undefined;
  /** For records written later. */
  readonly later: PageCursor | undefined;
}

function fittedPage(page: ReadPage, fitted: FittedLines, { end, cursor, later }: PageSide): FittedPage {
  const { lines, left } = fitted;
  const isTruncated = page.hasMore || page.isStopped || left > 0;
  const isWhole = page.troubles.length === 0;
  const next = isTruncated ? (cursorAfter(lines, cursor) ?? cursor) : later;
  return {
    lines,
    summary: summaryText({ lines, end, isTruncated, isWhole, containers: page.containers }),
    isTruncated,
    older: end === 'tail' && isTruncated ? (cursorBefore(lines, cursor) ?? cursor) : undefined,
    newer: end === 'head' ? next : later,
    notes: [...(page.isStopped ? [STOPPED_NOTE] : []), ...page.troubles.map(noteText)],
  };
}

/** Returns the position after all records of a page: later records may have the same time as the last one. */
async function laterCursor(
  { lines, hasMore }: ReadPage,
  { end, cursor, pages }: Pick<PageSide, 'end' | 'cursor'> & { readonly pages: PageReader },
): Promise<PageCursor | undefined> {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return cursor;
  // A tail may lack records of its first time.
  const isIncomplete = end === 'tail' && hasMore && compareTimestamps(first.at, last.at) === 0;
  return isIncomplete
    ? { side: 'from', at: last.at, shown: await pages.countAt(last.at) }
    : cursorAfter(lines, cursor);
}
