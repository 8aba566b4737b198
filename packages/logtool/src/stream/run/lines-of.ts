import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type LineParser, MAX_LINE_BYTES } from './line-parser.ts';
import { nameOf } from './source-report.ts';

/** Lines are read from their bytes this many at a time. */
const BATCH_LINES = 128;
/** Where many containers wait for one another with theirs. A single one would take a third more time so. */
const SMALL_BATCH_LINES = 64;
const MANY_CONTAINERS = 16;

/** How many lines to turn into records at once, if this many containers are read at the same time. */
export function batchLinesFor(containers: number): number {
  return containers > MANY_CONTAINERS ? SMALL_BATCH_LINES : BATCH_LINES;
}

/**
 * The records that are complete with this chunk, in batches, which the consumer may empty once used. Throws
 * what the parser throws, after the records before it.
 */
export function* linesOf(
  chunk: Uint8Array,
  parser: LineParser,
  batchLines = BATCH_LINES,
): Generator<LogRecord[], void, undefined> {
  for (let at = 0; at < chunk.length; ) {
    const lines: LogRecord[] = [];
    let failure: { readonly error: unknown } | undefined;
    try {
      at = parser.push(chunk, lines, at, batchLines);
    } catch (error) {
      failure = { error };
    }
    yield lines;
    if (failure !== undefined) throw failure.error;
  }
}

/** Reports that lines of a container were longer than can be held. */
export function cutNotice(target: ContainerTarget, lines: number): Frame {
  const data = { container: nameOf(target), lines, limitBytes: MAX_LINE_BYTES };
  return { type: 'notice', code: 'line-cut', data };
}
