import type { LogRecord } from '../../domain/record.ts';
import type { LineParser } from './line-parser.ts';

/** Lines are read from their bytes so many at a time. */
const BATCH_LINES = 128;
/** Where many containers wait for one another with theirs. A single one would take a third more time so. */
const SMALL_BATCH_LINES = 64;
const MANY_CONTAINERS = 16;

/** How many lines to make records of at once, where so many containers are read at the same time. */
export function batchLinesFor(containers: number): number {
  return containers > MANY_CONTAINERS ? SMALL_BATCH_LINES : BATCH_LINES;
}

export interface LinesRead {
  readonly lines: LogRecord[];
  /** What is behind these lines is none. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** The records that are complete with this chunk, in batches. A batch may be emptied by whoever used it up. */
export function* linesOf(
  chunk: Uint8Array,
  parser: LineParser,
  batchLines = BATCH_LINES,
): Generator<LinesRead, void, undefined> {
  for (let at = 0; at < chunk.length; ) {
    const lines: LogRecord[] = [];
    let failure: LinesRead['failure'];
    try {
      at = parser.push(chunk, lines, at, batchLines);
    } catch (error) {
      failure = { error };
    }
    yield { lines, failure };
    if (failure !== undefined) return;
  }
}
