import type { CodedOf, NoData } from '@logtool/kube/src/values/coded-error.ts';
import type { NameList } from '@logtool/kube/src/values/failures.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { EmptySources, SearchedScope } from './resolve-failures.ts';

/** Something that a reader should know and that does not end the command. */
export type Notice = CodedOf<Notices>;

/** Notices that the engine yields; those of resolution pass through it. */
export interface Notices extends EngineNotices, ResolveNotices, FactNotices {}

/** The name of a container in a notice. */
export interface NamedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Notices about the lines read: each code with its data. Times are texts as in a record. */
export interface EngineNotices {
  /** The node no longer has an earlier run. */
  'run-removed': { readonly container: NamedContainer };
  /** Lines exceeded the maximum size of a record. */
  'line-cut': { readonly container: NamedContainer; readonly lines: number; readonly limitBytes: number };
  /** Lines held until a match exceed the memory limit: `lost` of those before the match at `at` are missing. */
  'context-cut': { readonly container: NamedContainer; readonly at: string; readonly lost: number };
  /** A line is too long for the patterns: only its first `limitBytes` are matched. */
  'long-lines': LongLine;
  /** More containers are followed than logtool reads at once. */
  'in-turns': { readonly limit: number; readonly total: number };
  /** `why`: reported by the system. Logtool reads all containers at once instead. */
  'no-temporary-file': { readonly why: string; readonly containers: number };
  /** The search ended at this time, because it reached its limit. */
  'search-limit': { readonly at: string };
  /** The node serves no log files: its older ones are not read. */
  'node-files-refused': { readonly node: string; readonly why: 'forbidden' | 'disabled' };
  /** Logs of a node, or of a namespace, or all, are read from the log API instead of from the agents. */
  'agent-not-read': {
    readonly why: AgentLack;
    readonly node?: string | undefined;
    readonly namespace?: string | undefined;
  };
  /** Lines written later have timestamps before the page. */
  'clock-set-back': { readonly container: NamedContainer };
}

export const AGENT_LACKS = ['not-installed', 'not-reachable', 'forbidden'] as const;
/** Why a log is not read from the agent of its node. */
export type AgentLack = (typeof AGENT_LACKS)[number];

export interface LongLine {
  readonly container: NamedContainer;
  readonly at: string;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Notices about sources and the cluster. Those of `EmptySources`: nothing exists yet, and logtool waits for it. */
export interface ResolveNotices extends EmptySources {
  'namespace-not-found': { readonly namespace: string };
  'namespace-forbidden': { readonly namespace: string };
  /** Logtool matches pods by the names of their owners, which is less certain. */
  'owners-forbidden': NoData;
  'nodes-forbidden': UnknownPlacements;
  /** `isForbidden`: the watch permission is missing; otherwise the cluster does not support it. */
  polling: Watched & { readonly isForbidden: boolean };
  /** `why`: reported by the system or the server; absent if the notice's cause has it, or nothing is known. */
  retrying: Watched & { readonly why?: Why | undefined };
  live: Watched;
  /** No connection to the cluster at all. */
  'cluster-away': { readonly why?: Why | undefined };
  /** The cluster does not accept the connection. */
  'cluster-refuses': { readonly why?: Why | undefined };
  /** Ends both of the above. */
  'cluster-back': NoData;
}

/** Notices about events in the cluster: logtool cannot read one source of facts, and continues with the others. */
export interface FactNotices {
  /** A permission is missing; the cause identifies it. */
  'facts-forbidden': FactSourceName;
  'facts-unreadable': FactSourceName;
  /** The namespace has more events than logtool keeps; only the newest are shown. */
  'facts-cut': { readonly namespace: string; readonly kept: number };
  /** Nodes belong to no namespace, and the server may only show some namespaces. */
  'facts-confined': NoData;
}

interface FactSourceName {
  readonly of: 'events' | 'workloads' | 'nodes' | 'autoscalers';
  /** Absent for nodes. */
  readonly namespace?: string | undefined;
}

/** Notices of the server. */
export interface ServerNotices {
  /** These containers (LogSource.id) of a resumed view no longer exist: their last lines may be missing. */
  'deleted-meanwhile': { readonly ids: readonly string[] };
}

/** A notice as the server sends it. */
export type SentNotice = CodedOf<Notices & ServerNotices>;

/** Watched objects: a type, and one namespace, all of them, or none for a type without namespaces. */
export interface Watched {
  readonly type: string;
  readonly scope: SearchedScope;
}

/** Pods whose nodes logtool is not allowed to read, so that these fields are unknown. */
export type UnknownPlacements =
  | {
      readonly effect: 'left-out';
      readonly fields: readonly string[];
      readonly pods: NameList;
      readonly total: number;
    }
  /** Includes later pods. */
  | { readonly effect: 'left-out-later'; readonly fields: readonly string[]; readonly pod: string }
  | {
      readonly effect: 'unknown';
      readonly groups: readonly {
        readonly fields: readonly string[];
        readonly pods: NameList;
        readonly total: number;
      }[];
    };
