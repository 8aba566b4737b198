import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import { z } from 'zod';
import { nextTime } from '../../../domain/coverage/interval.ts';
import { type Cursor, formatCursor, parseCursor } from '../../../domain/cursor.ts';
import type { Answer } from '../answer/compose.ts';
import { cursorAt, isCounted, type PageCursor, parsePageCursor } from '../answer/cursor.ts';
import { type FittedLines, fitLines, type Room, splitsTime } from '../answer/fit-lines.ts';
import { type FittedPage, pageAnswer } from '../answer/page-answer.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { noteText } from '../messages/notes.ts';
import { STOPPED_NOTE, summaryText } from '../messages/summary.ts';
import { planRead } from '../plan-read.ts';
import { type ReadPage, readPage } from '../read-page.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, PAGE, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

/** A line of an answer takes at least about so much: its time, pod and container. */
const MIN_LINE_BYTES = 56;
const MAX_MESSAGE_BYTES = 8 * 1024;

export const logs = tool({
  name: 'logs',
  ...DESCRIPTIONS.logs,
  input: z.object({
    source: SOURCE,
    ...FILTERS,
    cursor: z
      .string()
      .max(100)
      .optional()
      .describe('Continue at a cursor of an earlier answer (older or newer), with the same other arguments'),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: PAGE,
  async call(reader, given, signal) {
    const maxBytes = given.max_bytes;
    const cursor = given.cursor === undefined ? undefined : parsePageCursor(given.cursor);
    const end = endOf(given.since, cursor);
    const client = await reader.client();
    const request: LogsRequest = {
      end,
      cursor,
      maxBytes,
      isFiltered: (given.grep ?? given.exclude ?? given.level) !== undefined,
      hasFixedEnd: given.until !== undefined || cursor?.side === 'before',
      async read(count, isCountedPage) {
        const plan = await planRead(reader, client, given, { count, end, cursor, isCounted: isCountedPage });
        return readPage(reader, client, plan, pageLimits(maxBytes), signal);
      },
    };
    if (cursor !== undefined && isCounted(cursor)) return countedAnswer(request);
    const page = await request.read(pageCount(maxBytes), false);
    let isSplit = false;
    const answer = pageAnswer(maxBytes, (room) => {
      const fitted = fitLines(page.lines, { end, room, hasMore: hasMore(page), cutsAtTimes: true });
      isSplit = isCut(page, fitted) && (splitsTime(page, fitted, end) || isOneTime(page, fitted));
      return fittedPage(page, fitted, request);
    });
    return isSplit ? countedAnswer(request) : answer;
  },
});

interface LogsRequest {
  readonly end: 'head' | 'tail';
  readonly cursor: PageCursor | undefined;
  readonly maxBytes: number;
  readonly isFiltered: boolean;
  /** Records that are written later do not belong to it. */
  readonly hasFixedEnd: boolean;
  readonly read: (count: number, isCounted: boolean) => Promise<ReadPage>;
}

/** Records of a page that could all be shown. */
function pageCount(maxBytes: number): number {
  return Math.ceil(maxBytes / MIN_LINE_BYTES);
}

export function pageLimits(maxBytes: number) {
  return { bytes: maxBytes, messageBytes: Math.min(MAX_MESSAGE_BYTES, Math.floor(maxBytes / 3)) };
}

/** As `logtool logs`: a beginning is read from there on, all else from the newest record back. */
function endOf(since: string | undefined, cursor: PageCursor | undefined): 'head' | 'tail' {
  if (cursor !== undefined) return cursor.side === 'before' ? 'tail' : 'head';
  return since === undefined ? 'tail' : 'head';
}

function hasMore({ hasMore: isMore, isStopped }: ReadPage): boolean {
  return isMore || isStopped;
}

function isCut(page: ReadPage, { left }: FittedLines): boolean {
  return hasMore(page) || left > 0;
}

/** Whether nothing shows if what follows has the same time. */
function isOneTime(page: ReadPage, { lines }: FittedLines): boolean {
  return lines.length === page.lines.length && hasMore(page) && lines.length > 0;
}

/**
 * A page of records of which many have the same time: its cursor counts them, which only the engine can. It is asked
 * for fewer until all that it gives fit.
 */
async function countedAnswer(request: LogsRequest): Promise<Answer> {
  const { end, maxBytes } = request;
  for (let count = pageCount(maxBytes); ; ) {
    const page = await request.read(count, true);
    let shown = 0;
    const answer = pageAnswer(maxBytes, (room: Room) => {
      const fitted = fitLines(page.lines, { end, room });
      shown = fitted.lines.length;
      const cut = { older: end === 'tail' ? edgeOf(page, 'before') : undefined, newer: edgeOf(page, 'from') };
      const plain = fittedPage(page, fitted, request);
      if (!plain.isTruncated) return plain;
      return { ...plain, older: cut.older, newer: end === 'head' ? cut.newer : plain.newer };
    });
    if (shown === page.lines.length || shown === 0) return answer;
    count = shown;
  }
}

function edgeOf({ edge }: ReadPage, side: PageCursor['side']): PageCursor | undefined {
  return edge && { side, at: textOf(edge) };
}

/** With its count, also where that is 0: a cursor, not a time. */
function textOf(cursor: Cursor): string {
  const text = formatCursor(cursor);
  return cursor.shown === 0 ? `${text}~0` : text;
}

function fittedPage(page: ReadPage, fitted: FittedLines, request: LogsRequest): FittedPage {
  const { end } = request;
  const isTruncated = isCut(page, fitted);
  const { lines } = fitted;
  const [first, last] = [lines[0], lines.at(-1)];
  const isWhole = page.troubles.length === 0;
  return {
    lines,
    summary: summaryText({ lines, end, isTruncated, isWhole, containers: page.containers }),
    isTruncated,
    older: end === 'tail' && isTruncated ? first && cursorAt('before', first.at) : undefined,
    newer:
      end === 'head' && isTruncated
        ? last && cursorAt('from', nextTime(last.at))
        : laterCursor(lines, request),
    notes: [...(page.isStopped ? [STOPPED_NOTE] : []), ...page.troubles.map(noteText)],
  };
}

/** For records that are written later: some may have the time of the last one. */
function laterCursor(
  lines: FittedLines['lines'],
  { isFiltered, hasFixedEnd, cursor }: LogsRequest,
): PageCursor | undefined {
  const last = lines.at(-1);
  if (last === undefined || hasFixedEnd) return undefined;
  if (isFiltered) return cursorAt('from', nextTime(last.at));
  const began = cursor && parseCursor(cursor.at);
  const before = began !== undefined && compareTimestamps(began.at, last.at) === 0 ? began.shown : 0;
  const ofItsTime = lines.filter(({ at }) => compareTimestamps(at, last.at) === 0).length;
  return cursorAt('from', last.at, before + ofItsTime);
}
