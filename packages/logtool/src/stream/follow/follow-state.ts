import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame, GapCause, SourceState } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Fetched } from '../run/fetch-container.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { type Deletion, NOT_DELETED } from './deletion.ts';
import { type Denials, NO_DENIALS } from './denials.ts';
import type { StreamEnd } from './follow-connection.ts';

/**
 * How a followed container stands. In each state but `done` exactly one thing is under way, the state's task, and its
 * event brings the next state (follow-step.ts).
 */
export type FollowState =
  /** The run before the present one is read first. */
  | { readonly kind: 'starting'; readonly known: Known; readonly task: RunTask }
  /** A connection is open or being opened, and has brought nothing new so far. */
  | { readonly kind: 'reading'; readonly known: Known }
  /** The connection brings new records. */
  | { readonly kind: 'caught-up'; readonly known: Known }
  /** The connection is over: the pod is fetched, the rest of the run is read, or the next try is waited for. */
  | { readonly kind: 'cut'; readonly known: Known; readonly task: CutTask }
  /** The container was started again: runs between the followed one and the present one are read. */
  | { readonly kind: 'other-run'; readonly known: Known; readonly task: RunTask }
  /** Nothing can be read until the pod changes. */
  | { readonly kind: 'waiting'; readonly known: Known }
  /** The pod is gone, or does not match any more: its final lines. */
  | { readonly kind: 'leaving'; readonly known: Known; readonly task: StatusTask | RunTask }
  | { readonly kind: 'done'; readonly known: Known };

type CutTask =
  | { readonly kind: 'fetch-pod'; readonly end: StreamEnd }
  | { readonly kind: 'pause' }
  | RunTask
  | StatusTask;

/** A run is read to its end. */
export interface RunTask {
  readonly kind: 'read-run';
  readonly previous: boolean;
  /** Its unterminated last line is a record. */
  readonly isOver: boolean;
  readonly next: Next;
}

/** The event of the pod's deletion, which says what the container was at its end, is waited for. */
export interface StatusTask {
  readonly kind: 'final-status';
  readonly end: StreamEnd['kind'];
  readonly next: Next;
}

/** What follows a task. */
export type Next =
  /** The present run is followed: it began when the container joined. */
  | { readonly kind: 'follow-present'; readonly runId: string }
  /** More runs are read, the oldest first, then the present one of the pod is followed. */
  | { readonly kind: 'next-run'; readonly pod: ContainerTarget; readonly runIds: readonly string[] }
  /** The container runs on. */
  | { readonly kind: 'follow-on'; readonly pod: ContainerTarget }
  /** The run is over; the pod shows whether another one may come. */
  | { readonly kind: 'judge-over'; readonly pod: ContainerTarget }
  /** Nothing. */
  | { readonly kind: 'leave' }
  /** Nothing, because the pod is gone. */
  | { readonly kind: 'leave-deleted' };

/** Facts about a followed container in every state. */
export interface Known {
  readonly target: ContainerTarget;
  /** The run that is followed; empty while the pod has not named it. */
  readonly runId: string;
  /** Restarts that the pod reported when it named that run, -1 before the first: events may be older than that. */
  readonly restarts: number;
  readonly isLeaving: boolean;
  /** It leaves while its pod lives on, so that its log need not end: no connection waits for that. */
  readonly hasLeft: boolean;
  readonly wasRead: boolean;
  /** The run whose end was read already. */
  readonly drained: string | undefined;
  /** Connections in a row that brought nothing. */
  readonly failures: number;
  /** Lines to begin with if nothing could be read so far; all when undefined. */
  readonly lastLines: number | undefined;
  readonly deletion: Deletion;
  readonly denials: Denials;
  /** The state that was reported last, so that it is not reported again at every try. */
  readonly reported: string;
  /** The pod's events since the present connection began; `over`: the last one, that the container ended. */
  readonly change: 'none' | 'changed' | 'over';
}

/** Where the walk through the log stands, as far as a step needs to know it. */
interface WalkFacts {
  readonly hasLines: boolean;
  readonly aligned: boolean;
  readonly first: Timestamp | undefined;
  readonly max: Timestamp | undefined;
}

/** When a step is taken, and where the walk stands then. */
export interface Now {
  /** Steady clock. */
  readonly atMs: number;
  readonly walk: WalkFacts;
}

export type FollowEvent =
  | { readonly type: 'begin'; readonly readsPrevious: boolean }
  /** The server answered the connection. */
  | { readonly type: 'connected' }
  /** New records came, over the connection or with a run that is read. */
  | { readonly type: 'records' }
  /** `wasSteady`: the connection lasted long enough not to count as failed. */
  | { readonly type: 'disconnected'; readonly end: StreamEnd; readonly wasSteady: boolean }
  | { readonly type: 'pod-fetched'; readonly pod: Fetched }
  | ({ readonly type: 'run-read' } & RunReadResult)
  /** What the container was at its end; undefined if that is not known, or not in time. */
  | { readonly type: 'final-status'; readonly last: ContainerTarget | undefined }
  /** The pause is over, or the wait for a change. */
  | { readonly type: 'waited' }
  | { readonly type: 'pod-changed'; readonly target: ContainerTarget }
  /** The pod was deleted, or does not match any more. */
  | { readonly type: 'pod-left'; readonly target: ContainerTarget }
  /** What became of a pod that left without a word of deletion, asked for at a time. */
  | { readonly type: 'left-checked'; readonly isGone: boolean; readonly askedMs: number };

export interface RunReadResult {
  readonly outcome: RunOutcome | undefined;
  /** Gaps after its last line: what they are worth shows the outcome. */
  readonly gaps: readonly Frame[];
  /** What was answered leaves in doubt that a clean end before was that of the log. */
  readonly isDoubtful: boolean;
}

export type FollowEffect = LastingEffect | InstantEffect;

/** The task of the new state, whose event is to come, and records for the reader. */
type LastingEffect =
  | { readonly type: 'connect' }
  | { readonly type: 'fetch-pod' }
  | { readonly type: 'read-run'; readonly previous: boolean; readonly isOver: boolean }
  | { readonly type: 'await-final-status' }
  /** Before the next try; `attempt`: the number of failures before the last one. */
  | { readonly type: 'pause'; readonly attempt: number; readonly end: StreamEnd }
  | { readonly type: 'await-change' }
  | { readonly type: 'give'; readonly record: LogRecord };

/** What is done at once. */
export type InstantEffect =
  | { readonly type: 'close-connection' }
  /** Ends a pause, or the wait for a change. `isChange`: the wait for the next one is short again. */
  | { readonly type: 'wake' }
  | { readonly type: 'check-left' }
  | { readonly type: 'begin-run' }
  /** A connection of the view was answered. */
  | { readonly type: 'answered' }
  /** Its log is about to be gone. */
  | { readonly type: 'hurry' }
  | { readonly type: 'see'; readonly target: ContainerTarget }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'report'; readonly report: SourceState<unknown> }
  | { readonly type: 'report-outcome'; readonly outcome: RunOutcome | undefined }
  | { readonly type: 'gap'; readonly from: Timestamp | undefined; readonly cause: GapCause };

const LASTING: Readonly<Record<LastingEffect['type'], true>> = {
  connect: true,
  'fetch-pod': true,
  'read-run': true,
  'await-final-status': true,
  pause: true,
  'await-change': true,
  give: true,
};

export function isLasting(effect: FollowEffect): effect is LastingEffect {
  return Object.hasOwn(LASTING, effect.type);
}

/** The next state and its effects, in order; a task comes last. */
export type Step = readonly [FollowState, readonly FollowEffect[]];

/** Facts about a container that resumes, or that joins. */
export function knownAtStart(
  target: ContainerTarget,
  runId: string,
  wasRead: boolean,
  lastLines: number | undefined,
  isUnnamed: boolean,
): Known {
  return {
    target,
    runId,
    restarts: isUnnamed && target.restartCount === 0 ? -1 : target.restartCount,
    isLeaving: false,
    hasLeft: false,
    wasRead,
    drained: undefined,
    failures: 0,
    lastLines,
    deletion: NOT_DELETED,
    denials: NO_DENIALS,
    reported: '',
    change: 'none',
  };
}
