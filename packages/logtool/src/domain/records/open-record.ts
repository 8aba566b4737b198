import type { Shape } from './line-shape.ts';
import { isUncertain, type RecordState, startOf, stateAfter } from './record-rules.ts';

/** Two lines of one record are at most this far apart, in ms. */
export const MAX_LINE_DISTANCE_MS = 1000;
/** A record has at most this many lines: what follows begins another. */
export const MAX_RECORD_LINES = 500;
/** The same in bytes of its messages. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** Lines that may wait for one that shows that they belong to the record. */
const MAX_WAITING = 16;

/** A line as the rules see it. */
export interface ShapedLine {
  readonly shape: Shape;
  /** Of its message. */
  readonly bytes: number;
  readonly seconds: number;
  readonly nanos: number;
}

/** The record that the last line of a container began or joined, as far as it has come. A value: it never changes. */
export interface OpenRecord {
  readonly state: RecordState;
  readonly lines: number;
  readonly bytes: number;
  /** Lines after these that belong to it only if a later one shows it; until then each is a record of its own. */
  readonly waiting: number;
  /** The last line. */
  readonly last: ShapedLine;
}

/** Takes the next line of the same run of the same container. Constant time and memory, whatever the lines hold. */
export function takeLine(open: OpenRecord | undefined, line: ShapedLine): OpenRecord {
  if (open === undefined || !isNear(open.last, line)) return begin(line);
  const state = stateAfter(open.state, line.shape);
  if (state === undefined) return open.waiting > 0 ? takeLine(begin(open.last), line) : begin(line);
  const count = open.waiting + 1;
  const bytes = open.bytes + line.bytes;
  if (open.lines + count > MAX_RECORD_LINES || bytes > MAX_RECORD_BYTES || count > MAX_WAITING)
    return begin(line);
  if (isUncertain(state)) return { ...open, state, bytes, waiting: count, last: line };
  return { state, lines: open.lines + count, bytes, waiting: 0, last: line };
}

function begin(line: ShapedLine): OpenRecord {
  return { state: startOf(line.shape), lines: 1, bytes: line.bytes, waiting: 0, last: line };
}

function isNear(a: ShapedLine, b: ShapedLine): boolean {
  const ms = (b.seconds - a.seconds) * 1000 + (b.nanos - a.nanos) / 1e6;
  return Math.abs(ms) <= MAX_LINE_DISTANCE_MS;
}

/** Whether the next line may belong to the record. */
export function isOpen({ state }: OpenRecord): boolean {
  return state !== 'none' && state !== 'closed';
}

/** How many lines lie between the head of the record and the last line, both included. */
export function spanOf({ lines, waiting }: OpenRecord): number {
  return lines + waiting;
}
