import type { Prepare } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Emit } from './context-lines.ts';

/** Content filter over batches of records; those of one container must be in order. */
export interface BatchFilter {
  (records: readonly LogRecord[]): readonly LogRecord[];
  readonly prepare?: Prepare | undefined;
  /** Which lines around matches are shown too, record by record, of one container. */
  readonly context?: SearchContext;
}

export interface SearchContext {
  readonly prepare?: Prepare | undefined;
  /** Takes earlier records that were shown, or not; reports nothing about them. */
  readonly prime: (records: readonly LogRecord[], shown: ReadonlySet<LogRecord>) => void;
  /** Takes records of one container; reports about each, now or with later ones, whether it is shown and why. */
  readonly mark: (records: readonly LogRecord[], reported: Emit) => void;
  /** Returns how many lines follow this match. */
  readonly following: (match: LogRecord) => number;
  /** If records are filtered as a whole: their lines wait until the record is complete. */
  readonly waiting?: WaitingRecords | undefined;
}

/** Opens a filter, which has state (context lines): a fresh one, or the one of the whole view if it is followed. */
export type MakeFilter = () => BatchFilter;

/** Incomplete records: each method decides some of them as if nothing more of them came. */
export interface WaitingRecords {
  readonly isWaiting: boolean;
  /** Decides those of a container, by its id. */
  settle(id: string, reported: Emit): void;
  /** Decides those of containers without any line since the last call. */
  settleIdle(reported: Emit): void;
  settleAll(reported: Emit): void;
}
