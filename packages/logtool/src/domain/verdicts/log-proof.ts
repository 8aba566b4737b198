import type { LogRecord } from '../record.ts';

/** A record of a log that an explanation shows. */
export interface ShownLine {
  /** Its first line, cut if it is long. */
  readonly record: LogRecord;
  /** Bytes of its first line that are left out. */
  readonly cutBytes: number;
  /** Of several lines, the one that says most: the cause of a trace. Cut if it is long. */
  readonly detail?: string | undefined;
  /** How many lines of the same time and run came before it. */
  readonly ordinal: number;
}

/** A record of a kind that had not been read before. */
export interface NewLine extends ShownLine {
  /** How often records of its kind were read in all. */
  readonly count: number;
  /** Its run had just started, and began in the time that was read. */
  readonly isAtStart: boolean;
}

/** What the verdict about errors of a log rests on. */
export interface LogProof {
  readonly firstError: ShownLine;
  /** Of a kind that was not read before. Otherwise known errors come more often. */
  readonly isFirstNew: boolean;
  /** What was written for the first time shortly before the first error: what stands out most comes first. */
  readonly newBefore: readonly NewLine[];
  /** How many there are in all. */
  readonly newCount: number;
}
