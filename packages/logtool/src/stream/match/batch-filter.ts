import type { Prepare } from '../../domain/filter.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Emit } from './context-lines.ts';

/** Content filter over batches of records, those of one container in their order. */
export interface BatchFilter {
  (records: readonly LogRecord[]): readonly LogRecord[];
  readonly prepare?: Prepare | undefined;
  /** If lines around matches are shown too: which, record by record, of one container. */
  readonly context?: SearchContext;
}

export interface SearchContext {
  readonly prepare?: Prepare | undefined;
  /** Takes records that were shown, or not, before those to come: of these nothing is reported. */
  readonly prime: (records: readonly LogRecord[], shown: ReadonlySet<LogRecord>) => void;
  /** Takes records of one container; reports of each, now or with later ones, whether it is shown and why. */
  readonly mark: (records: readonly LogRecord[], reported: Emit) => void;
  /** How many lines follow this match. */
  readonly following: (match: LogRecord) => number;
  /** Where records are filtered as a whole: their lines wait until they are complete. */
  readonly waiting?: WaitingRecords | undefined;
}

/** Opens a filter, which has state (context lines): a fresh one, or that of the whole view where it is followed. */
export type MakeFilter = () => BatchFilter;

/** Records that are not complete: each method reports of some of them as if nothing more of them came. */
export interface WaitingRecords {
  readonly isWaiting: boolean;
  /** Of a container, by its id. */
  settle(id: string, reported: Emit): void;
  /** Of containers of which nothing came since the last call. */
  settleIdle(reported: Emit): void;
  settleAll(reported: Emit): void;
}
