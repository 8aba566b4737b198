import type { LogRecord } from '../../domain/record.ts';
import { SHAPE, type Shape } from '../../domain/records/line-shape.ts';
import { unlevelledLine } from './levelled-line.ts';

/** Nothing else lets a line join that is not of a trace by its own text. */
const OPENERS: ReadonlySet<Shape> = new Set([SHAPE.rustPanicOpen, SHAPE.nodeFile]);

/** Of a container, where a batch is gone through from its end. */
interface Walk {
  /**
   * `read`: the line before belongs to those that must be read; `border`: so it does if it may hold the line after it;
   * `free`: no line that may pass is near.
   */
  state: 'read' | 'border' | 'free';
}

/**
 * Which lines of a batch must be read to know the records of those that may pass, and what each container has come to
 * at its end: those, and the ones before them back to one that begins a record whatever stands before it. All others
 * belong to records of which no line passes.
 */
export function linesToRead(batch: readonly LogRecord[], mayPass: ReadonlySet<LogRecord>): Uint8Array {
  const toRead = new Uint8Array(batch.length);
  const walks = new Map<string, Walk>();
  for (let index = batch.length - 1; index >= 0; index--) {
    const record = batch[index]!;
    const walk = walkOf(walks, record.source.target.id);
    const passes = mayPass.has(record);
    if (walk.state === 'free' && !passes) continue;
    const { shape } = unlevelledLine(record);
    walk.state = passes ? 'read' : stateBefore(walk.state, shape);
    if (walk.state === 'free') continue;
    toRead[index] = 1;
    if (shape === SHAPE.plain || shape === SHAPE.alarm) walk.state = 'border';
  }
  return toRead;
}

function stateBefore(state: Walk['state'], shape: Shape): Walk['state'] {
  if (state !== 'border') return state;
  return OPENERS.has(shape) ? 'read' : 'free';
}

function walkOf(walks: Map<string, Walk>, id: string): Walk {
  let walk = walks.get(id);
  if (walk === undefined) {
    walk = { state: 'read' };
    walks.set(id, walk);
  }
  return walk;
}
