import type { LogRecord } from '../../domain/record.ts';
import { SHAPE } from '../../domain/records/line-shape.ts';
import { MAX_LINE_DISTANCE_MS, MAX_RECORD_LINES, MAX_WAITING } from '../../domain/records/open-record.ts';
import { leveledLine } from '../match/leveled-line.ts';
import { TEXTS } from '../match/lines-ahead.ts';
import { RecordLines } from '../match/record-lines.ts';
import type { RecordTests } from '../match/record-tests.ts';
import { isKept } from './tail-keeper.ts';

/** Lines with a format of their own that may wait for proof that they belong to the preceding record. */
const UNCERTAIN_LINES = 2;

/**
 * Returns the passing records among the known lines of one container, in order: the lines of each, its head first. A
 * line that was not kept ends a record.
 */
export function passingRecords(known: readonly LogRecord[], tests: RecordTests): LogRecord[][] {
  const passing: LogRecord[][] = [];
  const lines = new RecordLines(tests, Number.POSITIVE_INFINITY);
  const take = (record: LogRecord, role: string | undefined) => {
    if (role === 'match') passing.push([record]);
    else if (role !== undefined) passing.at(-1)!.push(record);
  };
  for (let start = 0; start < known.length; ) {
    const end = endOfKept(known, start);
    lines.addAll(known.slice(start, end), take);
    lines.settleAll(take);
    start = end + 1;
  }
  return passing;
}

/** Returns the end of the range of kept records from an index on. */
function endOfKept(known: readonly LogRecord[], start: number): number {
  let end = start;
  while (end < known.length && isKept(known[end]!)) end++;
  return end;
}

/** Whether the first of these heads may be wrong: the known lines of its container begin in the middle of a record. */
export function lacksHead(known: readonly LogRecord[], heads: ReadonlySet<LogRecord>): boolean {
  const first = known.findIndex((record) => heads.has(record));
  if (first === -1 || first >= MAX_RECORD_LINES) return false;
  let texts = 0;
  for (const [index, record] of known.slice(0, first + 1).entries()) {
    if (isApart(known[index - 1], record)) return false;
    if (!isKept(record)) continue;
    const { shape } = leveledLine(record);
    texts = TEXTS.has(shape) ? texts + 1 : 0;
    const isBorder = shape === SHAPE.plain || shape === SHAPE.alarm;
    if (texts > MAX_WAITING || (isBorder && index >= UNCERTAIN_LINES)) return false;
  }
  return true;
}

/** Whether no record can contain these two consecutive lines. */
function isApart(previous: LogRecord | undefined, record: LogRecord): boolean {
  if (previous === undefined) return false;
  return previous.run !== record.run || msBetween(previous, record) > MAX_LINE_DISTANCE_MS;
}

function msBetween({ at: a }: LogRecord, { at: b }: LogRecord): number {
  return (b.seconds - a.seconds) * 1000 + (b.nanos - a.nanos) / 1e6;
}
