import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Prepare, RecordMatcher } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Emit } from '../match/context-lines.ts';
import type { RecordTests } from '../match/record-tests.ts';
import type { LaneEnd } from './container-lane.ts';

/** The frames that follow a window's records. */
interface WindowResult {
  /** Where each container was read to, by the target's id: following continues there. */
  readonly ends: ReadonlyMap<string, LaneEnd>;
  readonly prev: Cursor | undefined;
  readonly next: Cursor | undefined;
  /** The count of the selection left records out. */
  readonly cut: boolean;
  /** The last record that was given. */
  readonly last: LogRecord | undefined;
  /** The containers that had not answered in time, and were left out. */
  readonly late?: LateContainers | undefined;
}

/** Containers of which a window has nothing. */
export interface LateContainers {
  readonly targets: readonly ContainerTarget[];
  /** Where the window begins that they were left out of; undefined: it has no record. */
  readonly from: Timestamp | undefined;
}

/** A window being read: frames, then the result. */
export type WindowRead = AsyncGenerator<Frame, WindowResult, undefined>;

/** Content filter over batches of records, those of one container in their order (stream/match). */
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

/** Records that are not complete: each method reports of some of them as if nothing more of them came. */
export interface WaitingRecords {
  readonly isWaiting: boolean;
  /** Of a container, by its id. */
  settle(id: string, reported: Emit): void;
  /** Of containers of which nothing came since the last call. */
  settleIdle(reported: Emit): void;
  settleAll(reported: Emit): void;
}

/** Reported before containers are read in turns, for users who wait for their first record. */
export function turnsAhead(limit: number, total: number): Frame {
  return { type: 'progress', code: 'in-turns', data: { limit, total } };
}

/** Opens a filter, which has state (context lines): a fresh one, or that of the whole view where it is followed. */
export type MakeFilter = () => BatchFilter;

export interface WindowInput {
  readonly targets: readonly ContainerTarget[];
  /** Undefined when everything passes. */
  readonly makeFilter: MakeFilter | undefined;
  /** Whether a record passes by itself, context aside. Undefined as `makeFilter`. */
  readonly matches: RecordMatcher | undefined;
  /** If records are filtered as a whole: how. Then `matches` says whether the record of a line may pass. */
  readonly records?: RecordTests | undefined;
}
