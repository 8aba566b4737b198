import type { CodedError, CodedOf, NoData } from '@logtool/kube/src/values/coded-error.ts';
import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget, RunEnd } from './container.ts';
import type { Cursor } from './cursor.ts';
import type { Notice } from './notice.ts';
import type { LogRecord } from './record.ts';

/** What the log engine yields; the CLI prints it, the dashboard sends it. Records are on stdout, all else is not. */
export type Frame =
  | { readonly type: 'records'; readonly records: readonly LogRecord[] }
  /** Bytes of one container copied straight through (only if the query allows it: see stream/passthrough). */
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | SourceFrame
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
  /** These containers have not answered for that long: the window is given without them (EnginePlan.patienceMs). */
  | { readonly type: 'unanswered'; readonly targets: readonly ContainerTarget[]; readonly forMs: number }
  /** These have answered after all. */
  | { readonly type: 'answered'; readonly targets: readonly ContainerTarget[] }
  /** The last frame of a window that does not follow; before the live part of one that does, with live: true. */
  | {
      readonly type: 'end';
      readonly live: boolean;
      /** Position of the first record shown, when there are records before it. */
      readonly prev: Cursor | undefined;
      /** Position after the last record shown, if there are records after it. */
      readonly next: Cursor | undefined;
      /** The selection's count cut the window (there was more), or containers that have not answered did. */
      readonly cut: boolean;
    };

/** `cause`: the failure whose effect the notice reports. */
export type NoticeFrame =
  | (Notice & { readonly type: 'notice'; readonly cause?: CodedError })
  /** A source argument failed as a whole (not found, forbidden); the others continue. */
  | { readonly type: 'notice'; readonly code: 'source-failed'; readonly error: CodedError };

/** How far a view is before its first record: each code with its data. */
export interface ProgressCodes {
  /** More containers are read than may be at once. */
  'in-turns': { readonly limit: number; readonly total: number };
  'containers-read': { readonly done: number; readonly total: number };
  /** Too little matches so far: so many bytes were read. */
  'searching-back': { readonly bytes: number };
}
export type Progress = CodedOf<ProgressCodes>;

/** Why records of a container may be missing: each code with its data. */
export interface GapCauses {
  /** The node rotated the log. */
  rotated: NoData;
  /** The container restarted, and the node removed its earlier run. */
  'run-removed': NoData;
  /** A run ended, and the node removed it before anything of it was read. */
  'run-lost': NoData;
  /** The container restarted more than once: the runs in between are not read. */
  'restarted-twice': NoData;
  /** `during`: while the log was read, while its connection was cut, or before its end was certain. */
  'pod-deleted': { readonly during: 'read' | 'cut' | 'uncertain-end' };
  /** `why`: the answer of the node. */
  'previous-unreadable': { readonly why: string };
  /** The node no longer serves the log. */
  'log-gone': NoData;
  /** Reading failed in the middle of the log. */
  'end-unread': NoData;
}
export type GapCause = CodedOf<GapCauses>;

/** In the words of the pod's status or of the server, or that no node was chosen, or that its node does not know the pod. */
export type WaitReason = string | { readonly code: 'no-node' | 'unknown-to-node' };

/** What a container has come to; `E` is how its failure is held. */
export type SourceState<E = CodedError> =
  | { readonly state: 'joined' }
  /** `reason`: of the pod's status (`ImagePullBackOff`), else the server's answer; empty if neither says one. */
  | { readonly state: 'waiting'; readonly reason: WaitReason }
  /** `count`: as its pod counts, from 1. `after`: how the run before ended, if its status says so. */
  | { readonly state: 'restarted'; readonly count: number; readonly after?: RunEnd | undefined }
  /** `why`: as the system or the server says it. */
  | { readonly state: 'reconnecting'; readonly why: Why; readonly error: E }
  | { readonly state: 'reconnected' }
  | { readonly state: 'finished'; readonly reason: string; readonly exitCode: number }
  /** The pod was deleted, or does not match the sources any more. */
  | { readonly state: 'left'; readonly why: 'deleted' | 'not-matching' }
  | { readonly state: 'failed'; readonly error: E };

/** The state of one container as the reader should see it. */
export type SourceFrame = SourceState & {
  readonly type: 'source';
  readonly target: ContainerTarget;
  /** This many other containers reached the same state at once; this frame stands for them too. */
  readonly others?: number;
  /** Their ids (ContainerTarget.id). */
  readonly otherIds?: readonly string[];
};
