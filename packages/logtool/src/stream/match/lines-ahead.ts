import type { LogRecord, Run } from '../../domain/record.ts';
import { SHAPE, type Shape, shapeTest } from '../../domain/records/line-shape.ts';
import { MAX_WAITING } from '../../domain/records/open-record.ts';
import { headText, type LeveledLine, leveledLine, unleveledLine } from './leveled-line.ts';

/** Only after these shapes may a line join that does not look like a part of a trace itself. */
const mayOpen = shapeTest([SHAPE.rustPanicOpen, SHAPE.nodeFile, SHAPE.blank]);

/** Lines that begin a record whatever precedes them, except after what `mayOpen` finds. */
const BORDERS: ReadonlySet<Shape> = new Set([SHAPE.plain, SHAPE.alarm]);

/** Lines that may continue a message, and otherwise begin a record. */
export const TEXTS: ReadonlySet<Shape> = new Set([SHAPE.text, SHAPE.alarmText]);

/**
 * State of a container while going through a batch from its end. `read`: the previous line must be read; `border`: the
 * previous line must be read only if it may include the line after it; `free`: no matching line is near. A number: it
 * must be read, and so many lines of TEXTS follow it.
 */
type Walk = 'read' | 'border' | 'free' | number;

/**
 * Returns which lines of a batch must be read to determine the records of matching lines, and the state of each
 * container at its end: those, and the preceding ones back to one that begins a record whatever precedes it. All
 * others, undefined here, belong to records without a matching line. `matching`: in the order of the batch.
 */
export function linesToRead(
  batch: readonly LogRecord[],
  matching: readonly LogRecord[],
): readonly (LeveledLine | undefined)[] {
  const toRead = new Array<LeveledLine | undefined>(batch.length).fill(undefined);
  const walks = new Map<string, Walk>();
  let source: Run | undefined;
  let walk: Walk = 'read';
  let nextMatch = matching.length - 1;
  for (let index = batch.length - 1; index >= 0; index--) {
    const record = batch[index]!;
    if (record.run !== source) {
      if (source !== undefined) walks.set(source.target.id, walk);
      source = record.run;
      walk = walks.get(source.target.id) ?? 'read';
    }
    const isMatch = record === matching[nextMatch];
    if (isMatch) nextMatch--;
    walk = isMatch ? 'read' : reaching(walk, record);
    if (walk === 'free') continue;
    const line = readLine(record, isMatch);
    toRead[index] = line;
    walk = beforeLine(walk, line);
  }
  return toRead;
}

/** Returns a line, with its level where only that shows whether it may continue a message. */
function readLine(record: LogRecord, isMatch: boolean): LeveledLine {
  const line = unleveledLine(record, isMatch);
  return line.shape === SHAPE.alarm ? leveledLine(record, isMatch) : line;
}

/** Returns the state before a line that was read. */
function beforeLine(walk: Walk, { shape }: LeveledLine): Walk {
  if (BORDERS.has(shape)) return 'border';
  if (!TEXTS.has(shape)) return 'read';
  const texts = typeof walk === 'number' ? walk + 1 : 1;
  // Of more, none can be of a record that began before them.
  return texts > MAX_WAITING ? 'border' : texts;
}

/** A line is not a border if it follows a line that may include it. */
function reaching(walk: Walk, record: LogRecord): Walk {
  if (walk !== 'border') return walk;
  return mayOpen(headText(record)) ? 'read' : 'free';
}
