import type { Note } from '../../messages/notes.ts';
import { eachFacet } from '../../worker/session/facet-table.ts';
import type {
  BufferStatus,
  EntryId,
  FacetCounts,
  Problem,
  ViewSource,
} from '../../worker/session/protocol.ts';

/** Heights of a row, px. */
export const DENSITIES = [20, 22, 28] as const;
export type Density = (typeof DENSITIES)[number];

/** What the console shows beside the rows themselves. Changes a few times a second at most while lines stream. */
export interface ConsoleState {
  readonly status: BufferStatus;
  /** The status is of the range, the filters and the search that are chosen, not of those before. */
  readonly isAnswered: boolean;
  /** How many views were opened: each has lines of its own. */
  readonly opened: number;
  readonly sources: readonly ViewSource[];
  readonly facets: FacetCounts;
  readonly problems: readonly Problem[];
  readonly isFollowing: boolean;
  /** When the view was paused, ms since the epoch. */
  readonly pausedAtMs: number | undefined;
  /** Lines that came since following ended. */
  readonly newLines: number;
  /** Rows that came into view in the last second, where that is less than what was received. */
  readonly shownPerSecond: number | undefined;
  /** The row that keys act on. */
  readonly active: EntryId | undefined;
  readonly selected: ReadonlySet<EntryId>;
  /** Rows below which their details are open. */
  readonly open: ReadonlySet<EntryId>;
  /** All lines around this one are shown, whatever is filtered. */
  readonly around: EntryId | undefined;
  /** The hit that was found last, and its place among all of the view. */
  readonly found: { readonly entry: EntryId; readonly ordinal: number | undefined } | undefined;
  /** What an action did, shown once; `searchedBackTo`: how far it looked, in seconds since the epoch. */
  readonly note:
    | (Note & { readonly searchedBackTo: number | undefined; readonly number: number })
    | undefined;
  /** The line of the link that was opened, where it is not in the logs any more. */
  readonly goneLine: string | undefined;
  /** The list of pinned lines is shown. */
  readonly showsPins: boolean;
  readonly density: Density;
  /** Why the log worker does nothing any more. */
  readonly failure: string | undefined;
}

/** Before the worker has reported anything. */
export const NO_STATUS: BufferStatus = {
  version: -1,
  asked: 0,
  rows: 0,
  lines: 0,
  bytes: 0,
  oldestSeconds: undefined,
  newestSeconds: undefined,
  atBeginning: false,
  atEnd: false,
  loading: 'opening',
  pausedLines: 0,
  arrived: 0,
  receivedPerSecond: 0,
  errorsPerSecond: 0,
  connection: { state: 'connecting' },
  awayContainers: 0,
  unanswered: undefined,
  search: {
    state: 'off',
    hits: 0,
    searchedBackTo: undefined,
    error: undefined,
    missingField: undefined,
    ticks: [],
  },
  facts: {
    state: 'off',
    isStreaming: false,
    isResting: false,
    error: undefined,
    notices: [],
    eventsSinceMs: undefined,
    isCut: false,
    labels: [],
    rollouts: [],
    rows: 0,
    ticks: [],
  },
  scan: undefined,
  isCountCut: false,
  finding: undefined,
  errorTicks: [],
  warnTicks: [],
};

const NO_COUNTS: FacetCounts = {
  ...eachFacet(() => ({})),
  fields: [],
  fieldsOf: 0,
  partial: eachFacet(() => []),
};

export const FIRST_STATE: ConsoleState = {
  status: NO_STATUS,
  isAnswered: false,
  opened: 0,
  sources: [],
  facets: NO_COUNTS,
  problems: [],
  isFollowing: true,
  pausedAtMs: undefined,
  newLines: 0,
  shownPerSecond: undefined,
  active: undefined,
  selected: new Set(),
  open: new Set(),
  around: undefined,
  found: undefined,
  note: undefined,
  goneLine: undefined,
  showsPins: false,
  density: 22,
  failure: undefined,
};
