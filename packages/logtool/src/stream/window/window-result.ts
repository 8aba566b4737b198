import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Cursor } from '../../domain/cursor.ts';
import type { RecordMatcher } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { MakeFilter } from '../match/batch-filter.ts';
import type { RecordTests } from '../match/record-tests.ts';
import type { LaneEnd } from './container-lane.ts';

/** The result of a window, after its records. */
interface WindowResult {
  /** Where each container was read to, by the target's id: following continues there. */
  readonly ends: ReadonlyMap<string, LaneEnd>;
  readonly prev: Cursor | undefined;
  readonly next: Cursor | undefined;
  /** The count of the selection left records out. */
  readonly cut: boolean;
  /** The last record given. */
  readonly last: LogRecord | undefined;
  /** The containers that had not answered in time, and were left out. */
  readonly late?: LateContainers | undefined;
}

/** Containers of which a window has no records. */
export interface LateContainers {
  readonly targets: readonly ContainerTarget[];
  /** Start of the window without them; undefined: it has no record. */
  readonly from: Timestamp | undefined;
}

/** A window being read: frames, then the result. */
export type WindowRead = AsyncGenerator<Frame, WindowResult, undefined>;

/** Returns the progress before containers are read in turns, for users who wait for their first record. */
export function turnsAhead(limit: number, total: number): Frame {
  return { type: 'progress', code: 'in-turns', data: { limit, total } };
}

export interface WindowInput {
  readonly targets: readonly ContainerTarget[];
  /** Undefined: everything passes. */
  readonly makeFilter: MakeFilter | undefined;
  /** Whether a record passes by itself, without context. Undefined like `makeFilter`. */
  readonly matches: RecordMatcher | undefined;
  /** How records are filtered as a whole, if they are. Then `matches` returns whether the record of a line may pass. */
  readonly records?: RecordTests | undefined;
}
