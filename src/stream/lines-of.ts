import type { LogRecord } from '../domain/record.ts';
import type { LineParser } from './line-parser.ts';

/** Lines are read from their bytes so many at a time: a hundred containers wait for one another with theirs. */
const BATCH_LINES = 128;

export interface LinesRead {
  readonly lines: LogRecord[];
  /** What is behind these lines is none. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** The records that are complete with this chunk, in batches. A batch may be emptied by whoever used it up. */
export function* linesOf(chunk: Uint8Array, parser: LineParser): Generator<LinesRead, void, undefined> {
  for (let at = 0; at < chunk.length; ) {
    const lines: LogRecord[] = [];
    let failure: LinesRead['failure'];
    try {
      at = parser.push(chunk, lines, at, BATCH_LINES);
    } catch (error) {
      failure = { error };
    }
    yield { lines, failure };
    if (failure !== undefined) return;
  }
}
