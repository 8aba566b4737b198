import { levelIndex } from '../../../domain/level.ts';
import type { LogRecord, Run } from '../../../domain/record.ts';
import { type Shape, shapeOf } from '../../../domain/records/line-shape.ts';
import { isOpen, type OpenRecord, spanOf, takeLine } from '../../../domain/records/open-record.ts';
import { MAX_WORDED_UNITS } from '../../../domain/structured/wording.ts';

/**
 * Bytes of a line to decode: what is examined of it, in the longest encoding, and one character to show that
 * it is longer.
 */
const MAX_BYTES = 4 * MAX_WORDED_UNITS;

/** A line with what determines its record. */
export interface GroupedLine {
  readonly record: LogRecord;
  /** Its beginning. */
  readonly text: string;
  /** Its own level, as an index of LEVELS (LEVELS.length: none). */
  readonly level: number;
  readonly shape: Shape;
  /** Number of earlier lines with the same time and run. */
  readonly ordinal: number;
}

type Emit = (lines: readonly GroupedLine[]) => void;

const decoder = new TextDecoder();

/**
 * Groups the lines of one container into records, by the rules of `domain/records`, as the log shows them.
 */
export class LineGroups {
  readonly #emit: Emit;
  #open: OpenRecord | undefined;
  #source: Run | undefined;
  #lines: GroupedLine[] = [];
  #last: GroupedLine | undefined;

  /** `emit` gets the lines of each complete record. */
  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Takes the next line. */
  take(record: LogRecord): void {
    if (record.run !== this.#source) this.settle();
    this.#source = record.run;
    const line = this.#lineOf(record);
    this.#last = line;
    const { seconds, nanos } = record.at;
    const before = this.#open;
    const next = takeLine(before, { shape: line.shape, bytes: record.message.length, seconds, nanos });
    this.#lines.push(line);
    this.#release(this.#lines.splice(0, this.#lines.length - spanOf(next)), before?.lines ?? 0);
    this.#open = next;
    if (next.waiting > 0 || isOpen(next)) return;
    this.settle();
  }

  /** The last record is complete. */
  settle(): void {
    this.#release(this.#lines.splice(0), this.#open?.lines ?? 0);
    this.#open = undefined;
  }

  /**
   * Emits the first `certain` lines as one record; the lines after them waited for a line that did not come,
   * and are one record each.
   */
  #release(lines: readonly GroupedLine[], certain: number): void {
    if (lines.length === 0) return;
    this.#emit(lines.slice(0, Math.max(1, certain)));
    for (const line of lines.slice(Math.max(1, certain))) this.#emit([line]);
  }

  #lineOf(record: LogRecord): GroupedLine {
    const { message, at, run } = record;
    const text = decoder.decode(message.length > MAX_BYTES ? message.subarray(0, MAX_BYTES) : message);
    const level = levelIndex(message);
    const last = this.#last;
    const isSame =
      last?.record.run === run && last.record.at.seconds === at.seconds && last.record.at.nanos === at.nanos;
    return { record, text, level, shape: shapeOf(text, level), ordinal: isSame ? last.ordinal + 1 : 0 };
  }
}
