import type { LogRecord } from '../../domain/record.ts';
import { BodyError, type LineParser } from './line-parser.ts';

const TIMESTAMP_BEGINS = /^\d{1,4}(?:$|-\d{0,2}(?:$|-))/;

/** What is left behind the last newline. A timestamp that is cut itself shows that the body was. */
export function lastLine(parser: LineParser): LogRecord | undefined {
  try {
    return parser.end();
  } catch (error) {
    if (error instanceof BodyError && TIMESTAMP_BEGINS.test(error.text)) throw new StreamAbort();
    throw error;
  }
}

/** A stream that was ended on this side, or is no more worth a word than that. */
export class StreamAbort extends Error {}

/** What is answered is the log of another pod, which has the name now. */
export class PodReplaced extends StreamAbort {}

/** The reader may not read this log any more; the cluster itself has not ended the answer. */
export class AccessWithdrawn extends StreamAbort {}
