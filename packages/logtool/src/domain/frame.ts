import type { CodedError, CodedOf, NoData } from '@logtool/kube/src/values/coded-error.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget, RunEnd } from './container.ts';
import type { Cursor } from './cursor.ts';
import type { Notice } from './notice.ts';
import type { LogRecord } from './record.ts';

/** Output of the log engine; the CLI prints it, the dashboard sends it. Only records go to stdout. */
export type Frame =
  | { readonly type: 'records'; readonly records: readonly LogRecord[] }
  /** Bytes of one container copied straight through (only if the query allows it: see stream/copy/passthrough). */
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | ContainerFrame
  /** Records between two times may be missing. */
  | {
      readonly type: 'gap';
      readonly target: ContainerTarget;
      readonly from: Timestamp | undefined;
      readonly to: Timestamp | undefined;
      readonly cause: GapCause;
    }
  | ({ readonly type: 'progress' } & Progress)
  | NoticeFrame
  /** These containers have not answered for that long: the window omits them (EnginePlan.patienceMs). */
  | { readonly type: 'unanswered'; readonly targets: readonly ContainerTarget[]; readonly forMs: number }
  /** These have answered by now. */
  | { readonly type: 'answered'; readonly targets: readonly ContainerTarget[] }
  /**
   * The last frame of a window that does not follow; with live: true, the frame before the live part of one that does.
   */
  | {
      readonly type: 'end';
      readonly live: boolean;
      /** Position of the first record shown, if records exist before it. */
      readonly prev: Cursor | undefined;
      /** Position after the last record shown, if records exist after it. */
      readonly next: Cursor | undefined;
      /** The selection's count cut the window (more records exist), or unanswered containers did. */
      readonly cut: boolean;
    };

/** `cause`: the failure that the notice results from. */
export type NoticeFrame =
  | (Notice & { readonly type: 'notice'; readonly cause?: CodedError })
  /** A source argument failed as a whole (not found, forbidden); the others continue. */
  | { readonly type: 'notice'; readonly code: 'source-failed'; readonly error: CodedError };

/** Progress of a view before its first record: each code with its data. */
export interface ProgressCodes {
  /** More containers than the limit for simultaneous reads. */
  'in-turns': { readonly limit: number; readonly total: number };
  'containers-read': { readonly done: number; readonly total: number };
  /** Too few matches so far, after reading this many bytes. */
  'searching-back': { readonly bytes: number };
}
export type Progress = CodedOf<ProgressCodes>;

interface LateBeginningData {
  readonly beginsAt?: string | undefined;
  readonly afterSeconds?: number | undefined;
  readonly wasRotated?: true | undefined;
}

/** Why records of a container may be missing: each code with its data. */
export interface GapCauses {
  /** The node rotated the log. */
  rotated: NoData;
  /**
   * The log begins long after its run, or later than what was read of it before. `beginsAt`: the time of its first
   * record, as text. `afterSeconds`: how long after the run that is; undefined: not long. `wasRotated`: records that
   * were read are gone, which proves a rotation. Without it the container may only have been silent.
   */
  'begins-late': LateBeginningData;
  /** The same of a later run than the first one that the node has. */
  'run-begins-late': LateBeginningData;
  /** The container restarted more often than a node keeps runs: this many earlier ones are gone. */
  'runs-gone': { readonly count: number };
  /** The container restarted, and the node removed its previous run. */
  'run-removed': NoData;
  /** A run ended, and the node removed it before logtool read any of it. */
  'run-lost': NoData;
  /** The container restarted more than once: logtool has not read the runs in between. */
  'restarted-twice': NoData;
  /** `during`: while reading the log, while its connection was lost, or before its end was certain. */
  'pod-deleted': { readonly during: 'read' | 'cut' | 'uncertain-end' };
  /** `why`: what the node or the server answered, or what went wrong instead. */
  'previous-unreadable': { readonly why: Why };
  /** The node no longer serves the log. */
  'log-gone': NoData;
  /** Reading failed in the middle of the log. */
  'end-unread': NoData;
}
export type GapCause = CodedOf<GapCauses>;

/** The reason from the pod's status or the server; or no node was chosen, or the node does not know the pod. */
export type WaitReason = string | { readonly code: 'no-node' | 'unknown-to-node' };

/** The state of a container; `E` is the representation of its failure. */
export type ContainerReport<E = CodedError> =
  | { readonly state: 'joined' }
  /** `reason`: from the pod's status (`ImagePullBackOff`), else the server's answer; empty if neither gives one. */
  | { readonly state: 'waiting'; readonly reason: WaitReason }
  /** `count`: the pod's count, from 1. `after`: how the previous run ended, if its status reports that. */
  | { readonly state: 'restarted'; readonly count: number; readonly after?: RunEnd | undefined }
  /** `why`: reported by the system or the server. */
  | { readonly state: 'reconnecting'; readonly why: Why; readonly error: E }
  | { readonly state: 'reconnected' }
  | { readonly state: 'finished'; readonly reason: string; readonly exitCode: number }
  /** The pod was deleted, or no longer matches the sources. */
  | { readonly state: 'left'; readonly why: 'deleted' | 'not-matching' }
  | { readonly state: 'failed'; readonly error: E };

/** The state of one container to show to the reader. */
export type ContainerFrame = ContainerReport & {
  readonly type: 'source';
  readonly target: ContainerTarget;
  /** How many other containers reached the same state at once; this frame reports them too. */
  readonly others?: number;
  /** Their ids (ContainerTarget.id). */
  readonly otherIds?: readonly string[];
};
