import type { LogRecord } from '../record.ts';

/** A record of a log in an explanation. */
export interface ShownLine {
  /** Its first line, truncated if long. */
  readonly record: LogRecord;
  /** Bytes omitted from its first line. */
  readonly cutBytes: number;
  /** For several lines, the most informative one: the cause of a trace. Truncated if long. */
  readonly detail?: string | undefined;
  /** How many lines of the same time and run precede it. */
  readonly ordinal: number;
}

/** A record of a kind that had not been read before. */
export interface NewLine extends ShownLine {
  /** How many records of its kind were read in all. */
  readonly count: number;
  /** Its run had just started, and began in the time range read. */
  readonly isAtStart: boolean;
}

/** The proof of the verdict about errors in a log. */
export interface LogProof {
  readonly firstError: ShownLine;
  /** The first error is of a kind not read before. Otherwise known errors became more frequent. */
  readonly isFirstNew: boolean;
  /** Lines that appeared for the first time shortly before the first error: the most conspicuous ones first. */
  readonly newBefore: readonly NewLine[];
  /** The number of such lines in all. */
  readonly newCount: number;
}
