import type { ContainerTarget } from '../../domain/container.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { Prepare, RecordMatcher } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ContextLines, Emit } from '../match/context-lines.ts';
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
  readonly lines: ContextLines;
  /** Takes records of one container; reports of each, now or with later ones, whether it is shown and why. */
  readonly mark: (records: readonly LogRecord[], reported: Emit) => void;
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
}
