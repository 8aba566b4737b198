import { eachFacet } from '../../worker/protocol/facet-table.ts';
import type {
  BufferStatus,
  EntryId,
  FacetCounts,
  Problem,
  ViewSource,
} from '../../worker/protocol/protocol.ts';
import type { Note } from './note.ts';

/** Heights of a row, px. */
export const DENSITIES = [20, 22, 28] as const;
export type Density = (typeof DENSITIES)[number];

/** What the console shows beside the rows themselves. Changes at most a few times per second while lines stream. */
export interface ConsoleState {
  readonly status: BufferStatus;
  /** Whether the status belongs to the chosen range, filters and search rather than to earlier ones. */
  readonly isAnswered: boolean;
  /** Number of views opened: each has its own lines. */
  readonly opened: number;
  readonly sources: readonly ViewSource[];
  readonly facets: FacetCounts;
  readonly problems: readonly Problem[];
  readonly isFollowing: boolean;
  /** When the view was paused, ms since the epoch. */
  readonly pausedAtMs: number | undefined;
  /** Number of lines that arrived since following ended. */
  readonly newLines: number;
  /** Rows that came into view in the last second, if fewer than the lines received. */
  readonly shownPerSecond: number | undefined;
  /** The row that keys act on. */
  readonly active: EntryId | undefined;
  readonly selected: ReadonlySet<EntryId>;
  /** Rows whose details are open. */
  readonly open: ReadonlySet<EntryId>;
  /** All lines around this one are shown, regardless of filters. */
  readonly around: EntryId | undefined;
  /** The most recently found hit. */
  readonly found: EntryId | undefined;
  /** The result of an action, shown once; `searchedBackTo`: how far back it searched, in seconds since the epoch. */
  readonly note:
    | (Note & { readonly searchedBackTo: number | undefined; readonly number: number })
    | undefined;
  /** Where the view goes while that is not loaded yet. */
  readonly jumpingTo: 'start' | 'end' | 'time' | undefined;
  /** The line of the opened link, if it is no longer in the logs. */
  readonly goneLine: string | undefined;
  /** Whether the list of pinned lines is shown. */
  readonly showsPins: boolean;
  readonly density: Density;
  /** Why the log worker stopped working. */
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
  lostBeginnings: 0,
  goneRuns: 0,
  goneContainers: 0,
  hasGaps: false,
  lostOnNodes: [],
  emptyOnNodes: [],
  runSearch: undefined,
  atEnd: false,
  isWhole: false,
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
    ordinal: undefined,
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
  hitScan: undefined,
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
  jumpingTo: undefined,
  goneLine: undefined,
  showsPins: false,
  density: 22,
  failure: undefined,
};
