import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import type { ContainerReport, Frame, GapCause } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Fetched } from '../run/fetch-container.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { type Deletion, NOT_DELETED } from './deletion.ts';
import { type Denials, NO_DENIALS } from './denials.ts';
import type { StreamEnd } from './follow-connection.ts';

/**
 * State of a followed container. Each state except `done` has exactly one running task, whose event leads to the next
 * state (follow-step.ts).
 */
export type FollowState =
  /** Reads the previous run first. */
  | { readonly kind: 'starting'; readonly known: Known; readonly task: RunTask }
  /** A connection is open or opening, and has delivered nothing new so far. */
  | { readonly kind: 'reading'; readonly known: Known }
  /** The connection delivers new records. */
  | { readonly kind: 'caught-up'; readonly known: Known }
  /** The connection ended: fetches the pod, reads the rest of the run, or waits for the next attempt. */
  | { readonly kind: 'cut'; readonly known: Known; readonly task: CutTask }
  /** The container restarted: reads the runs between the followed and the current one. */
  | { readonly kind: 'other-run'; readonly known: Known; readonly task: RunTask }
  /** Nothing is readable until the pod changes. */
  | { readonly kind: 'waiting'; readonly known: Known }
  /** The pod is gone, or no longer matches: reads its final lines. */
  | { readonly kind: 'leaving'; readonly known: Known; readonly task: StatusTask | RunTask }
  | { readonly kind: 'done'; readonly known: Known };

type CutTask =
  | { readonly kind: 'fetch-pod'; readonly end: StreamEnd }
  | { readonly kind: 'pause' }
  | RunTask
  | StatusTask;

/** Reads a run to its end. */
export interface RunTask {
  readonly kind: 'read-run';
  readonly previous: boolean;
  /** The run has ended, so that its unterminated last line is a record. */
  readonly isOver: boolean;
  readonly next: Next;
}

/** Waits for the event of the pod's deletion, which has the container's final status. */
export interface StatusTask {
  readonly kind: 'final-status';
  readonly end: StreamEnd['kind'];
  readonly next: Next;
}

/** What follows a task. */
export type Next =
  /** Follow the current run: it began when the container joined. */
  | { readonly kind: 'follow-present'; readonly runId: string }
  /** Read more runs, the oldest first, then follow the pod's current one. */
  | { readonly kind: 'next-run'; readonly pod: ContainerTarget; readonly runIds: readonly string[] }
  /** The container keeps running. */
  | { readonly kind: 'follow-on'; readonly pod: ContainerTarget }
  /** The run has ended; the pod shows whether another one may come. */
  | { readonly kind: 'judge-over'; readonly pod: ContainerTarget }
  /** Nothing. */
  | { readonly kind: 'leave' }
  /** Nothing, because the pod is gone. */
  | { readonly kind: 'leave-deleted' };

/** What a follow is to give, and since when it runs. */
export interface Wanted {
  readonly previous: 'auto' | 'no' | 'only';
  /** Records with an earlier time are not wanted. */
  readonly from: Timestamp | undefined;
  /** When the follow began, ms since the epoch by the clock of this machine. */
  readonly sinceMs: number;
}

/** Facts about a followed container in every state. */
export interface Known {
  readonly wanted: Wanted;
  readonly target: ContainerTarget;
  /** The followed run; empty until the pod has named it. */
  readonly runId: string;
  /** The run whose beginning was read, and whether it is the first one; undefined: nothing was read. */
  readonly begun: { readonly runId: string; readonly isFirst: boolean } | undefined;
  /** Restarts that the pod reported when it named that run, -1 before the first: events may be older than that. */
  readonly restarts: number;
  readonly isLeaving: boolean;
  /** It leaves while its pod continues, so that its log need not end: no connection waits for the end. */
  readonly hasLeft: boolean;
  readonly wasRead: boolean;
  /** The run that was already read to its end. */
  readonly drained: string | undefined;
  /** Consecutive connections that delivered nothing. */
  readonly failures: number;
  /** Lines to begin with if nothing has been readable so far; undefined: all. */
  readonly lastLines: number | undefined;
  readonly deletion: Deletion;
  readonly denials: Denials;
  /** The last reported state, so that retries do not report it again. */
  readonly reported: string;
  /** The pod's events since the current connection began; `over`: the last one reported the container's end. */
  readonly change: 'none' | 'changed' | 'over';
}

/** The position of the walk through the log, as far as a step needs it. */
interface WalkFacts {
  readonly hasLines: boolean;
  readonly aligned: boolean;
  readonly isAmongKnown: boolean;
  readonly first: Timestamp | undefined;
  readonly max: Timestamp | undefined;
}

/** Time of a step, and the walk's position. */
export interface Now {
  /** Steady clock. */
  readonly atMs: number;
  readonly walk: WalkFacts;
}

export type FollowEvent =
  | { readonly type: 'begin' }
  /** The server accepted the connection. */
  | { readonly type: 'connected' }
  /** New records arrived, over the connection or from reading a run. */
  | { readonly type: 'records' }
  /** Result of a request for the first line of the run; `first`: the first one that was read. */
  | {
      readonly type: 'beginning-found';
      readonly first: Timestamp;
      readonly beginsAt: Timestamp | undefined;
    }
  /** `wasSteady`: the connection lasted long enough not to count as failed. */
  | { readonly type: 'disconnected'; readonly end: StreamEnd; readonly wasSteady: boolean }
  | { readonly type: 'pod-fetched'; readonly pod: Fetched }
  | ({ readonly type: 'run-read' } & RunReadResult)
  /** The container's final status; undefined if unknown, or too late. */
  | { readonly type: 'final-status'; readonly last: ContainerTarget | undefined }
  /** The pause, or the wait for a change, ended. */
  | { readonly type: 'waited' }
  | { readonly type: 'pod-changed'; readonly target: ContainerTarget }
  /** The pod was deleted, or no longer matches. */
  | { readonly type: 'pod-left'; readonly target: ContainerTarget }
  /** Result of checking a pod that left without a deletion event, and the time of the check. */
  | { readonly type: 'left-checked'; readonly isGone: boolean; readonly askedMs: number };

export interface RunReadResult {
  readonly outcome: RunOutcome | undefined;
  /** Gaps after its last line; the outcome decides what they mean. */
  readonly gaps: readonly Frame[];
  /** The answers make it doubtful that an earlier clean end was the end of the log. */
  readonly isDoubtful: boolean;
}

export type FollowEffect = LastingEffect | InstantEffect;

/** The task of the new state, whose event is pending, and what precedes records for the reader. */
type LastingEffect =
  | { readonly type: 'connect' }
  | { readonly type: 'fetch-pod' }
  | { readonly type: 'read-run'; readonly previous: boolean; readonly isOver: boolean }
  | { readonly type: 'await-final-status' }
  /** Before the next attempt; `attempt`: the number of failures before the last one. */
  | { readonly type: 'pause'; readonly attempt: number; readonly end: StreamEnd }
  | { readonly type: 'await-change' }
  | { readonly type: 'give'; readonly record: LogRecord }
  /** Requests the first line of the run. `first`: the first one that was read. */
  | { readonly type: 'find-beginning'; readonly first: Timestamp };

/** Effects that complete immediately. */
export type InstantEffect =
  | { readonly type: 'close-connection' }
  /** Ends a pause, or the wait for a change. `isChange`: the wait for the next one is short again. */
  | { readonly type: 'wake' }
  | { readonly type: 'check-left' }
  | { readonly type: 'begin-run' }
  /** A connection of the view received an answer. */
  | { readonly type: 'answered' }
  /** The log will disappear soon. */
  | { readonly type: 'hurry' }
  | { readonly type: 'see'; readonly target: ContainerTarget }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'report'; readonly report: ContainerReport<unknown> }
  | { readonly type: 'report-outcome'; readonly outcome: RunOutcome | undefined }
  | ({ readonly type: 'gap'; readonly cause: GapCause } & Interval);

const LASTING: Readonly<Record<LastingEffect['type'], true>> = {
  connect: true,
  'fetch-pod': true,
  'read-run': true,
  'await-final-status': true,
  pause: true,
  'await-change': true,
  give: true,
  'find-beginning': true,
};

export function isLasting(effect: FollowEffect): effect is LastingEffect {
  return Object.hasOwn(LASTING, effect.type);
}

/** The next state and its effects, in order; a task comes last. */
export type Step = readonly [FollowState, readonly FollowEffect[]];

/** What is known of a container before it is followed. */
interface Start extends Pick<Known, 'target' | 'wanted' | 'wasRead' | 'lastLines'> {
  /** The run where a window ended; undefined: nothing was read. */
  readonly runId: string | undefined;
  readonly isUnnamed: boolean;
}

/** Returns the initial facts about a container that resumes, or that joins. */
export function knownAtStart({ runId, isUnnamed, ...start }: Start): Known {
  const { restartCount } = start.target;
  return {
    ...start,
    runId: runId ?? '',
    begun: runId === undefined ? undefined : { runId, isFirst: true },
    restarts: isUnnamed && restartCount === 0 ? -1 : restartCount,
    isLeaving: false,
    hasLeft: false,
    drained: undefined,
    failures: 0,
    deletion: NOT_DELETED,
    denials: NO_DENIALS,
    reported: '',
    change: 'none',
  };
}
