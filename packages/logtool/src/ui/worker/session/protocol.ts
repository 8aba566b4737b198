import type { WireError } from '../../../contract/error.ts';
import type { WireBound } from '../../../contract/log-query.ts';
import type { LogSource } from '../../../contract/log-source.ts';
import type { Fact, ImageChange, Severity } from '../../../domain/facts/fact.ts';
import type { Level } from '../../../domain/filter.ts';
import type { FieldFilter, LineSearch } from '../../../domain/search/line-search.ts';
import type { UnknownKey, UnknownLevel } from '../../../domain/search/search-query.ts';
import type { Limits } from '../store/limits.ts';
import type { FacetName } from './facet-table.ts';

/*
 * What the page and its log worker say to each other. The worker owns the connection, the buffer, the order, filters,
 * search and counts; the page draws the rows in view and nothing else. Rows are named by entry ids, which stay for the
 * life of an entry, never by indexes, which move when lines come or go above.
 */

/** Entry: a line, a fact, an inline marker (joined, restarted, gap) or a place where lines are not shown. Ids are never reused. */
export type EntryId = number;

/** What a view shows: in the URL of the page. */
export interface ViewPlan {
  readonly context: string;
  readonly sources: readonly string[];
  /** Undefined: the newest lines. A start bound opens at that time and reads on downward. */
  readonly from?: WireBound | undefined;
  readonly to?: WireBound | undefined;
  /** The end of the range that is read first. Without one: its start, if it has one, else its end. */
  readonly opensAt?: 'start' | 'end' | undefined;
  readonly follow: boolean;
}

export interface FacetFilter {
  /** Facet name to the values that are wanted (none: all) and not wanted; those of `container` are LogSource.id. */
  readonly include: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  readonly exclude: Readonly<Partial<Record<FacetName, readonly string[]>>>;
  /** From the JSON tree: path and value. */
  readonly fields: readonly FieldFilter[];
}

export interface SearchPlan extends LineSearch {
  /** Show matching lines only; false: all lines, the hits marked. */
  readonly only: boolean;
}

/** Which facts are shown: none, those that a person on call looks for, or all; without those of some labels. */
export interface FactChoice {
  readonly show: 'none' | 'notable' | 'all';
  /** Words of the cluster (`Unhealthy`), or ours where it has none (`Rollout`). */
  readonly hiddenLabels: readonly string[];
}

/** How many facts there are of one label. */
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
  /** Opens a view, or changes its sources, range or following; what is held and still wanted is kept. */
  | { readonly type: 'view'; readonly plan: ViewPlan }
  | { readonly type: 'facets'; readonly filter: FacetFilter }
  | { readonly type: 'search'; readonly plan: SearchPlan }
  /** Which facts are shown among the lines. */
  | { readonly type: 'facts'; readonly choice: FactChoice }
  /** Asks for rows around an anchor; each is answered by one `rows` with the same `request`. */
  | {
      readonly type: 'rows';
      readonly request: number;
      readonly anchor: Anchor;
      /** Rows wanted above and below the anchor row (that itself counts as below). */
      readonly above: number;
      readonly below: number;
      /** Every line of the view is a row, also of folded records. */
      readonly isUnfolded?: boolean;
    }
  /** Where the reader is: eviction spares it, and older or newer lines are loaded when the rows near it run out. */
  | { readonly type: 'viewport'; readonly first: EntryId; readonly last: EntryId }
  | { readonly type: 'load'; readonly what: 'older' | 'newer' }
  /** The lines that a `missing` entry covers. */
  | { readonly type: 'load-missing'; readonly entry: EntryId }
  /** Goes to a place of the whole log, which is loaded if need be; answered by `jumped`. */
  | { readonly type: 'jump'; readonly request: number; readonly to: JumpTarget }
  /** Freezes the view (lines are still taken in), and continues it. */
  | { readonly type: 'pause'; readonly paused: boolean }
  /**
   * The hit after or before an entry in the whole log; older lines are loaded until one is found. `goOn`: where the last
   * answer had an unread part, without its containers that could not be read.
   */
  | {
      readonly type: 'find';
      readonly request: number;
      readonly from: EntryId | undefined;
      readonly direction: 'next' | 'previous';
      readonly what: 'hit' | 'error' | 'warn';
      readonly goOn?: boolean;
    }
  /** Ends the look for a line that lasts; that one is answered with what was read. */
  | { readonly type: 'stop-find' }
  /** The fact after or before an entry, of those that are shown; lines around it are loaded. Answered by `found`. */
  | {
      readonly type: 'find-fact';
      readonly request: number;
      readonly from: EntryId | undefined;
      readonly direction: 'next' | 'previous';
    }
  /**
   * Whole lines for copying, in time order; `isNamed`: each after its time and container, and facts among them. Otherwise
   * facts are left out, unless nothing else is asked for.
   */
  | {
      readonly type: 'text';
      readonly request: number;
      readonly entries: readonly EntryId[];
      readonly isNamed?: boolean;
    }
  /** The lines of links, wherever in the log they are; answered by `pinned`. */
  | { readonly type: 'pins'; readonly request: number; readonly links: readonly string[] }
  /** Whether stack traces, and JSON over several lines, are one row each. */
  | { readonly type: 'group'; readonly isOn: boolean }
  /** Whether equal lines of a container that follow one another are one row. */
  | { readonly type: 'fold-equal'; readonly isOn: boolean }
  /** Shows the lines of a record, or equal lines, by the first, or only the first again. */
  | { readonly type: 'fold'; readonly entry: EntryId; readonly isFolded: boolean }
  /** These entries, and the lines of those that are heads of folded records; answered by `range`. */
  | { readonly type: 'whole'; readonly request: number; readonly entries: readonly EntryId[] }
  /** All entries between two, in time order (shift-select); at most 100,000. */
  | { readonly type: 'range'; readonly request: number; readonly from: EntryId; readonly to: EntryId }
  /** The entries of the whole view, in time order; at most 100,000, the newest; answered by `range`. */
  | { readonly type: 'all'; readonly request: number }
  /** Shows all lines around one, whatever is filtered; `undefined` restores the view. */
  | { readonly type: 'around'; readonly entry: EntryId | undefined }
  | { readonly type: 'histogram'; readonly request: number; readonly buckets: number }
  /** Counts the part of the range that was not read yet. */
  | { readonly type: 'read-rest' }
  /** Goes to the newest line that all filters let through, wherever in the range it is; answered by `found`. */
  | { readonly type: 'show-match'; readonly request: number; readonly goOn?: boolean }
  | { readonly type: 'retry-now' }
  /** Leaves the connection to other tabs while this one is hidden; false: resumes it. */
  | { readonly type: 'rest'; readonly isResting: boolean }
  /** The same of the connection of events alone. */
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
  /** One exact line (a copied link): its time, source order text and place among equal ones. */
  | { readonly at: 'line'; readonly link: string };

/** A row ready to draw. */
export type Row =
  | {
      readonly kind: 'line';
      readonly entry: EntryId;
      readonly index: number;
      readonly seconds: number;
      readonly nanos: number;
      /** Into `sources` of the last `sources` message. */
      readonly source: number;
      readonly level: Level | undefined;
      /** The message as it came: ANSI sequences included, never HTML. */
      readonly text: string;
      readonly flags: number;
      /** The line looks like a JSON object. */
      readonly isJson: boolean;
      /** UTF-16 offsets [start, end) of hits in the text without its ANSI sequences. */
      readonly hits: readonly (readonly [number, number])[];
      /** The name of this line in links. */
      readonly link: string;
      /** If it is one of several lines of a record. */
      readonly record?: RowRecord | undefined;
      /** If it is one of several equal lines that follow one another. */
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
      /** When the page learnt of it, or when a gap begins, ms since the epoch. */
      readonly atMs?: number | undefined;
    }
  /** Something that happened in the cluster. */
  | {
      readonly kind: 'fact';
      readonly entry: EntryId;
      readonly index: number;
      /** Its own time; of a series the last. */
      readonly seconds: number;
      readonly nanos: number;
      /** The present run of its container, or a container of its pod. */
      readonly source: number | undefined;
      readonly fact: Fact;
      /** The start of the next run, which has no row of its own. */
      readonly restart: Fact | undefined;
      /** Changes with what the row shows. */
      readonly revision: number;
    }
  | {
      readonly kind: 'missing';
      readonly entry: EntryId;
      readonly index: number;
      /** How many lines are not shown here; undefined if it is not known. */
      readonly lines: number | undefined;
      readonly state: 'idle' | 'loading';
    };

/** What a row shows of a record of several lines. */
export interface RowRecord {
  readonly head: EntryId;
  readonly level: Level | undefined;
  /** Where in the record the line stands; a folded record is its head. */
  readonly line: 'head' | 'middle' | 'last';
  readonly isFolded: boolean;
  readonly isJson: boolean;
  readonly lines: number;
  readonly frames: number;
  /** The text of the line that names what went wrong first, where that is not the head. */
  readonly cause: string | undefined;
  /** The first frame that belongs neither to a library nor to the runtime. */
  readonly ownFrame: string | undefined;
  /** Lines that the search finds in what is folded. */
  readonly foldedHits: number;
}

/** What a row shows of equal lines that follow one another. */
export interface RowEqual {
  /** Folded, they are their first one. */
  readonly first: EntryId;
  readonly line: 'head' | 'middle' | 'last';
  readonly isFolded: boolean;
  readonly lines: number;
  /** From the first to the last, ms. */
  readonly ms: number;
}

export type FromWorker =
  /** At most one each frame while anything changes. */
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
    }
  | {
      readonly type: 'found';
      readonly request: number;
      readonly entry: EntryId | undefined;
      /** Its place among those of its kind in the view, from 1. */
      readonly ordinal?: number;
      /** How far back was searched, seconds since the epoch. */
      readonly searchedBackTo: number | undefined;
      /** False: not all was read in that direction, so there may be one. */
      readonly isExact: boolean;
      /** Why nothing was gone to: a nearer one may be there. */
      readonly unread?: UnreadRange;
      /** Containers of which not all was read, as `pod/container`: one of them may have a nearer one. */
      readonly lacking?: readonly string[];
      /** A person stopped it; so much was read by then. */
      readonly isStopped?: boolean;
      readonly bytes?: number;
      readonly lines?: number;
      /** Another question took its place. */
      readonly isReplaced?: boolean;
    }
  /** `link`: names the first of the lines; undefined: there is none. */
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
  /** The token or the session is no longer good. */
  | { readonly type: 'signed-out'; readonly error: WireError };

/** A part of the log that was not read, where the line that is looked for may be. */
export interface UnreadRange {
  /** Those that could not be read, as `pod/container`; none: reading came to its limit, was stopped or broke off. */
  readonly containers: readonly string[];
  /** What was not read, ms since the epoch; undefined: without that end. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** So much of the log was read beside it. */
  readonly bytes: number;
}

/** The look for a line, while it reads what is not loaded. */
export interface FindStatus {
  readonly what: 'hit' | 'error' | 'warn' | 'event' | 'line';
  /** Lines that it loaded. */
  readonly lines: number;
  /** Of the log, that it read without loading it, and of how many containers all. */
  readonly bytes: number;
  readonly containersDone: number;
  readonly containers: number;
}

/** The line of a link. `unread`: not everything could be read where it may be. */
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
 * How a container stands, the same for all of its runs. `between`: it ended, and may be started again; `away`: its
 * connection broke, and is tried again. `reason` and `exitCode` of an end: absent where the pod's status has none.
 */
export type SourceCondition =
  | { readonly kind: 'running' | 'unanswered' | 'forbidden' | 'away' | 'failed' | 'gone' }
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
  /** Its container left. */
  readonly isGone: boolean;
  /** No wanted argument asks for it: it keeps its index only. */
  readonly isRemoved: boolean;
  readonly condition: SourceCondition;
}

/** `pattern`: the regular expression cannot be read, and why in the words of its engine. */
export type SearchFault =
  | { readonly code: 'pattern'; readonly index: number; readonly why: string }
  | UnknownLevel
  | UnknownKey;

/** A field of the search that no line has which was looked at. */
export interface MissingField {
  readonly path: string;
  /** A field that lines have, and that may be meant. */
  readonly near: string | undefined;
  /** So many lines were looked at: all that are held, or the newest of them. */
  readonly lines: number;
  readonly isAll: boolean;
}

export interface BufferStatus {
  readonly version: number;
  /** Views, filters and searches that were taken: all counts are of the last of them. */
  readonly asked: number;
  /** Rows of the filtered view; loaded lines; bytes of their messages. */
  readonly rows: number;
  readonly lines: number;
  readonly bytes: number;
  readonly oldestSeconds: number | undefined;
  readonly newestSeconds: number | undefined;
  readonly atBeginning: boolean;
  /** The newest line that there is is held: the view reaches to now. */
  readonly atEnd: boolean;
  readonly loading: 'none' | 'opening' | 'older' | 'newer' | 'jumping';
  /** Rows after those that are shown, while paused. */
  readonly pausedLines: number;
  /** Lines of the filtered view that came since it was opened: the difference counts new ones. */
  readonly arrived: number;
  /** Lines a second, over the last second. */
  readonly receivedPerSecond: number;
  /** Of the lines that the filters let through: errors and worse. */
  readonly errorsPerSecond: number;
  readonly connection:
    | { readonly state: 'connecting' | 'live' | 'ended' }
    /** `retryAtMs`: Date.now() of the next try. */
    | { readonly state: 'reconnecting'; readonly retryAtMs: number; readonly error: WireError | undefined };
  /** Containers that cannot be read just now, though the page is connected; each is tried again. */
  readonly awayContainers: number;
  /** Containers that have not answered: nothing of them was read, so no count and no end includes them. */
  readonly unanswered: Unanswered | undefined;
  readonly search: {
    readonly state: 'off' | 'searching' | 'done';
    readonly hits: number;
    /** Seconds since the epoch: everything after it was searched. */
    readonly searchedBackTo: number | undefined;
    /** The search is wrong, from the character at `index` on. `hits` and what the log shows are of the one before it. */
    readonly error: SearchFault | undefined;
    /** Looked for while nothing is found; undefined: the lines have the fields, or hits are known. */
    readonly missingField: MissingField | undefined;
    /** Indexes of hits as fractions of the view, 0 to 1, at most 200 (ticks of the scrollbar). */
    readonly ticks: readonly number[];
  };
  readonly facts: FactsStatus;
  /** What was counted of the range beyond the loaded lines; undefined: nothing. */
  readonly scan: ScanStatus | undefined;
  /** A count of all logs came to the end of what it may read, or failed: it goes on when somebody asks. */
  readonly isCountCut: boolean;
  /** The look for a line that lasts; undefined: there is none. */
  readonly finding: FindStatus | undefined;
  readonly errorTicks: readonly number[];
  readonly warnTicks: readonly number[];
}

/** What is known of what happened in the cluster. */
export interface FactsStatus {
  /**
   * `off`: no facts are wanted. `read`: all that the cluster still has of the range was read, but for what `notices` name.
   * `failed`: `error` says why; it is tried again if `isStreaming`.
   */
  readonly state: 'off' | 'reading' | 'read' | 'failed';
  readonly isStreaming: boolean;
  /** It left its connection to other tabs: what happens now becomes known later. */
  readonly isResting: boolean;
  readonly error: WireError | undefined;
  /** Which facts do not appear, and why, each once. */
  readonly notices: readonly string[];
  /** From then on all Events of the cluster were read, ms since the epoch; undefined: it has none, or it is unknown. */
  readonly eventsSinceMs: number | undefined;
  /** Earlier facts than those that are known were let go. */
  readonly isCut: boolean;
  /** Of the facts that the choice lets through. */
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
  /** Undefined: it goes on, or the cluster does not say when it was over. */
  readonly toMs: number | undefined;
  readonly isGoingOn: boolean;
}

export interface Unanswered {
  /** LogSource.id */
  readonly ids: readonly string[];
  /** On which all of them are. */
  readonly node: string | undefined;
  /** When the first of them was asked, ms since the epoch. */
  readonly sinceMs: number;
}

/** How much of a range was read, and what of it the filters let through. */
export interface ScanStatus {
  /** `stopped`: it has read what it may, and can go on. `failed`: `error` says why. */
  readonly state: 'reading' | 'stopped' | 'done' | 'failed';
  readonly error: WireError | undefined;
  /** About how much of the present pass was read, from 0 to 1; undefined: not known, or it is over. */
  readonly progress: number | undefined;
  /** Lines of what was read that all filters let through. */
  readonly lines: number;
  /** Lines that the search finds, of those that the filters let through. Undefined: it does not search. */
  readonly hits: number | undefined;
  /** The range, ms since the epoch; undefined: without that end. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /**
   * The counts are of all before it, in every container that facets let through (without those that failed, once the
   * scan is over). Undefined: of what was read by chance. Infinity: of all of the range.
   */
  readonly readToMs: number | undefined;
  /** Containers of which not all of the range was read. */
  readonly incomplete: number;
  /** Width of the buckets that it counts by, ms; undefined before anything was counted. */
  readonly bucketMs: number | undefined;
  /** The first error of the bucket where errors begin (findErrorOnset), in what was read; undefined: they do nowhere. */
  readonly errorsBegin: { readonly seconds: number; readonly nanos: number } | undefined;
}

/** Lines by facet and value, and the fields of lines. */
export interface FacetCounts extends Readonly<Record<FacetName, Readonly<Record<string, number>>>> {
  /** Values whose lines were not all read in what the counts speak of: they may be more. */
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
  /** Where lines may be missing: the buckets of each gap, both ends inside. Undefined: no gap is known. */
  readonly gaps?: readonly { readonly first: number; readonly last: number }[];
  readonly fromSeconds: number;
  readonly bucketSeconds: number;
  /** Per bucket: lines by what they are. */
  readonly errors: readonly number[];
  readonly warnings: readonly number[];
  readonly others: readonly number[];
}

/** A source that cannot be read, reported until it can. */
export interface Problem {
  readonly key: string;
  /** Nothing is wrong with the source: the cluster is away, and is tried again and again. */
  readonly isOutage?: boolean;
  /** The server connects again by itself: a person has nothing to do. */
  readonly isRetried?: boolean;
  /** The same right is missing for this many others of that namespace. */
  readonly others?: number;
  readonly error: WireError;
  readonly source: number | undefined;
}
