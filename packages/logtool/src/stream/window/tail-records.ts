import type { LogRecord } from '../../domain/record.ts';
import { SHAPE } from '../../domain/records/line-shape.ts';
import { MAX_LINE_DISTANCE_MS, MAX_RECORD_LINES } from '../../domain/records/open-record.ts';
import { leveledLine } from '../match/leveled-line.ts';
import { RecordLines } from '../match/record-lines.ts';
import type { RecordTests } from '../match/record-tests.ts';
import { isKept } from './tail-keeper.ts';

/** Lines that may wait for proof that they belong to the preceding record. */
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
  return !known.slice(0, first + 1).some((record, index) => isBorder(known[index - 1], record, index));
}

/** Whether a record certainly ends before this line, wherever it began. */
function isBorder(previous: LogRecord | undefined, record: LogRecord, index: number): boolean {
  if (previous === undefined) return false;
  if (previous.run !== record.run || msBetween(previous, record) > MAX_LINE_DISTANCE_MS) return true;
  if (index < UNCERTAIN_LINES || !isKept(record)) return false;
  const { shape } = leveledLine(record);
  return shape === SHAPE.plain || shape === SHAPE.alarm;
}

function msBetween({ at: a }: LogRecord, { at: b }: LogRecord): number {
  return (b.seconds - a.seconds) * 1000 + (b.nanos - a.nanos) / 1e6;
}
