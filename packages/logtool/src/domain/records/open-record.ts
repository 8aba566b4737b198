import type { Shape } from './line-shape.ts';
import { isMessage, isUncertain, type RecordState, startOf, stateAfter } from './record-rules.ts';

/** Maximum distance of two consecutive lines of one record, in ms. */
export const MAX_LINE_DISTANCE_MS = 1000;
/**
 * Maximum distance of a further line of a message to the line before it, in ms. Runtimes write a message
 * in one piece: recorded distances are below 14 ms on a busy machine (test/recorded/processes).
 */
export const MAX_MESSAGE_DISTANCE_MS = 100;
/**
 * Maximum lines of a record: further lines begin another. A Java exception has up to 1,024 frames by default
 * (`-XX:MaxJavaStackTraceDepth`), and each of its causes as many.
 */
export const MAX_RECORD_LINES = 2_500;
/** The same limit in bytes of its messages. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** Maximum lines that may wait for proof that they belong to the record. */
export const MAX_WAITING = 16;

/** A line as the rules see it. */
export interface ShapedLine {
  readonly shape: Shape;
  /** Bytes of its message. */
  readonly bytes: number;
  readonly seconds: number;
  readonly nanos: number;
}

/** The record that the last line of a container began or joined, as known so far. An immutable value. */
export interface OpenRecord {
  readonly state: RecordState;
  readonly lines: number;
  readonly bytes: number;
  /** Following lines that belong to it only if a later one proves it; until then each is a separate record. */
  readonly waiting: number;
  /** The last line. */
  readonly last: ShapedLine;
}

/** Takes the next line of the same run of the same container. Constant time and memory, whatever the lines contain. */
export function takeLine(open: OpenRecord | undefined, line: ShapedLine): OpenRecord {
  if (open === undefined || !isNear(open.last, line, MAX_LINE_DISTANCE_MS)) return begin(line);
  const state = stateAfter(open.state, line.shape);
  const isFar = state !== undefined && isMessage(state) && !isNear(open.last, line, MAX_MESSAGE_DISTANCE_MS);
  if (state === undefined || isFar) return open.waiting > 0 ? takeLine(begin(open.last), line) : begin(line);
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

function isNear(a: ShapedLine, b: ShapedLine, maxMs: number): boolean {
  const ms = (b.seconds - a.seconds) * 1000 + (b.nanos - a.nanos) / 1e6;
  return Math.abs(ms) <= maxMs;
}

/** Whether the next line may belong to the record. */
export function isOpen({ state }: OpenRecord): boolean {
  return state !== 'none' && state !== 'closed';
}

/** Returns how many lines the record spans from its head to the last line, both included. */
export function spanOf({ lines, waiting }: OpenRecord): number {
  return lines + waiting;
}
