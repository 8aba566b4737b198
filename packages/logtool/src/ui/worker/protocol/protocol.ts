import type { WireError } from '../../../contract/error.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { Fact, ImageChange, Severity } from '../../../domain/facts/fact.ts';
import type { Level } from '../../../domain/filter.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import type { TermFault } from '../../../domain/search/search-query.ts';
import type { FacetName } from './facet-table.ts';
import type { Limits } from './limits.ts';

/* The messages between the page and its log worker. The worker owns the connection, the buffer, the order, filters,
   search and counts; the page only draws the rows in view. Messages identify rows by entry ids, which stay for the
   life of an entry, never by indexes, which move when entries above are added or removed. */

/**
 * Entry: a line, a fact, an inline marker (joined, restarted, gap) or a range of missing lines. Ids are never reused.
 */
export type EntryId = number;

/** What a view shows; the URL of the page holds it. */
export interface ViewPlan {
  readonly context: string;
  readonly sources: readonly string[];
  /** Undefined: the newest lines. A start bound opens at that time and reads on downward. */
  readonly from?: WireBound | undefined;
  readonly to?: WireBound | undefined;
  /** The end of the range to read first. Undefined: its start if it has one, else its end. */
  readonly opensAt?: 'start' | 'end' | undefined;
  readonly follow: boolean;
  /** Whether log files that nodes rotated away are read too. */
  readonly readsRotated?: boolean | undefined;
}

export interface FacetFilter {
  /** Values to include (none: all) and to exclude by facet name; those of `container` are LogSource.id. */
  readonly include: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  readonly exclude: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  /** From the JSON tree: path and value. */
  readonly fields: readonly FieldFilter[];
}

export interface SearchPlan extends LineSearch {
  /** Whether to show only matching lines; false: all lines, with the hits marked. */
  readonly only: boolean;
}

/** Which facts to show: none, those that a person on call needs, or all; excludes some labels. */
export interface FactChoice {
  readonly show: 'none' | 'notable' | 'all';
  /** Reasons of the cluster (`Unhealthy`), or our own where it has none (`Rollout`). */
  readonly hiddenLabels: readonly string[];
}

/** The number of facts with a label. */
export interface FactLabel {
  readonly label: string;
  readonly severity: Severity;
  readonly count: number;
}

export type ToWorker =
  | {
      readonly type: 'start';
      readonly basePath: string;
      readonly token: string;
      readonly limits: Limits;
    }
  /** Opens a view, or changes its sources, range or following; keeps what is held and still wanted. */
  | { readonly type: 'view'; readonly plan: ViewPlan }
  | { readonly type: 'facets'; readonly filter: FacetFilter }
  | { readonly type: 'search'; readonly plan: SearchPlan }
  /** Chooses the facts shown among the lines. */
  | { readonly type: 'facts'; readonly choice: FactChoice }
  /** Asks for rows around an anchor; one `rows` message with the same `request` answers each. */
  | {
      readonly type: 'rows';
      readonly request: number;
      readonly anchor: Anchor;
      /** Rows wanted above and below the anchor row, which itself counts as below. */
      readonly above: number;
      readonly below: number;
      /** Whether every line of the view is a row, including lines of folded records. */
      readonly isUnfolded?: boolean;
    }
  /**
   * The reader's position: eviction spares it, and older or newer lines load when few rows remain near it. `isByReader`:
   * a person moved there; otherwise lines moved.
   */
  | {
      readonly type: 'viewport';
      readonly first: EntryId;
      readonly last: EntryId;
      readonly isByReader?: boolean;
    }
  /** Loads on at an end of the view. */
  | { readonly type: 'load'; readonly what: 'older' | 'newer' }
  /** Loads the lines that a `missing` entry covers. */
  | { readonly type: 'load-missing'; readonly entry: EntryId }
  /** Goes to a position in the log, which loads if needed; answered by `jumped`. */
  | { readonly type: 'jump'; readonly request: number; readonly to: JumpTarget }
  /** Freezes the view (the worker still takes in lines), or continues it. */
  | { readonly type: 'pause'; readonly paused: boolean }
  /**
   * Finds the hit after or before an entry in the whole log; loads older lines until it finds one. `goOn`: continues at
   * the unread part of the last answer, without the containers that could not be read.
   */
  | {
      readonly type: 'find';
      readonly request: number;
      readonly from: EntryId | undefined;
      readonly direction: 'next' | 'previous';
      readonly what: 'hit' | 'error' | 'warn';
      readonly goOn?: boolean;
    }
  /** Ends the running search; its answer reports what was read. */
  | { readonly type: 'stop-find' }
  /** Finds the shown fact after or before an entry and loads the lines around it. Answered by `found`. */
  | {
      readonly type: 'find-fact';
      readonly request: number;
      readonly from: EntryId | undefined;
      readonly direction: 'next' | 'previous';
    }
  /**
   * Asks for complete lines to copy, in time order. `isNamed`: puts time and container before each line, and includes
   * facts. Otherwise facts are left out, unless the request has only facts.
   */
  | {
      readonly type: 'text';
      readonly request: number;
      readonly entries: readonly EntryId[];
      readonly isNamed?: boolean;
    }
  /** Asks for the lines of links, wherever in the log they are; answered by `pinned`. */
  | { readonly type: 'pins'; readonly request: number; readonly links: readonly string[] }
  /** Whether stack traces and multi-line JSON are one row each. */
  | { readonly type: 'group'; readonly isOn: boolean }
  /** Whether consecutive equal lines of a container are one row. */
  | { readonly type: 'fold-equal'; readonly isOn: boolean }
  /** Unfolds the lines of a record, or equal lines, given by the first of them; or folds them again. */
  | { readonly type: 'fold'; readonly entry: EntryId; readonly isFolded: boolean }
  /** Asks for these entries and the lines of folded records among them; answered by `range`. */
  | { readonly type: 'whole'; readonly request: number; readonly entries: readonly EntryId[] }
  /** Asks for all entries between two, in time order (shift-select); at most 100,000. */
  | { readonly type: 'range'; readonly request: number; readonly from: EntryId; readonly to: EntryId }
  /** Asks for the entries of the whole view, in time order; at most the newest 100,000; answered by `range`. */
  | { readonly type: 'all'; readonly request: number }
  /** Shows all lines around one, regardless of filters; `undefined` restores the view. */
  | { readonly type: 'around'; readonly entry: EntryId | undefined }
  | { readonly type: 'histogram'; readonly request: number; readonly buckets: number }
  /** Counts the part of the range that was not read yet. */
  | { readonly type: 'read-rest' }
  /** Goes to the newest line that all filters accept, wherever in the range it is; answered by `found`. */
  | { readonly type: 'show-match'; readonly request: number; readonly goOn?: boolean }
  | { readonly type: 'retry-now' }
  /** Releases the connection for other tabs while this one is hidden; false: resumes it. */
  | { readonly type: 'rest'; readonly isResting: boolean }
  /** The same for the connection of facts only. */
  | { readonly type: 'rest-facts'; readonly isResting: boolean }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'close' };

export type Anchor =
  | { readonly at: 'entry'; readonly entry: EntryId }
  | { readonly at: 'index'; readonly index: number }
  | { readonly at: 'start' }
  | { readonly at: 'end' };

export type JumpTarget =
  | { readonly at: 'start' }
  | { readonly at: 'end' }
  | { readonly at: 'time'; readonly seconds: number; readonly nanos: number }
  /** One exact line (a copied link): its time, source order text and ordinal among equal ones; or one event. */
  | { readonly at: 'line'; readonly link: string };

/** A row ready to draw. */
export type Row =
  | {
      readonly kind: 'line';
      readonly entry: EntryId;
      readonly index: number;
      readonly seconds: number;
      readonly nanos: number;
      /** Index into `sources` of the last `sources` message. */
      readonly source: number;
      readonly level: Level | undefined;
      /** The original message, with its ANSI sequences, never HTML. */
      readonly text: string;
      readonly flags: number;
      /** Whether the line looks like a JSON object. */
      readonly isJson: boolean;
      /** UTF-16 offsets [start, end) of hits in the text without its ANSI sequences. */
      readonly hits: readonly (readonly [number, number])[];
      /** The name of this line in links. */
      readonly link: string;
      /** Set if the line is one of several lines of a record. */
      readonly record?: RowRecord | undefined;
      /** Set if the line is one of several consecutive equal lines. */
      readonly equal?: RowEqual | undefined;
    }
  | {
      readonly kind: 'marker';
      readonly entry: EntryId;
      readonly index: number;
      readonly seconds: number;
      readonly nanos: number;
      readonly marker:
        | 'joined'
        | 'restarted'
        | 'left'
        | 'finished'
        | 'failed'
        | 'waiting'
        | 'gap'
        | 'reconnected'
        | 'notice';
      readonly source: number | undefined;
      readonly text: string;
      readonly isWarning: boolean;
      /** When the page learned of it, or when a gap begins, ms since the epoch. */
      readonly atMs?: number | undefined;
    }
  /** An event in the cluster. */
  | {
      readonly kind: 'fact';
      readonly entry: EntryId;
      readonly index: number;
      /** The fact's own time; for a series, the last time. */
      readonly seconds: number;
      readonly nanos: number;
      /** The current run of its container, or a container of its pod. */
      readonly source: number | undefined;
      readonly fact: Fact;
      /** The start of the next run, which has no row of its own. */
      readonly restart: Fact | undefined;
      /** Changes when the content of the row changes. */
      readonly revision: number;
    }
  | {
      readonly kind: 'missing';
      readonly entry: EntryId;
      readonly index: number;
      /** How many lines are missing here; undefined if unknown. */
      readonly lines: number | undefined;
      readonly state: 'idle' | 'loading';
    };

/** What a row shows of a record of several lines. */
export interface RowRecord {
  readonly head: EntryId;
  readonly level: Level | undefined;
  /** The line's position in the record; a folded record shows its head. */
  readonly line: 'head' | 'middle' | 'last';
  readonly isFolded: boolean;
  readonly isJson: boolean;
  readonly lines: number;
  readonly frames: number;
  /** The further lines of the messages of exceptions, before the line with the first cause. */
  readonly message: readonly string[];
  /** The text of the line that names the first cause, if that is not the head. */
  readonly cause: string | undefined;
  /** The further lines of messages after it. */
  readonly causeMessage: readonly string[];
  /** The first stack frame that belongs neither to a library nor to the runtime. */
  readonly ownFrame: string | undefined;
  /** For JSON: the member with its message, else its first members. */
  readonly members?: string | undefined;
  /** Lines in the folded part that match the search. */
  readonly foldedHits: number;
}

/** What a row shows of consecutive equal lines. */
export interface RowEqual {
  /** The first of them, which represents them when folded. */
  readonly first: EntryId;
  readonly line: 'head' | 'middle' | 'last';
  readonly isFolded: boolean;
  readonly lines: number;
  /** From the first to the last, ms. */
  readonly ms: number;
}

export type FromWorker =
  /** At most one per frame while anything changes. */
  | { readonly type: 'status'; readonly status: BufferStatus }
  | {
      readonly type: 'rows';
      readonly request: number;
      /** Changes whenever indexes may have moved. */
      readonly version: number;
      readonly total: number;
      readonly rows: readonly Row[];
      /** Index of the anchor row in the view (clamped). */
      readonly anchorIndex: number;
    }
  | { readonly type: 'sources'; readonly sources: readonly ViewSource[] }
  | { readonly type: 'facets'; readonly facets: FacetCounts }
  | {
      readonly type: 'jumped';
      readonly request: number;
      readonly entry: EntryId | undefined;
      readonly error?: WireError | undefined;
      /** Whether a person stopped it before it arrived. */
      readonly isStopped?: boolean;
    }
  | {
      readonly type: 'found';
      readonly request: number;
      readonly entry: EntryId | undefined;
      /** How far back was searched, seconds since the epoch. */
      readonly searchedBackTo: number | undefined;
      /** False: not everything in that direction was read, so one may exist. */
      readonly isExact: boolean;
      /** Whether lines in that direction are known to be missing, and nobody can read them any more. */
      readonly hasGaps?: boolean;
      /** Why the search went nowhere: a nearer one may be in this range. */
      readonly unread?: UnreadRange;
      /** Containers that were not read completely, as `pod/container`: one of them may have a nearer one. */
      readonly lacking?: readonly string[];
      /** Number of source arguments that failed as a whole: the same is true of their containers. */
      readonly lackingSources?: number;
      /** Whether a person stopped the search; `bytes` were read by then. */
      readonly isStopped?: boolean;
      readonly bytes?: number;
      readonly lines?: number;
      /** Whether another question replaced it. */
      readonly isReplaced?: boolean;
    }
  /** `link`: names the first of the lines; undefined: the text has no lines. */
  | {
      readonly type: 'text';
      readonly request: number;
      readonly text: string;
      readonly lines: number;
      readonly link: string | undefined;
    }
  | { readonly type: 'pinned'; readonly request: number; readonly lines: readonly PinnedLine[] }
  | { readonly type: 'range'; readonly request: number; readonly entries: readonly EntryId[] }
  | { readonly type: 'histogram'; readonly request: number; readonly histogram: Histogram }
  | { readonly type: 'problem'; readonly problems: readonly Problem[] }
  /** The token or the session is no longer valid. */
  | { readonly type: 'signed-out'; readonly error: WireError };

/** A part of the log that was not read, which may contain the sought line. */
export interface UnreadRange {
  /**
   * Containers that could not be read, as `pod/container`; none: reading reached its limit, was stopped or broke off.
   */
  readonly containers: readonly string[];
  /** The unread interval, ms since the epoch; undefined: open at that end. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Bytes of the log that were read elsewhere. */
  readonly bytes: number;
}

/** The state of a search while it reads lines that are not loaded. */
export interface FindStatus {
  readonly what: 'hit' | 'error' | 'warn' | 'event' | 'line';
  /** Lines that it loaded. */
  readonly lines: number;
  /** Bytes of the log that it read without loading them, and how many of how many containers it has finished. */
  readonly bytes: number;
  readonly containersDone: number;
  readonly containers: number;
}

/** The line of a link. `unread`: not everything could be read where the line may be. */
export type PinnedLine =
  | { readonly link: string; readonly state: 'gone' | 'unread' }
  | {
      readonly link: string;
      readonly state: 'read';
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly text: string;
    };

/**
 * The condition of a container, the same for all of its runs. `between`: it ended and may start again; `away`: its
 * connection broke and is being retried. `reason` and `exitCode` of an end: absent if the pod's status has none.
 */
export type SourceCondition =
  | { readonly kind: 'running' | 'unanswered' | 'forbidden' | 'refused' | 'away' | 'failed' | 'gone' }
  | { readonly kind: 'waiting'; readonly reason: string }
  | {
      readonly kind: 'between' | 'finished';
      readonly reason: string | undefined;
      readonly exitCode: number | undefined;
    };

/** A source with what the page adds to it. */
export interface ViewSource extends LogSource {
  /** 0 to 11: the hue of its bar. The same for all runs of a container. */
  readonly hue: number;
  readonly lines: number;
  readonly isNew: boolean;
  /** Whether its container left. */
  readonly isGone: boolean;
  /** Whether no wanted argument selects it: it only keeps its index. */
  readonly isRemoved: boolean;
  readonly condition: SourceCondition;
}

/** `pattern`: the regular expression is invalid; `why` is the message of its engine. */
export type SearchFault =
  | { readonly code: 'pattern'; readonly index: number; readonly why: string }
  | TermFault;

/** A field of the search that no inspected line has. */
export interface MissingField {
  readonly path: string;
  /** A field that lines have and that the person may have meant. */
  readonly near: string | undefined;
  /** How many lines were inspected: all held ones, or the newest of them. */
  readonly lines: number;
  readonly isAll: boolean;
}

/** The ordinal of a hit among all hits of a view. */
export interface HitOrdinal {
  readonly entry: EntryId;
  /** From 1, the oldest. */
  readonly value: number;
}

export interface BufferStatus {
  readonly version: number;
  /** Number of views, filters and searches received: all counts belong to the last of them. */
  readonly asked: number;
  /** Rows of the filtered view; loaded lines; bytes of their messages. */
  readonly rows: number;
  readonly lines: number;
  readonly bytes: number;
  readonly oldestSeconds: number | undefined;
  readonly newestSeconds: number | undefined;
  readonly atBeginning: boolean;
  /** Number of containers whose log begins so late that earlier lines may be gone. */
  readonly lostBeginnings: number;
  /** Number of earlier runs in the range that the nodes no longer have, as far as loading the lines has shown. */
  readonly goneRuns: number;
  /** Number of containers that no longer exist, and had lines that are not loaded. */
  readonly goneContainers: number;
  /** Whether lines of the range are known to be missing, and nobody can read them any more. */
  readonly hasGaps: boolean;
  /** Their nodes, which may have older log files of them; by name. */
  readonly lostOnNodes: readonly string[];
  /**
   * Nodes of containers that have run for long, if the view has no line at all: a node may have rotated their lines into
   * other files.
   */
  readonly emptyOnNodes: readonly string[];
  /** Whether the newest existing line is held, so that the view reaches the present. */
  readonly atEnd: boolean;
  /** Whether all lines of the containers without a problem are held, from the beginning to the end, without a gap. */
  readonly isWhole: boolean;
  readonly loading: 'none' | 'opening' | 'older' | 'newer' | 'jumping';
  /** Rows after those shown, while paused. */
  readonly pausedLines: number;
  /** Lines of the filtered view that arrived since it was opened: the difference counts new ones. */
  readonly arrived: number;
  /** Lines per second, over the last second. */
  readonly receivedPerSecond: number;
  /** Lines per second that the filters accept and whose level is error or worse. */
  readonly errorsPerSecond: number;
  readonly connection:
    | { readonly state: 'connecting' | 'live' | 'ended' }
    /** `retryAtMs`: Date.now() of the next attempt. */
    | { readonly state: 'reconnecting'; readonly retryAtMs: number; readonly error: WireError | undefined };
  /** Containers that currently cannot be read although the page is connected; each is retried. */
  readonly awayContainers: number;
  /** Containers that have not answered: nothing of them was read, so no count and no end includes them. */
  readonly unanswered: Unanswered | undefined;
  readonly search: {
    readonly state: 'off' | 'searching' | 'done';
    readonly hits: number;
    /**
     * Seconds since the epoch: everything after it was searched, and has all `hits`. Undefined: they are those of the loaded
     * lines.
     */
    readonly searchedBackTo: number | undefined;
    /** The search is invalid from the character at `index`. `hits` and the shown log belong to the previous search. */
    readonly error: SearchFault | undefined;
    /** Inspected while nothing is found; undefined: the lines have the fields, or hits are known. */
    readonly missingField: MissingField | undefined;
    /** The ordinal of the last found hit among all hits of the view; undefined: not known. */
    readonly ordinal: HitOrdinal | undefined;
    /** Indexes of hits as fractions of the view, 0 to 1, at most 200 (ticks of the scrollbar). */
    readonly ticks: readonly number[];
  };
  readonly facts: FactsStatus;
  /** What was counted of the range beyond the loaded lines; undefined: nothing. */
  readonly scan: ScanStatus | undefined;
  /** The count of the hits, if `scan` counts what field filters show and the search marks; undefined: `scan` has it. */
  readonly hitScan: ScanStatus | undefined;
  /** Whether a count of all logs used its budget or failed: it continues when a user asks. */
  readonly isCountCut: boolean;
  /**
   * The search for lines of chosen runs of which no line is loaded: it runs, found that none can be read, or could not
   * read everything. Undefined: there is none.
   */
  readonly runSearch: 'seeking' | 'none' | 'unread' | undefined;
  /** The running search for a line; undefined: none. */
  readonly finding: FindStatus | undefined;
  readonly errorTicks: readonly number[];
  readonly warnTicks: readonly number[];
}

/** What is known about events in the cluster. */
export interface FactsStatus {
  /**
   * `off`: no facts are wanted. `read`: everything that the cluster still has of the range was read, except what
   * `notices` names. `failed`: `error` says why; it is retried if `isStreaming`.
   */
  readonly state: 'off' | 'reading' | 'read' | 'failed';
  readonly isStreaming: boolean;
  /** Whether it left its connection to other tabs: current events become known later. */
  readonly isResting: boolean;
  readonly error: WireError | undefined;
  /** Which facts do not appear and why, each once. */
  readonly notices: readonly string[];
  /** All Events of the cluster since this time were read, ms since the epoch; undefined: none exist, or unknown. */
  readonly eventsSinceMs: number | undefined;
  /** Whether facts earlier than the known ones were evicted. */
  readonly isCut: boolean;
  /** Labels of the facts that the choice accepts. */
  readonly labels: readonly FactLabel[];
  readonly rollouts: readonly RolloutSpan[];
  /** Rows of the filtered view. */
  readonly rows: number;
  /** Their indexes as fractions of the view, 0 to 1, at most 200. */
  readonly ticks: readonly number[];
}

/** A rollout that replaced pods by others, ms since the epoch. */
export interface RolloutSpan {
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly revision: number;
  readonly images: readonly ImageChange[];
  readonly fromMs: number;
  /** Undefined: the rollout continues, or the cluster does not report when it ended. */
  readonly toMs: number | undefined;
  readonly isGoingOn: boolean;
}

export interface Unanswered {
  /** LogSource.id */
  readonly ids: readonly string[];
  /** The node that all of them run on. */
  readonly node: string | undefined;
  /** When the first of them was asked, ms since the epoch. */
  readonly sinceMs: number;
}

/** How much of a range was read, and how many of its lines the filters accept. */
export interface ScanStatus {
  /** `stopped`: it has used its budget and can continue. `failed`: `error` says why. */
  readonly state: 'reading' | 'stopped' | 'done' | 'failed';
  readonly error: WireError | undefined;
  /** What did not answer, so that the count is repeated; undefined: the last pass had an answer. */
  readonly away?: 'cluster' | 'server' | undefined;
  /** The approximate share of the current pass that was read, from 0 to 1; undefined: unknown, or the pass is over. */
  readonly progress: number | undefined;
  /** Lines read that all filters accept. */
  readonly lines: number;
  /** Lines that match the search, among those that the filters accept. Undefined: no search. */
  readonly hits: number | undefined;
  /** The range, ms since the epoch; undefined: open at that end. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /**
   * The counts cover everything before this time in every container that the facets accept (except failed ones, once
   * the scan is over). Undefined: they cover an arbitrary part. Infinity: they cover the whole range.
   */
  readonly readToMs: number | undefined;
  /** Number of containers whose part of the range was not read to its end. */
  readonly incomplete: number;
  /** What no count of the range can include; undefined: nothing that is known. */
  readonly missing: MissingRecords | undefined;
  /** Number of source arguments that failed as a whole: which containers they have is not known. */
  readonly failedSources: number;
  /** Whether all that was not read is refused for lack of permission, so that reading again changes nothing. */
  readonly isRefused?: boolean | undefined;
  /**
   * The number of loaded lines, if the scan ended without reading anything, so that all counts are those of the loaded
   * lines. Undefined: the counts are those of the scan.
   */
  readonly loadedLines: number | undefined;
  /** Width of the buckets, ms; undefined before the first count. */
  readonly bucketMs: number | undefined;
  /** The first error of the bucket where errors begin (findErrorOnset), in the part that was read; undefined: none. */
  readonly errorsBegin: { readonly seconds: number; readonly nanos: number } | undefined;
}

/** Lines of a counted range that were written, but can no longer be read or were never received. */
export interface MissingRecords {
  /** Number of containers whose earlier lines of the range the node no longer has. */
  readonly lost: number;
  /** The nodes have the logs of these containers from this time on, or a later one up to the other: ms since the epoch. */
  readonly lostFromMs: number;
  readonly lostToMs: number;
  /** Number of known gaps in the range, and the time from the first to the end of the last. */
  readonly gaps: number;
  readonly gapFromMs: number;
  readonly gapToMs: number;
  /** Number of containers that no longer exist, of which only lines that the tab holds are counted. */
  readonly gone: number;
  /** Number of earlier runs that may have had lines in the range and are gone. */
  readonly goneRuns: number;
  /** All of them had ended by this time inside the range, ms since the epoch; undefined: unknown, or none is gone. */
  readonly goneRunsToMs: number | undefined;
}

/** Counts of lines by facet and value, and the fields of lines. */
export interface FacetCounts extends Readonly<Record<FacetName, Readonly<Record<string, number>>>> {
  /** Values whose lines were not all read in the counted range: the real counts may be higher. */
  readonly partial: Readonly<Record<FacetName, readonly string[]>>;
  /** JSON paths that lines of a sample of the view have, with the number of lines; at most 30. */
  readonly fields: readonly (readonly [path: string, lines: number])[];
  /** Size of the sample: this many lines, spread over the view, were examined. */
  readonly fieldsOf: number;
}

/** Facts in one bar of the chart, by the gravest. */
export interface FactMark {
  readonly bucket: number;
  readonly severity: Severity;
  readonly count: number;
}

export interface Histogram {
  /** Facts of the range that are shown, whether or not lines are loaded there. Undefined: none. */
  readonly facts?: readonly FactMark[];
  /** Rollouts, both ends inside; of one whose end is not known only the beginning. Undefined: none. */
  readonly rollouts?: readonly {
    readonly first: number;
    readonly last: number;
    readonly images: readonly ImageChange[];
    readonly revision: number;
    readonly isGoingOn: boolean;
  }[];
  /** By bucket: not all of it was read, so its lines may be more. Undefined: all was. */
  readonly unread?: readonly boolean[];
  /** How many containers, and source arguments, could not be read: no bucket includes their lines. Undefined: none. */
  readonly without?: { readonly containers: number; readonly sources: number };
  /**
   * Where lines may be missing: the first and last bucket of each gap. `isUnproven`: maybe none is, because the
   * container may have been silent before its first line. Undefined: no gap is known.
   */
  readonly gaps?: readonly {
    readonly first: number;
    readonly last: number;
    readonly isUnproven?: boolean;
  }[];
  readonly fromSeconds: number;
  readonly bucketSeconds: number;
  /** Lines per bucket, by level. */
  readonly errors: readonly number[];
  readonly warnings: readonly number[];
  readonly others: readonly number[];
}

/** A source that cannot be read, reported until it can. */
export interface Problem {
  readonly key: string;
  /** Whether the source itself is fine: the cluster is unreachable and is being retried. */
  readonly isOutage?: boolean;
  /** Whether the server reconnects on its own, so that a person has nothing to do. */
  readonly isRetried?: boolean;
  /** Whether a whole source argument failed, so that its containers are not known. */
  readonly isOfSource?: boolean;
  /** For how many other objects of that namespace the same permission is missing. */
  readonly others?: number;
  readonly error: WireError;
  readonly source: number | undefined;
}
