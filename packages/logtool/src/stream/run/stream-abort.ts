import { BodyError } from './line-parser.ts';

const TIMESTAMP_BEGINS = /^\d{1,4}(?:$|-\d{0,2}(?:$|-))/;

/** A timestamp that is cut itself, at the end of a body, shows that the body was. */
export function isCutTimestamp(error: unknown): boolean {
  return error instanceof BodyError && TIMESTAMP_BEGINS.test(error.text);
}

/** A stream that was ended on this side, or is no more worth a word than that. */
export class StreamAbort extends Error {}

/** What is answered is the log of another pod, which has the name now. */
export class PodReplaced extends StreamAbort {}

/** The reader may not read this log any more; the cluster itself has not ended the answer. */
export class AccessWithdrawn extends StreamAbort {}
