import { isSameRun, type LogRecord, type Source } from '../../domain/record.ts';
import { SHAPE } from '../../domain/records/line-shape.ts';
import { isOpen, type OpenRecord, spanOf, takeLine } from '../../domain/records/open-record.ts';
import { stateAfter } from '../../domain/records/record-rules.ts';
import type { Emit } from './context-lines.ts';
import { type LevelledLine, levelledLine, levelOfLines, unlevelledLine } from './levelled-line.ts';
import { linesToRead } from './lines-ahead.ts';
import type { LineTests } from './record-tests.ts';

/** Memory of messages that may wait, over all containers; beyond it a record is decided by what came of it so far. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** The record that the lines of a container have come to. */
interface ContainerLines {
  open: OpenRecord | undefined;
  source: Source | undefined;
  /** The line that it was taken from. */
  last: LevelledLine | undefined;
  isJson: boolean;
  /** Its lines that were not reported. */
  record: LevelledLine[];
  /** Lines after them of which a later one decides whether they belong to it. */
  uncertain: LevelledLine[];
  /** It was decided before it was complete: its head, its level, and whether its further lines are shown. */
  decided: { readonly head: LevelledLine; readonly level: number; readonly verdict: Verdict } | undefined;
  /** Whether one of the lines of the record may be why it passes. */
  mayPass: boolean;
  /** No line came since the last call of `settleIdle`. */
  isIdle: boolean;
}

/** `possible`: not yet, but if the pattern matches a further line. */
type Verdict = 'shown' | 'possible' | 'hidden';

/**
 * Receives each record of a container, in order, once it is certain whether it passes: its head, and its level as an
 * index of LEVELS, which says nothing where levels were not read. `isLate`: it was received before as one that does not
 * pass, and a further line shows that it does.
 */
export type OnDecided = (head: LevelledLine, level: number, isShown: boolean, isLate: boolean) => void;

/**
 * Holds the lines of each container until their record is complete (domain/records), and decides of the whole of it
 * (LineTests). Its first line is reported as the match, the others as what follows it.
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

  /** Whether lines wait for those after them. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** How many of the last lines of a container, by its id, wait for those after them. */
  waitingOf(id: string): number {
    const lines = this.#byContainer.get(id);
    return lines === undefined ? 0 : lines.record.length + lines.uncertain.length;
  }

  /** Whether the next line of a container, by its id, may belong to the record of the last one. */
  isOpen(id: string): boolean {
    return this.#byContainer.get(id)?.open !== undefined;
  }

  /** Of a record that was reported as a match: how many lines of it follow. */
  following(match: LogRecord): number {
    return this.#following.get(match) ?? 0;
  }

  /** Takes the next records of containers as `add` does, and reads only those that decide of what may pass. */
  addAll(batch: readonly LogRecord[], emit: Emit): void {
    const matching = this.#tests.matching?.(batch);
    if (matching === undefined) {
      for (const record of batch) this.add(record, emit);
      return;
    }
    const toRead = linesToRead(batch, matching);
    let lines: ContainerLines | undefined;
    let source: Source | undefined;
    for (let index = 0; index < batch.length; index++) {
      const record = batch[index]!;
      if (lines === undefined || record.source !== source) {
        source = record.source;
        lines = this.#linesOf(source.target.id);
      }
      const line = toRead[index];
      if (line !== undefined) this.#take(lines, this.#lineOf(record, line.isMatch, line), emit);
      else if (lines.mayPass) this.#take(lines, this.#lineOf(record, false), emit);
      else this.#hide(lines, record, emit);
    }
  }

  /** Takes the next record of a container; reports those of which it is certain now whether they are shown. */
  add(record: LogRecord, emit: Emit): void {
    this.addLine(this.#lineOf(record), emit);
  }

  /** The same of a record of which the shape and the level are known. */
  addLine(line: LevelledLine, emit: Emit): void {
    this.#take(this.#linesOf(line.record.source.target.id), line, emit);
  }

  #take(lines: ContainerLines, line: LevelledLine, emit: Emit): void {
    const { record } = line;
    const isSame = lines.source !== undefined && isSameRun(lines.source, record.source);
    const open = isSame ? certainOf(lines, line) : undefined;
    const next = takeLine(open, line);
    const span = spanOf(next);
    if (open === undefined || span !== spanOf(open) + 1) {
      this.#close(lines, span - 1, emit);
      if (span === 1) lines.isJson = line.shape === SHAPE.jsonOpen;
    }
    lines.open = next;
    lines.last = line;
    lines.source = record.source;
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

  /** Decides of the record that a container has come to, as if nothing more of it came. */
  settle(id: string, emit: Emit): void {
    const lines = this.#byContainer.get(id);
    if (lines !== undefined) this.#settle(lines, emit);
  }

  /** The same for all containers of which no line came since the last call. */
  settleIdle(emit: Emit): void {
    for (const lines of this.#byContainer.values()) {
      if (lines.isIdle) this.#settle(lines, emit);
      lines.isIdle = true;
    }
  }

  settleAll(emit: Emit): void {
    for (const lines of this.#byContainer.values()) this.#settle(lines, emit);
  }

  /** Levels are read where they decide: of lines that match, or before what may continue a record. */
  #lineOf(record: LogRecord, isMatch?: boolean, known?: LevelledLine): LevelledLine {
    if (this.#tests.levels !== undefined) return levelledLine(record, isMatch);
    const line = known ?? unlevelledLine(record, isMatch);
    return line.shape === SHAPE.alarm && this.#includes(line) ? levelledLine(record, isMatch) : line;
  }

  #includes({ record, isMatch }: LevelledLine): boolean {
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

  /** A line of a record of which no line passes, as those that wait are. */
  #hide(lines: ContainerLines, record: LogRecord, emit: Emit): void {
    if (lines.open !== undefined) {
      this.#close(lines, 0, emit);
      lines.open = undefined;
      lines.last = undefined;
    }
    emit(record, undefined);
  }

  /** What came is complete, but for this many of its last lines, which begin the next record. */
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
    // Each is a record of its own, and what follows begins another.
    for (const line of lines.uncertain.splice(0)) {
      this.#release(line);
      const isShown = this.#decide([line], false).verdict === 'shown';
      this.#onDecided?.(line, line.level, isShown, false);
      emit(line.record, isShown ? 'match' : undefined);
    }
    lines.open = undefined;
  }

  /** Reports the lines of the record that wait, and what is to become of further ones. */
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

  #decide(lines: readonly LevelledLine[], isJson: boolean): NonNullable<ContainerLines['decided']> {
    const { levels, excludes } = this.#tests;
    const [head] = lines;
    if (head === undefined) throw new Error('a record without lines');
    const level = levelOfLines(lines, isJson);
    const isRefused = levels?.has(level) === false || lines.some(({ record }) => excludes(record));
    if (isRefused) return { head, level, verdict: 'hidden' };
    return { head, level, verdict: lines.some((line) => this.#includes(line)) ? 'shown' : 'possible' };
  }

  /** Decides of a record again, by its further lines. */
  #decideAgain(
    before: NonNullable<ContainerLines['decided']>,
    further: readonly LevelledLine[],
  ): NonNullable<ContainerLines['decided']> {
    const isFound = before.verdict === 'possible' && further.some((line) => this.#includes(line));
    return isFound ? { ...before, verdict: 'shown' } : before;
  }

  #release({ bytes }: LevelledLine): void {
    this.#bytes -= bytes;
    this.#waiting--;
  }
}

/** The open record before a line: whether an alarm is one is certain before it is continued. */
function certainOf({ open, last }: ContainerLines, { shape }: LevelledLine): OpenRecord | undefined {
  if (last?.isLevelled !== false) return open;
  const isAlarm = open?.state === 'alarm' && open.lines === 1 && stateAfter('alarm', shape) !== undefined;
  return isAlarm ? takeLine(undefined, levelledLine(last.record)) : open;
}
