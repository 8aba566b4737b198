import type { CodedOf, NoData } from '@logtool/kube/src/values/coded-error.ts';
import type { NameList } from '@logtool/kube/src/values/failures.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { EmptySources, SearchedScope } from './resolve-failures.ts';

/** What a reader should know that ends nothing. */
export type Notice = CodedOf<Notices>;

/** What the engine yields of them: those of resolution pass through it. */
export interface Notices extends EngineNotices, ResolveNotices, FactNotices {}

/** A container as a notice names it. */
export interface NamedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Notices about the lines that were read: each code with its data. Times are texts as in a record. */
export interface EngineNotices {
  /** An earlier run is not on its node any more. */
  'run-removed': { readonly container: NamedContainer };
  /** Lines were longer than a record can be. */
  'line-cut': { readonly container: NamedContainer; readonly lines: number; readonly limitBytes: number };
  /** Lines that wait for a match take too much memory: `lost` of those before the match at `at` are missing. */
  'context-cut': { readonly container: NamedContainer; readonly at: string; readonly lost: number };
  /** A line is too long for the patterns: only its first `limitBytes` are matched. */
  'long-lines': LongLine;
  /** More containers are followed than are read at once. */
  'in-turns': { readonly limit: number; readonly total: number };
  /** `why`: as the system says it. All containers are read at once instead. */
  'no-temporary-file': { readonly why: string; readonly containers: number };
  /** The search ended at this time, since it may read no more. */
  'search-limit': { readonly at: string };
  /** Lines written later have timestamps before the page. */
  'clock-set-back': { readonly container: NamedContainer };
  /** Older lines may have been rotated away; containers as `pod/container`. */
  rotated: { readonly containers: NameList };
}

export interface LongLine {
  readonly container: NamedContainer;
  readonly at: string;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Notices about sources and the cluster. Those of `EmptySources`: nothing is there yet, and some is waited for. */
export interface ResolveNotices extends EmptySources {
  'namespace-not-found': { readonly namespace: string };
  'namespace-forbidden': { readonly namespace: string };
  /** Pods are matched by the names of their owners, which is less certain. */
  'owners-forbidden': NoData;
  'nodes-forbidden': UnknownPlacements;
  /** `isForbidden`: the right to watch is missing; else the cluster cannot do it. */
  polling: Watched & { readonly isForbidden: boolean };
  /** `why`: as the system or the server says it; absent where the cause of the notice does, or nothing is known. */
  retrying: Watched & { readonly why?: Why | undefined };
  live: Watched;
  /** No connection to the cluster at all. */
  'cluster-away': { readonly why?: Why | undefined };
  /** The cluster does not accept the connection. */
  'cluster-refuses': { readonly why?: Why | undefined };
  /** Ends both. */
  'cluster-back': NoData;
}

/** Notices about what happened in the cluster: a source of facts that cannot be read, while the others go on. */
export interface FactNotices {
  /** The right is missing: its cause says which. */
  'facts-forbidden': FactSourceName;
  'facts-unreadable': FactSourceName;
  /** Of more events than logtool keeps, only the newest are shown. */
  'facts-cut': { readonly namespace: string; readonly kept: number };
  /** Nodes lie in no namespace, and only some namespaces may be shown. */
  'facts-confined': NoData;
}

interface FactSourceName {
  readonly of: 'events' | 'workloads' | 'nodes' | 'autoscalers';
  /** Absent for nodes. */
  readonly namespace?: string | undefined;
}

/** Notices of the server. */
export interface ServerNotices {
  /** These containers (LogSource.id) of a resumed view do not exist any more: their last lines may be missing. */
  'deleted-meanwhile': { readonly ids: readonly string[] };
}

/** A notice as the server sends it. */
export type SentNotice = CodedOf<Notices & ServerNotices>;

/** Objects that are watched: a type, and the namespace, all of them, or none for a type without namespaces. */
export interface Watched {
  readonly type: string;
  readonly scope: SearchedScope;
}

/** Pods whose nodes may not be read, so that these fields of them are unknown. */
export type UnknownPlacements =
  | {
      readonly effect: 'left-out';
      readonly fields: readonly string[];
      readonly pods: NameList;
      readonly total: number;
    }
  /** Later pods too. */
  | { readonly effect: 'left-out-later'; readonly fields: readonly string[]; readonly pod: string }
  | {
      readonly effect: 'unknown';
      readonly groups: readonly {
        readonly fields: readonly string[];
        readonly pods: NameList;
        readonly total: number;
      }[];
    };
