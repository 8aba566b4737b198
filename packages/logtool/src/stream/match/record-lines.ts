import { isSameRun, type LogRecord, type Run } from '../../domain/record.ts';
import { SHAPE } from '../../domain/records/line-shape.ts';
import { isOpen, type OpenRecord, spanOf, takeLine } from '../../domain/records/open-record.ts';
import { stateAfter } from '../../domain/records/record-rules.ts';
import type { Emit } from './context-lines.ts';
import { type LeveledLine, leveledLine, levelOfLines, unleveledLine } from './leveled-line.ts';
import { linesToRead } from './lines-ahead.ts';
import type { LineTests } from './record-tests.ts';

/** Memory of messages that may wait, over all containers; above it a record is decided by its lines so far. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** The current record of a container. */
interface ContainerLines {
  open: OpenRecord | undefined;
  source: Run | undefined;
  /** The last line included in it. */
  last: LeveledLine | undefined;
  isJson: boolean;
  /** Its lines that were not reported yet. */
  record: LeveledLine[];
  /** Lines after them; a later line decides whether they belong to it. */
  uncertain: LeveledLine[];
  /** Set if it was decided before it was complete: its head, its level, and whether its further lines are shown. */
  decided: { readonly head: LeveledLine; readonly level: number; readonly verdict: Verdict } | undefined;
  /** Whether any line of the record may make it pass. */
  mayPass: boolean;
  /** No line came since the last call of `settleIdle`. */
  isIdle: boolean;
}

/** `possible`: hidden so far, but shown if the pattern matches a further line. */
type Verdict = 'shown' | 'possible' | 'hidden';

/**
 * Receives each record of a container, in order, once it is certain whether it passes: its head, and its level as an
 * index of LEVELS, which is meaningless if levels were not read. `isLate`: it was received earlier as one that does not
 * pass, and a further line shows that it does.
 */
export type OnDecided = (head: LeveledLine, level: number, isShown: boolean, isLate: boolean) => void;

/**
 * Holds the lines of each container until their record is complete (domain/records), and decides the record as a whole
 * (LineTests). Reports its first line as the match, the others as lines that follow it.
 */
export class RecordLines {
  readonly #tests: LineTests;
  readonly #maxBytes: number;
  readonly #onDecided: OnDecided | undefined;
  readonly #byContainer = new Map<string, ContainerLines>();
  readonly #following = new WeakMap<LogRecord, number>();
  #bytes = 0;
  #waiting = 0;

  constructor(tests: LineTests, maxBytes = MAX_WAITING_BYTES, onDecided?: OnDecided) {
    this.#tests = tests;
    this.#maxBytes = maxBytes;
    this.#onDecided = onDecided;
  }

  /** Whether lines wait for later ones. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Returns how many of the last lines of a container, by its id, wait for later ones. */
  waitingOf(id: string): number {
    const lines = this.#byContainer.get(id);
    return lines === undefined ? 0 : lines.record.length + lines.uncertain.length;
  }

  /** Whether the next line of a container, by its id, may belong to the record of the last one. */
  isOpen(id: string): boolean {
    return this.#byContainer.get(id)?.open !== undefined;
  }

  /** Returns how many further lines a record has that was reported as a match. */
  following(match: LogRecord): number {
    return this.#following.get(match) ?? 0;
  }

  /** Takes the next records of containers like `add`, and reads only those that decide what may pass. */
  addAll(batch: readonly LogRecord[], emit: Emit): void {
    const matching = this.#tests.matching?.(batch);
    if (matching === undefined) {
      for (const record of batch) this.add(record, emit);
      return;
    }
    const toRead = linesToRead(batch, matching);
    let lines: ContainerLines | undefined;
    let source: Run | undefined;
    for (let index = 0; index < batch.length; index++) {
      const record = batch[index]!;
      if (lines === undefined || record.run !== source) {
        source = record.run;
        lines = this.#linesOf(source.target.id);
      }
      const line = toRead[index];
      if (line !== undefined) this.#take(lines, this.#lineOf(record, line.isMatch, line), emit);
      else if (lines.mayPass) this.#take(lines, this.#lineOf(record, false), emit);
      else this.#hide(lines, record, emit);
    }
  }

  /** Takes the next record of a container; reports those that are certainly shown or hidden now. */
  add(record: LogRecord, emit: Emit): void {
    this.addLine(this.#lineOf(record), emit);
  }

  /** Takes a line whose shape and level are known. */
  addLine(line: LeveledLine, emit: Emit): void {
    this.#take(this.#linesOf(line.record.run.target.id), line, emit);
  }

  #take(lines: ContainerLines, taken: LeveledLine, emit: Emit): void {
    const { record } = taken;
    const isSame = lines.source !== undefined && isSameRun(lines.source, record.run);
    const line = isSame && mayBeMessage(lines, taken) ? leveledLine(record, taken.isMatch) : taken;
    const open = isSame ? certainOf(lines, line) : undefined;
    const next = takeLine(open, line);
    const span = spanOf(next);
    if (open === undefined || span !== spanOf(open) + 1) {
      this.#close(lines, span - 1, emit);
      if (span === 1) lines.isJson = line.shape === SHAPE.jsonOpen;
    }
    lines.open = next;
    lines.last = line;
    lines.source = record.run;
    lines.isIdle = false;
    lines.mayPass ||= line.isMatch !== false;
    lines.uncertain.push(line);
    this.#bytes += line.bytes;
    this.#waiting++;
    if (next.waiting > 0) return;
    lines.record.push(...lines.uncertain.splice(0));
    if (isOpen(next)) {
      if (lines.decided !== undefined || this.#bytes > this.#maxBytes) this.#report(lines, emit);
      return;
    }
    this.#close(lines, 0, emit);
    lines.open = undefined;
  }

  /** Decides the current record of a container, as if nothing more of it came. */
  settle(id: string, emit: Emit): void {
    const lines = this.#byContainer.get(id);
    if (lines !== undefined) this.#settle(lines, emit);
  }

  /** Decides the records of all containers without a line since the last call. */
  settleIdle(emit: Emit): void {
    for (const lines of this.#byContainer.values()) {
      if (lines.isIdle) this.#settle(lines, emit);
      lines.isIdle = true;
    }
  }

  settleAll(emit: Emit): void {
    for (const lines of this.#byContainer.values()) this.#settle(lines, emit);
  }

  /**
   * Returns a line. Reads levels only where they decide: for matching lines, or before a possible continuation of a
   * record.
   */
  #lineOf(record: LogRecord, isMatch?: boolean, known?: LeveledLine): LeveledLine {
    if (this.#tests.levels !== undefined) return leveledLine(record, isMatch);
    const line = known ?? unleveledLine(record, isMatch);
    return line.shape === SHAPE.alarm && this.#includes(line) ? leveledLine(record, isMatch) : line;
  }

  #includes({ record, isMatch }: LeveledLine): boolean {
    return isMatch ?? this.#tests.includes(record);
  }

  #linesOf(id: string): ContainerLines {
    let lines = this.#byContainer.get(id);
    if (lines === undefined) {
      lines = {
        open: undefined,
        source: undefined,
        last: undefined,
        isJson: false,
        record: [],
        uncertain: [],
        decided: undefined,
        mayPass: false,
        isIdle: false,
      };
      this.#byContainer.set(id, lines);
    }
    return lines;
  }

  /** Hides a line of a record without any matching line, like those that wait. */
  #hide(lines: ContainerLines, record: LogRecord, emit: Emit): void {
    if (lines.open !== undefined) {
      this.#close(lines, 0, emit);
      lines.open = undefined;
      lines.last = undefined;
    }
    emit(record, undefined);
  }

  /** Completes the current record, except for this many of its last lines, which begin the next record. */
  #close(lines: ContainerLines, kept: number, emit: Emit): void {
    const next = lines.uncertain.splice(lines.uncertain.length - kept);
    this.#settle(lines, emit);
    lines.decided = undefined;
    lines.isJson = false;
    lines.mayPass &&= kept > 0;
    lines.record = next;
  }

  #settle(lines: ContainerLines, emit: Emit): void {
    if (lines.record.length > 0) this.#report(lines, emit);
    if (lines.uncertain.length === 0) return;
    // Each is a separate record, and what follows begins another.
    for (const line of lines.uncertain.splice(0)) {
      this.#release(line);
      const isShown = this.#decide([line], false).verdict === 'shown';
      this.#onDecided?.(line, line.level, isShown, false);
      emit(line.record, isShown ? 'match' : undefined);
    }
    lines.open = undefined;
  }

  /** Reports the waiting lines of the record, and decides about further ones. */
  #report(lines: ContainerLines, emit: Emit): void {
    const reported = lines.record.splice(0);
    const before = lines.decided;
    lines.decided =
      before === undefined ? this.#decide(reported, lines.isJson) : this.#decideAgain(before, reported);
    const { head, level, verdict } = lines.decided;
    const isShown = verdict === 'shown';
    const isFirst = isShown && before?.verdict !== 'shown';
    if (before === undefined || isFirst) this.#onDecided?.(head, level, isShown, before !== undefined);
    if (isFirst && reported[0] !== undefined) this.#following.set(reported[0].record, reported.length - 1);
    for (const line of reported) {
      this.#release(line);
      const role = isFirst && line === reported[0] ? 'match' : 'after';
      emit(line.record, isShown ? role : undefined);
    }
  }

  #decide(lines: readonly LeveledLine[], isJson: boolean): NonNullable<ContainerLines['decided']> {
    const { levels, excludes } = this.#tests;
    const [head] = lines;
    if (head === undefined) throw new Error('a record without lines');
    const level = levelOfLines(lines, isJson);
    const isRefused = levels?.has(level) === false || lines.some(({ record }) => excludes(record));
    if (isRefused) return { head, level, verdict: 'hidden' };
    return { head, level, verdict: lines.some((line) => this.#includes(line)) ? 'shown' : 'possible' };
  }

  /** Decides a record again, by its further lines. */
  #decideAgain(
    before: NonNullable<ContainerLines['decided']>,
    further: readonly LeveledLine[],
  ): NonNullable<ContainerLines['decided']> {
    const isFound = before.verdict === 'possible' && further.some((line) => this.#includes(line));
    return isFound ? { ...before, verdict: 'shown' } : before;
  }

  #release({ bytes }: LeveledLine): void {
    this.#bytes -= bytes;
    this.#waiting--;
  }
}

/** Returns the open record before a line. Reads the level of an alarm before the line can continue its record. */
function certainOf({ open, last }: ContainerLines, { shape }: LeveledLine): OpenRecord | undefined {
  if (open === undefined || last?.isLeveled !== false || last.shape !== SHAPE.alarm) return open;
  if (stateAfter('alarm', shape) === undefined) return open;
  const certain = leveledLine(last.record);
  // A line that waits begins a record if this one ends.
  return open.waiting > 0 ? { ...open, last: certain } : takeLine(undefined, certain);
}

/** Whether only its level shows whether a line may be a further line of a message. */
function mayBeMessage({ open }: ContainerLines, { isLeveled, shape }: LeveledLine): boolean {
  if (isLeveled || shape !== SHAPE.alarm || open === undefined) return false;
  return stateAfter(open.state, SHAPE.text) !== undefined;
}
