import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { type ContainerTarget, currentRunId, endOfRunsBefore, startOfRun } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import type { ContainerReport, GapCause } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { RESTARTED_TWICE } from '../run/failure-policy.ts';
import { type Fetched, outcomeOfMissing, previousRunId, runReadUnnamed } from '../run/fetch-container.ts';
import { classifyFailure, StreamAbort } from '../run/read-failure.ts';
import { waitingReason } from '../run/report-container.ts';
import { beginDeletion, doubtEnd, endOfContainer, hasEnd, judgeEnd, seeContainer } from './deletion.ts';
import { ANSWERED, noteFailure } from './denials.ts';
import type { StreamEnd } from './follow-connection.ts';
import type {
  FollowEffect,
  FollowEvent,
  FollowState,
  Known,
  Next,
  Now,
  RunReadResult,
  RunTask,
  StatusTask,
  Step,
} from './follow-state.ts';
import { beginningFound, noteFirstLine } from './lost-beginning.ts';

const RUN_LOST: GapCause = { code: 'run-lost', data: {} };

/** Returns the state of a container without read lines, or of one that resumes. */
export function initialState(known: Known): FollowState {
  return { kind: 'reading', known };
}

/**
 * Returns the new state after an event, and its effects. Pure: times and walk come in `now`. An event of a task only
 * occurs in the task's own state.
 */
export function step(state: FollowState, event: FollowEvent, now: Now): Step {
  const { known } = state;
  switch (event.type) {
    case 'begin':
      return begin(known, now);
    case 'connected':
      return connected(state);
    case 'records':
      return recordsCame(state, now);
    case 'beginning-found':
      return [state, beginningFound(known, event.first, event.beginsAt)];
    case 'disconnected':
      return disconnected(known, event.end, event.wasSteady, now);
    case 'pod-fetched':
      return state.kind === 'cut' && state.task.kind === 'fetch-pod'
        ? podFetched(known, state.task.end, event.pod, now)
        : [state, []];
    case 'run-read':
      return 'task' in state && state.task.kind === 'read-run'
        ? runRead(known, state.task, event, now)
        : [state, []];
    case 'final-status':
      return 'task' in state && state.task.kind === 'final-status'
        ? after(endEffects(known, state.task.end, event.last, now), continueWith(known, state.task.next, now))
        : [state, []];
    case 'waited':
      return connect(known);
    case 'pod-changed':
      return podChanged(state, event.target, now);
    case 'pod-left':
      return podLeft(state, event.target, now);
    case 'left-checked':
      return leftChecked(state, event.isGone, event.askedMs);
  }
}

/** Returns the container's final status, if its leave event has arrived and is not older than the run. */
export function finalStatus({ isLeaving, target, restarts }: Known): ContainerTarget | undefined {
  return isLeaving && target.restartCount >= restarts ? target : undefined;
}

/** Begins with a container that joined: includes the previous run, if wanted. */
function begin(known: Known, now: Now): Step {
  const effects: FollowEffect[] = known.target.deleting ? [{ type: 'hurry' }] : [];
  const seen = { ...known, deletion: seeContainer(known.deletion, known.target, now.atMs) };
  if (known.runId !== '' || now.walk.hasLines) return after(effects, connect(seen));
  const previousId = previousRunId(known.target);
  // The container may restart meanwhile: this does not skip the run in between.
  const next: Next = { kind: 'follow-present', runId: currentRunId(known.target) };
  if (known.wanted.previous === 'no' || previousId === undefined)
    return after(effects, continueWith(seen, next, now));
  return after(effects, readRun({ ...seen, runId: previousId }, { previous: true, isOver: true, next }));
}

function connect(known: Known): Step {
  const fresh: Known = { ...known, change: 'none' };
  // Its log need not end.
  if (known.hasLeft) {
    const deletion = doubtEnd(known.deletion);
    return fetchPod({ ...fresh, deletion }, { kind: 'broken', error: new StreamAbort() });
  }
  return [{ kind: 'reading', known: fresh }, [{ type: 'connect' }]];
}

function connected({ known }: FollowState): Step {
  const isBack = known.reported.startsWith(AWAY);
  const next = { ...known, denials: ANSWERED, reported: isBack ? '' : known.reported };
  // Reports only a container as back that was reported as lost.
  const back: FollowEffect[] = isBack ? [{ type: 'report', report: { state: 'reconnected' } }] : [];
  return [{ kind: 'reading', known: next }, [{ type: 'answered' }, ...back]];
}

function recordsCame(state: FollowState, now: Now): Step {
  const deletion = doubtEnd(state.known.deletion);
  const [seen, effects] = noteFirstLine(state.known, now.walk.first);
  if (state.kind !== 'reading' && state.kind !== 'caught-up')
    return [{ ...state, known: { ...seen, deletion } }, effects];
  const { failures, wasRead, reported } = seen;
  const isKnown = state.kind === 'caught-up' && failures === 0 && wasRead && reported === '';
  if (isKnown && deletion === seen.deletion && seen === state.known) return [state, []];
  return [
    { kind: 'caught-up', known: { ...seen, deletion, failures: 0, wasRead: true, reported: '' } },
    effects,
  ];
}

function disconnected(before: Known, end: StreamEnd, wasSteady: boolean, now: Now): Step {
  const { target, runId, isLeaving } = before;
  const judged = { target, runId, isWhole: now.walk.aligned && !now.walk.isAmongKnown, atMs: now.atMs };
  const deletion = judgeEnd(before.deletion, end, judged);
  const known = { ...before, deletion, failures: wasSteady ? 0 : before.failures };
  if (end.kind === 'turn-over') return connect(known);
  // For a container that leaves, the answer may come from the next pod with its name.
  if (end.kind === 'waiting' && !isLeaving)
    return reporting(known, { state: 'waiting', reason: waitingReason(target, end.reason) }, awaitChange);
  if (end.kind === 'broken') {
    const { denials, isFinal } = noteFailure(known.denials, end.error, known.wasRead);
    if (isFinal) return done(known, { state: 'failed', error: end.error });
    return fetchPod({ ...known, denials }, end);
  }
  return end.kind === 'other-run' ? podFetched(known, end, end.fetched, now) : fetchPod(known, end);
}

function fetchPod(known: Known, end: StreamEnd): Step {
  return [{ kind: 'cut', known, task: { kind: 'fetch-pod', end } }, [{ type: 'fetch-pod' }]];
}

/** Decides from the state of the pod what the end of a connection means. */
function podFetched(known: Known, end: StreamEnd, pod: Fetched, now: Now): Step {
  if (pod === 'gone') return deleted(known, end.kind, now);
  if (end.kind === 'waiting') return left(known);
  const isCut = end.kind === 'broken' && endOfContainer(known.deletion, known.runId, now.atMs) === undefined;
  const next = (reported: Known) => judgePod(reported, end, pod, now);
  return isCut && isWorthReporting(end.error, pod)
    ? reporting(known, { state: 'reconnecting', why: whyOf(end.error), error: end.error }, next)
    : next(known);
}

function isWorthReporting(error: unknown, pod: Fetched): boolean {
  if (error instanceof StreamAbort) return false;
  // A node that does not know the pod yet has no log of it: nothing is broken.
  return classifyFailure(error).kind !== 'missing' || outcomeOfMissing(pod) === undefined;
}

function judgePod(known: Known, end: StreamEnd, pod: ContainerTarget | 'unknown', now: Now): Step {
  if (pod === 'unknown') return known.isLeaving ? leave(known) : reconnect(known, end);
  const [seen, effects] = see(known, pod, now);
  const present = currentRunId(pod);
  if (present !== known.runId) return after(effects, turnTo(seen, pod, now));
  if (pod.state.kind === 'running') return after(effects, runsOn(seen, end, pod, now));
  const next: Next = { kind: 'judge-over', pod };
  const isDrained = known.runId === '' || known.drained === known.runId;
  if (isDrained) return after(effects, judgeOver(seen, pod));
  return after(effects, readRun(seen, { previous: false, isOver: true, next }));
}

function runsOn(known: Known, end: StreamEnd, pod: ContainerTarget, now: Now): Step {
  const isAborted = end.kind === 'broken' && end.error instanceof StreamAbort;
  // Lines were held for a known one that did not come: only the end of the log resolves them.
  if (isAborted && !now.walk.aligned)
    return readRun(known, { previous: false, isOver: false, next: { kind: 'follow-on', pod } });
  return followOn(known, end, pod);
}

function followOn(known: Known, end: StreamEnd, pod: ContainerTarget): Step {
  return known.isLeaving && !pod.deleting ? leave(known) : reconnect(known, end);
}

/** Handles a run that has ended. */
function judgeOver(known: Known, { state, mayRestart }: ContainerTarget): Step {
  if (known.isLeaving) return left(known);
  if (state.kind === 'terminated' && !mayRestart) {
    const { reason, exitCode } = state;
    return reporting(known, { state: 'finished', reason, exitCode }, (reported) => [
      { kind: 'done', known: reported },
      [],
    ]);
  }
  const idle = { ...known, failures: 0 };
  return state.kind === 'waiting'
    ? reporting(idle, { state: 'waiting', reason: state.reason }, awaitChange)
    : awaitChange(idle);
}

/** Retries: first at once, then after growing waits. */
function reconnect(known: Known, end: StreamEnd): Step {
  const next = { ...known, failures: known.failures + 1 };
  if (known.failures === 0 || known.change === 'over') return connect(next);
  const attempt = known.failures - 1;
  return [{ kind: 'cut', known: next, task: { kind: 'pause' } }, [{ type: 'pause', attempt, end }]];
}

function awaitChange(known: Known): Step {
  if (known.change !== 'none') return connect(known);
  return [{ kind: 'waiting', known }, [{ type: 'await-change' }]];
}

/** Switches to another run: first reads the rest of the previous one. */
function turnTo(before: Known, pod: ContainerTarget, now: Now): Step {
  const present = currentRunId(pod);
  const last = pod.lastContainerId;
  const known = nameRun(before, pod, now);
  if (known.runId === present) {
    const isLost = last !== undefined && last !== present;
    return after(
      isLost ? [gap(RUN_LOST, { from: undefined, to: endOfRunsBefore(pod, present) })] : [],
      reconnect(known, { kind: 'other-run', fetched: pod }),
    );
  }
  const isBetween = last !== undefined && last !== known.runId && last !== present;
  const isCut = known.runId !== '' && known.drained !== known.runId;
  const between = isBetween ? [last] : [];
  if (isCut && last === known.runId)
    return readRun(known, { previous: true, isOver: true, next: { kind: 'next-run', pod, runIds: between } });
  const isSkipped = isCut || pod.restartCount - known.restarts > (isBetween ? 2 : 1);
  const to = endOfRunsBefore(pod, between[0] ?? present);
  const lost = isSkipped ? [gap(RESTARTED_TWICE, { from: now.walk.max, to })] : [];
  return after(lost, nextRun(known, pod, between));
}

/** Names the run of lines that were read before the pod's status named it. */
function nameRun(known: Known, pod: ContainerTarget, { walk }: Now): Known {
  if (known.runId !== '' || walk.first === undefined) return known;
  const runId = runReadUnnamed(pod, walk.first);
  const begun = known.begun?.runId === '' ? { ...known.begun, runId } : known.begun;
  return { ...known, runId, begun, restarts: pod.restartCount - (runId === currentRunId(pod) ? 0 : 1) };
}

function nextRun(known: Known, pod: ContainerTarget, [runId, ...others]: readonly string[]): Step {
  if (runId !== undefined) {
    const next: Next = { kind: 'next-run', pod, runIds: others };
    return after(
      [{ type: 'begin-run' }],
      readRun({ ...known, runId }, { previous: true, isOver: true, next }),
    );
  }
  const begin = (reported: Known): Step => {
    const restarts = pod.restartCount;
    const next = { ...reported, runId: currentRunId(pod), restarts, lastLines: undefined, failures: 0 };
    return after([{ type: 'begin-run' }], reconnect(next, { kind: 'other-run', fetched: pod }));
  };
  return known.runId === ''
    ? begin(known)
    : reporting(known, { state: 'restarted', count: pod.restartCount, after: pod.lastEnd }, begin);
}

function readRun(known: Known, run: Omit<RunTask, 'kind'>): Step {
  const task: RunTask = { kind: 'read-run', ...run };
  const { previous, isOver } = run;
  return [{ kind: READING_FOR[run.next.kind], known, task }, [{ type: 'read-run', previous, isOver }]];
}

/** The state while reading a run, by what follows it. */
const READING_FOR = {
  'follow-present': 'starting',
  'next-run': 'other-run',
  'follow-on': 'cut',
  'judge-over': 'cut',
  leave: 'leaving',
  'leave-deleted': 'leaving',
} as const satisfies Record<Next['kind'], FollowState['kind']>;

function runRead(before: Known, task: RunTask, result: RunReadResult, now: Now): Step {
  const { outcome, gaps, isDoubtful } = result;
  const deletion = isDoubtful ? doubtEnd(before.deletion) : before.deletion;
  const known = { ...before, deletion };
  const end = endOfContainer(deletion, known.runId, now.atMs);
  const isAway = outcome?.kind === 'gone' || outcome?.kind === 'failed';
  if (end !== undefined && isAway && !task.previous) return awaitStatus(known, 'clean', task.next);
  const next = () => continueWith(known, task.next, now);
  // The node removed a log that was already read to its end.
  if (end !== undefined && outcome?.kind === 'absent') return after(give(end.rest), next());
  const frames = gaps.map((frame): FollowEffect => ({ type: 'frame', frame }));
  if (outcome?.kind === 'moved' && !task.previous)
    return after(frames, readRun(known, { ...task, previous: true, isOver: true }));
  if (outcome?.kind === 'absent' || outcome?.kind === 'gone' || outcome?.kind === 'moved')
    return after([...frames, ...(now.walk.hasLines ? [] : [runLost(known, task.next)])], next());
  return after([...frames, { type: 'report-outcome', outcome }], next());
}

function awaitStatus(known: Known, end: StreamEnd['kind'], next: Next): Step {
  const task: StatusTask = { kind: 'final-status', end, next };
  const kind = READING_FOR[next.kind] === 'cut' ? 'cut' : 'leaving';
  return [{ kind, known, task }, [{ type: 'await-final-status' }]];
}

function continueWith(known: Known, next: Next, now: Now): Step {
  switch (next.kind) {
    case 'follow-present':
      return after([{ type: 'begin-run' }], connect({ ...known, runId: next.runId }));
    case 'next-run':
      return nextRun(known, next.pod, next.runIds);
    case 'follow-on':
      return followOn(known, { kind: 'broken', error: new StreamAbort() }, next.pod);
    case 'judge-over':
      return judgeOver({ ...known, drained: known.runId }, next.pod);
    case 'leave':
      return left(known);
    case 'leave-deleted':
      return left({ ...known, deletion: beginDeletion(known.deletion, now.atMs) });
  }
}

/** Handles a deleted pod: gives its last, unterminated line; or reports that something may be missing. */
function deleted(known: Known, end: StreamEnd['kind'], now: Now): Step {
  const next: Next = { kind: 'leave-deleted' };
  const isDrained = known.drained === known.runId;
  const isCut = end === 'broken' && !isDrained && !hasEnd(known.deletion, known.runId);
  const isUnstarted = known.runId === '' && !now.walk.hasLines;
  if (!isCut || isUnstarted) return awaitStatus(known, end, next);
  return after(endEffects(known, end, undefined, now), continueWith(known, next, now));
}

function endEffects(
  known: Known,
  end: StreamEnd['kind'],
  last: ContainerTarget | undefined,
  now: Now,
): readonly FollowEffect[] {
  const { runId, deletion } = known;
  // A container that was killed by force may have run without writing anything.
  const wasSeen = end === 'waiting' || last?.deleting === true;
  const present = last === undefined ? '' : currentRunId(last);
  if (runId === '' && !now.walk.hasLines && wasSeen && last !== undefined && present === '') return [];
  const isRunLost = runId !== '' && present !== '' && present !== runId;
  const lost = isRunLost ? [gap(RUN_LOST, UNKNOWN)] : [];
  if (known.drained === runId) return lost;
  const clean = endOfContainer(deletion, runId, now.atMs);
  if (clean !== undefined) return [...lost, ...give(clean.rest)];
  const during = end === 'broken' ? 'cut' : 'uncertain-end';
  return [...lost, gap({ code: 'pod-deleted', data: { during } }, { from: now.walk.max, to: undefined })];
}

/** Handles a pod that no longer matches: reads its last lines, then leaves. */
function leave(known: Known): Step {
  const isOver = known.target.state.kind !== 'running';
  return readRun(known, { previous: false, isOver, next: { kind: 'leave' } });
}

function left(known: Known): Step {
  const isDeleted = known.deletion.sinceMs !== undefined;
  return done(known, { state: 'left', why: isDeleted ? 'deleted' : 'not-matching' });
}

function done(known: Known, report: ContainerReport<unknown>): Step {
  return [{ kind: 'done', known }, [{ type: 'report', report }]];
}

function podChanged(state: FollowState, target: ContainerTarget, now: Now): Step {
  const [seen, effects] = see(state.known, target, now);
  const isOver = target.state.kind === 'terminated';
  const known: Known = { ...seen, change: isOver ? 'over' : 'changed' };
  return [{ ...state, known }, [...effects, ...wakeUp(state, isOver)]];
}

function wakeUp(state: FollowState, isOver: boolean): readonly FollowEffect[] {
  if (state.kind === 'waiting') return [{ type: 'wake' }];
  if (!('task' in state)) return [];
  // The log of a container that ended may soon be gone.
  return state.task.kind === 'pause' && isOver ? [{ type: 'wake' }] : [];
}

function podLeft(state: FollowState, target: ContainerTarget, now: Now): Step {
  const leaving = { ...state, known: { ...state.known, isLeaving: true } };
  const [next, effects] = podChanged(leaving, target, now);
  return [next, target.deleting ? effects : [...effects, { type: 'check-left' }]];
}

/** A pod deleted by force never announced it; its log continues until the container ends. */
function leftChecked(state: FollowState, isGone: boolean, askedMs: number): Step {
  const { known } = state;
  if (!isGone) return [{ ...state, known: { ...known, hasLeft: true } }, [{ type: 'close-connection' }]];
  const deletion = beginDeletion(known.deletion, askedMs);
  const effects: FollowEffect[] = known.deletion.sinceMs === undefined ? [{ type: 'hurry' }] : [];
  return [{ ...state, known: { ...known, deletion } }, effects];
}

/** Records the container's current state. */
function see(known: Known, target: ContainerTarget, now: Now): readonly [Known, readonly FollowEffect[]] {
  const deletion = seeContainer(known.deletion, target, now.atMs);
  const isNew = known.deletion.sinceMs === undefined && deletion.sinceMs !== undefined;
  const hurry: readonly FollowEffect[] = isNew ? [{ type: 'hurry' }] : [];
  return [{ ...known, target, deletion }, [{ type: 'see', target }, ...hurry]];
}

/** Reports a state once instead of at every attempt, then continues. */
function reporting(known: Known, report: ContainerReport<unknown>, then: (known: Known) => Step): Step {
  const reported = report.state === 'reconnecting' ? awayFor(report.error) : JSON.stringify(report);
  if (known.reported === reported) return then(known);
  return after([{ type: 'report', report }], then({ ...known, reported }));
}

/** The beginning of `reported` while a container is reported as lost. */
const AWAY = 'reconnecting';

/** Whether the server refuses a request matters: it answers, so the cluster is not away. */
function awayFor(error: unknown): string {
  return `${AWAY} ${classifyFailure(error).kind === 'denied'}`;
}

/** Returns the gap of a run of which no line could be read: it ended before the next one began, if that is known. */
function runLost({ target, runId }: Known, next: Next): FollowEffect {
  const pod = 'pod' in next ? next.pod : target;
  const later = runAfter(next);
  return gap(RUN_LOST, {
    from: startOfRun(pod, runId),
    to: later === undefined ? undefined : endOfRunsBefore(pod, later),
  });
}

/** Returns the run that is read after a task; undefined: none. */
function runAfter(next: Next): string | undefined {
  if (next.kind === 'follow-present') return next.runId;
  return next.kind === 'next-run' ? (next.runIds[0] ?? currentRunId(next.pod)) : undefined;
}

const UNKNOWN: Interval = { from: undefined, to: undefined };

function gap(cause: GapCause, { from, to }: Interval): FollowEffect {
  return { type: 'gap', cause, from, to };
}

function give(record: LogRecord | undefined): readonly FollowEffect[] {
  return record === undefined ? [] : [{ type: 'give', record }];
}

/** Adds effects that precede another step. */
function after(effects: readonly FollowEffect[], [state, others]: Step): Step {
  return [state, [...effects, ...others]];
}
