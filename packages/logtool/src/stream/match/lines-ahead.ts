import type { LogRecord, Source } from '../../domain/record.ts';
import { SHAPE, type Shape, shapeTest } from '../../domain/records/line-shape.ts';
import { headText, type LevelledLine, unlevelledLine } from './levelled-line.ts';

/** Only these let a line join that is not of a trace by its own text. */
const mayOpen = shapeTest([SHAPE.rustPanicOpen, SHAPE.nodeFile]);

/** Lines that begin a record whatever stands before them, but for what `mayOpen` finds. */
const BORDERS: ReadonlySet<Shape> = new Set([SHAPE.plain, SHAPE.alarm]);

/**
 * Of a container, where a batch is gone through from its end. `read`: the line before belongs to those that must be
 * read; `border`: so it does if it may hold the line after it; `free`: no line that matches is near.
 */
type Walk = 'read' | 'border' | 'free';

/**
 * Which lines of a batch must be read to know the records of those that match, and what each container has come to at
 * its end: those, and the ones before them back to one that begins a record whatever stands before it. All others,
 * undefined here, belong to records of which no line passes. `matching`: in the order of the batch.
 */
export function linesToRead(
  batch: readonly LogRecord[],
  matching: readonly LogRecord[],
): readonly (LevelledLine | undefined)[] {
  const toRead = new Array<LevelledLine | undefined>(batch.length).fill(undefined);
  const walks = new Map<string, Walk>();
  let source: Source | undefined;
  let walk: Walk = 'read';
  let nextMatch = matching.length - 1;
  for (let index = batch.length - 1; index >= 0; index--) {
    const record = batch[index]!;
    if (record.source !== source) {
      if (source !== undefined) walks.set(source.target.id, walk);
      source = record.source;
      walk = walks.get(source.target.id) ?? 'read';
    }
    const isMatch = record === matching[nextMatch];
    if (isMatch) nextMatch--;
    walk = isMatch ? 'read' : reaching(walk, record);
    if (walk === 'free') continue;
    const line = unlevelledLine(record, isMatch);
    toRead[index] = line;
    if (BORDERS.has(line.shape)) walk = 'border';
  }
  return toRead;
}

/** A border is none before a line that may hold the one after it. */
function reaching(walk: Walk, record: LogRecord): Walk {
  if (walk !== 'border') return walk;
  return mayOpen(headText(record)) ? 'read' : 'free';
}
