import { KubeError } from '@logtool/kube/src/errors.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { expect, test } from 'vitest';
import type { ContainerState, ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { stateDetail } from '../../messages/container-report.ts';
import { gapCauseText } from '../../messages/gap.ts';
import { whyText } from '../../messages/problems.ts';
import { RUN_REMOVED } from '../run/failure-policy.ts';
import { AccessWithdrawn, StreamAbort } from '../run/read-failure.ts';
import {
  type FollowEvent,
  type FollowState,
  type Known,
  knownAtStart,
  type Now,
  type Wanted,
} from './follow-state.ts';
import { initialState, step } from './follow-step.ts';

/* The state machine of a followed container, as a table: the effect of each event on each state. */

const at = (seconds: number) => ({ seconds, nanos: 0 });
const running = (containerId: string): ContainerState => ({
  kind: 'running',
  containerId,
  startedAt: at(50),
});
const ended = (containerId: string): ContainerState => ({
  kind: 'terminated',
  containerId,
  exitCode: 1,
  reason: 'Error',
  finishedAt: at(60),
});
const pod = (state: ContainerState, more: Partial<ContainerTarget> = {}): ContainerTarget => ({
  id: 'uid/main',
  namespace: 'shop',
  pod: 'web-0',
  podUid: 'uid',
  container: 'main',
  kind: 'regular',
  placement: {},
  restartCount: 1,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
  state,
  ...more,
});
const two = pod(running('two'), { lastContainerId: 'one' });
const three = pod(running('three'), { lastContainerId: 'two', restartCount: 2 });
const rest: LogRecord = {
  run: makeRun(two, 'two'),
  at: at(90),
  seq: 0,
  message: Buffer.from('last'),
  partial: true,
  late: false,
};

const NOW: Now = {
  atMs: 100_000,
  walk: { hasLines: true, aligned: true, isAmongKnown: false, first: at(70), max: at(90) },
};
const FIRST = { ...NOW, walk: { ...NOW.walk, hasLines: false, first: undefined, max: undefined } };
const wanted: Wanted = { previous: 'auto', from: undefined, sinceMs: 100_000 };
const START = { target: two, wanted, wasRead: true, lastLines: undefined, isUnnamed: false };
const known = (more: Partial<Known> = {}): Known => ({
  ...knownAtStart({ ...START, runId: 'two' }),
  ...more,
});
const reading = (more: Partial<Known> = {}): FollowState => ({ kind: 'reading', known: known(more) });
const reset = new KubeError({ kind: 'connection', message: 'socket hang up', code: 'ECONNRESET' });
const fetching = (end: 'clean' | 'broken', more: Partial<Known> = {}, error = reset): FollowState => ({
  kind: 'cut',
  known: known(more),
  task: {
    kind: 'fetch-pod',
    end: end === 'clean' ? { kind: end, rest: undefined } : { kind: end, error },
  },
});
const refused = new KubeError({ kind: 'forbidden', message: 'no' });
const broken = (error: unknown): FollowEvent => ({
  type: 'disconnected',
  end: { kind: 'broken', error },
  wasSteady: false,
});
const fetched = (target: ContainerTarget | 'gone' | 'unknown'): FollowEvent => ({
  type: 'pod-fetched',
  pod: target,
});
const readDone: FollowEvent = {
  type: 'run-read',
  outcome: { kind: 'complete' },
  gaps: [],
  isDoubtful: false,
};

/** Returns the next state, its followed run, and a summary of the effects. */
function played(state: FollowState, ...events: readonly FollowEvent[]): string {
  let [next, effects] = [state, [] as ReturnType<typeof step>[1]];
  for (const event of events) [next, effects] = step(next, event, NOW);
  const texts = effects.map((effect) => {
    if (effect.type === 'report') {
      const detail = stateDetail(effect.report, (error) => whyText(whyOf(error)));
      return `report ${effect.report.state}${detail && `: ${detail}`}`;
    }
    if (effect.type === 'gap') return `gap: ${gapCauseText(effect.cause)}`;
    if (effect.type === 'give') return `give ${Buffer.from(effect.record.message)}`;
    if (effect.type === 'read-run') return `read-run${effect.previous ? ' previous' : ''}`;
    return effect.type === 'pause' ? `pause ${effect.attempt}` : effect.type;
  });
  return [`${next.kind} ${next.known.runId}`.trim(), ...texts].join(', ');
}

test.each<[string, Partial<Known>, Wanted['previous'], string[]]>([
  ['the run before is read first', { runId: '' }, 'auto', ['starting', 'read-run']],
  ['the run before is not wanted', { runId: '' }, 'no', ['reading', 'begin-run', 'connect']],
  ['taken up where a window ended', {}, 'auto', ['reading', 'connect']],
])('a container begins: %s', (_, more, previous, expected) => {
  const start = reading({ ...more, wanted: { ...wanted, previous } });
  const [state, effects] = step(start, { type: 'begin' }, FIRST);
  expect([state.kind, ...effects.map(({ type }) => type)]).toEqual(expected);
});

const HOUR = 3_600;
/** A pod whose run began one hour before the first line that is left of it, and long before the follow. */
const silent = pod(
  { kind: 'running', containerId: 'two', startedAt: at(1_000) },
  { lastContainerId: 'one', lastStartedAt: at(500) },
);
const follows = (runId: string | undefined, more: Partial<Known> = {}, change: Partial<Wanted> = {}) =>
  ({
    kind: 'reading',
    known: {
      ...knownAtStart({
        ...START,
        target: silent,
        wanted: { ...wanted, sinceMs: 10 * HOUR * 1_000, ...change },
        runId,
      }),
      runId: 'two',
      ...more,
    },
  }) as const;
const afterOne = { begun: { runId: 'one', isFirst: true } };

/** Returns the gaps before the first line of a run, or the request that is to find them. */
function lostBefore(state: FollowState, firstSeconds: number, ...events: readonly FollowEvent[]): string[] {
  const now = { ...NOW, walk: { ...NOW.walk, first: at(firstSeconds) } };
  const texts: string[] = [];
  let next = state;
  for (const event of [{ type: 'records' } as const, ...events, { type: 'records' } as const]) {
    const [after, effects] = step(next, event, now);
    next = after;
    for (const effect of effects) {
      if (effect.type !== 'gap') texts.push(effect.type);
      else texts.push([effect.cause.code, effect.from?.seconds ?? '', effect.to?.seconds ?? ''].join(' '));
    }
  }
  return texts;
}

const FIRST_LINE = 1_000 + HOUR;
const late = `run-begins-late 1000 ${FIRST_LINE}`;
test.each<[string, FollowState, number, FollowEvent[], string[]]>([
  ['of a run after one that was read', follows(undefined, afterOne), FIRST_LINE, [], [late]],
  ['of a run where a window ended', follows('two'), FIRST_LINE, [], []],
  ['soon after the start', follows(undefined, afterOne), 1_060, [], []],
  ['written during the follow', follows(undefined, afterOne), 10 * HOUR, [], []],
  [
    'within the difference of two clocks before the follow',
    follows(undefined, afterOne),
    10 * HOUR - 59,
    [],
    [],
  ],
  [
    'of the only run that is left',
    follows(undefined, { target: { ...silent, lastContainerId: undefined, restartCount: 2 } }),
    FIRST_LINE,
    [],
    ['runs-gone  1001', `begins-late 1000 ${FIRST_LINE}`],
  ],
  [
    'of the oldest of two runs that are left',
    follows(undefined, { target: { ...silent, restartCount: 4 }, runId: 'one' }),
    500 + HOUR,
    [],
    ['runs-gone  501', `begins-late 500 ${500 + HOUR}`],
  ],
  [
    'written during the follow, of the oldest of two runs that are left',
    follows(undefined, { target: { ...silent, restartCount: 4 }, restarts: 4, runId: 'one' }),
    10 * HOUR,
    [],
    ['runs-gone  501'],
  ],
  [
    'written during the follow, after a restart during the follow',
    follows(undefined, { target: { ...silent, restartCount: 4 }, restarts: 3, runId: 'one' }),
    10 * HOUR,
    [],
    [],
  ],
  ['runs before are not wanted', follows(undefined, {}, { previous: 'no' }), 1_060, [], []],
  [
    'in a range that begins inside the run, and the log after the range',
    follows(undefined, afterOne, { from: at(1_500) }),
    FIRST_LINE,
    [{ type: 'beginning-found', first: at(FIRST_LINE), beginsAt: at(FIRST_LINE) }],
    ['find-beginning', `run-begins-late 1500 ${FIRST_LINE}`],
  ],
  [
    'in a range that begins inside the run, and the log before the range',
    follows(undefined, afterOne, { from: at(1_500) }),
    FIRST_LINE,
    [{ type: 'beginning-found', first: at(FIRST_LINE), beginsAt: at(1_001) }],
    ['find-beginning'],
  ],
  [
    'in a range that begins inside the run, soon after its start',
    follows(undefined, afterOne, { from: at(1_030) }),
    1_060,
    [],
    [],
  ],
  [
    'in a range that begins before the run',
    follows(undefined, afterOne, { from: at(800) }),
    FIRST_LINE,
    [],
    [late],
  ],
  [
    'of the last lines, with which the log begins',
    follows(undefined, { ...afterOne, lastLines: 10 }),
    FIRST_LINE,
    [{ type: 'beginning-found', first: at(FIRST_LINE), beginsAt: at(FIRST_LINE) }],
    ['find-beginning', late],
  ],
  [
    'of the last lines, and the log begins before',
    follows(undefined, { ...afterOne, lastLines: 10 }),
    FIRST_LINE,
    [{ type: 'beginning-found', first: at(FIRST_LINE), beginsAt: at(1_001) }],
    ['find-beginning'],
  ],
  [
    'of the last lines, and nothing is known of the beginning',
    follows(undefined, { ...afterOne, lastLines: 10 }),
    FIRST_LINE,
    [{ type: 'beginning-found', first: at(FIRST_LINE), beginsAt: undefined }],
    ['find-beginning'],
  ],
])('what is lost before the first line: %s', (_, state, firstSeconds, events, expected) => {
  expect(lostBefore(state, firstSeconds, ...events)).toEqual(expected);
});

test('a run that is read before its status names it does not begin again', () => {
  const unnamed = pod(running(''), { restartCount: 0 });
  const start = { ...START, target: unnamed, isUnnamed: true, runId: undefined };
  const state: FollowState = { kind: 'reading', known: knownAtStart(start) };
  const [read] = step(state, { type: 'records' }, NOW);
  expect(read.known.begun).toEqual({ runId: '', isFirst: true });
  const [cut] = step(read, broken(reset), NOW);
  const [named] = step(cut, fetched(pod(running('two'))), NOW);
  expect(named.known).toMatchObject({ runId: 'two', begun: { runId: 'two', isFirst: true } });
});

const absent: FollowEvent = { type: 'run-read', outcome: { kind: 'absent' }, gaps: [], isDoubtful: false };
const startedLater = { startedAt: at(80) };
const second = pod({ ...running('three'), ...startedLater } as ContainerState, {
  lastContainerId: 'two',
  lastStartedAt: at(70),
  restartCount: 2,
});
test.each<[string, FollowState, FollowEvent[], Now, [number | undefined, number | undefined]]>([
  // The status has whole seconds: a run may have ended in the second in which the next one began.
  [
    'restarted more than once: up to the start of the run that is left',
    fetching('clean', { runId: 'zero', restarts: 0 }),
    [fetched({ ...second, lastContainerId: undefined })],
    NOW,
    [90, 81],
  ],
  [
    'restarted more than once, and the last run but one is left',
    fetching('clean', { runId: 'zero', restarts: -2 }),
    [fetched(second)],
    NOW,
    [90, 71],
  ],
  [
    'a run of which nothing could be read: up to the start of the next one',
    fetching('clean'),
    [fetched(second), absent],
    FIRST,
    [70, 81],
  ],
  [
    'the run of a container that leaves: no later one ends it',
    {
      kind: 'leaving',
      known: known(),
      task: { kind: 'read-run', previous: false, isOver: true, next: { kind: 'leave' } },
    },
    [absent],
    FIRST,
    [50, undefined],
  ],
])('a gap: %s', (_, state, events, now, expected) => {
  let [next, effects] = [state, [] as ReturnType<typeof step>[1]];
  for (const event of events) [next, effects] = step(next, event, now);
  const gaps = effects.flatMap((effect) =>
    effect.type === 'gap' ? [[effect.from?.seconds, effect.to?.seconds]] : [],
  );
  expect(gaps).toEqual([expected]);
});

test.each<[string, FollowState, FollowEvent[], string]>([
  ['new records', reading({ failures: 4 }), [{ type: 'records' }], 'caught-up two'],
  ['an answer', reading(), [{ type: 'connected' }], 'reading two, answered'],
  [
    'an answer after a loss that was reported',
    reading({ reported: 'reconnecting false' }),
    [{ type: 'connected' }],
    'reading two, answered, report reconnected',
  ],
  [
    'a clean end',
    reading(),
    [{ type: 'disconnected', end: { kind: 'clean', rest }, wasSteady: false }],
    'cut two, fetch-pod',
  ],
  ['a reset', reading(), [broken(reset)], 'cut two, fetch-pod'],
  [
    'a refusal after permission was withdrawn, and given again since',
    reading(),
    [{ type: 'connected' }, broken(new AccessWithdrawn()), { type: 'connected' }, broken(refused)],
    'cut two, fetch-pod',
  ],
  [
    'others wait',
    reading(),
    [{ type: 'disconnected', end: { kind: 'turn-over' }, wasSteady: false }],
    'reading two, connect',
  ],
  [
    'nothing to read yet',
    reading(),
    [{ type: 'disconnected', end: { kind: 'waiting', reason: 'no node' }, wasSteady: false }],
    'waiting two, report waiting: no node, await-change',
  ],
  [
    'nothing to read yet, and the pod changed meanwhile',
    reading(),
    [
      { type: 'pod-changed', target: two },
      { type: 'disconnected', end: { kind: 'waiting', reason: 'no node' }, wasSteady: false },
    ],
    'reading two, report waiting: no node, connect',
  ],
  [
    'refused three times, nothing read',
    reading({ wasRead: false }),
    [broken(refused), broken(refused), broken(refused)],
    'done two, report failed: no',
  ],
  [
    'refused three times, read before',
    reading(),
    [broken(refused), broken(refused), broken(refused)],
    'cut two, fetch-pod',
  ],
])('a connection: %s', (_, state, events, expected) => {
  expect(played(state, ...events)).toBe(expected);
});

test.each<[string, FollowState, FollowEvent[], string]>([
  ['it runs on: at once', fetching('clean'), [fetched(two)], 'reading two, see, connect'],
  [
    'it runs on: after a wait the second time',
    fetching('clean', { failures: 1 }),
    [fetched(two)],
    'cut two, see, pause 0',
  ],
  [
    'it is cut',
    fetching('broken'),
    [fetched(two)],
    'reading two, report reconnecting: socket hang up, see, connect',
  ],
  [
    'it is cut again',
    fetching('broken', { failures: 3, reported: 'reconnecting false' }),
    [fetched(two)],
    'cut two, see, pause 2',
  ],
  [
    'it was cut, and the server now refuses it',
    fetching('broken', { failures: 3, reported: 'reconnecting false' }, refused),
    [fetched(two)],
    'cut two, report reconnecting: no, see, pause 2',
  ],
  [
    'the server refuses it again',
    fetching('broken', { failures: 3, reported: 'reconnecting true' }, refused),
    [fetched(two)],
    'cut two, see, pause 2',
  ],
  ['nobody knows', fetching('clean'), [fetched('unknown')], 'reading two, connect'],
  [
    'nobody knows of one that leaves',
    fetching('clean', { isLeaving: true }),
    [fetched('unknown')],
    'leaving two, read-run',
  ],
  ['it ended: the rest is read', fetching('clean'), [fetched(pod(ended('two')))], 'cut two, see, read-run'],
  [
    'it ended, and is read',
    fetching('clean', { drained: 'two' }),
    [fetched(pod(ended('two')))],
    'waiting two, see, await-change',
  ],
  [
    'it ended for good',
    fetching('clean', { drained: 'two' }),
    [fetched(pod(ended('two'), { mayRestart: false }))],
    'done two, see, report finished: Error (1)',
  ],
  ['the next run', fetching('clean'), [fetched(three)], 'other-run two, see, read-run previous'],
  [
    'the run after the next, and that one is still there',
    fetching('clean', { drained: 'two' }),
    [fetched(pod(running('four'), { lastContainerId: 'three', restartCount: 3 }))],
    'other-run three, see, begin-run, read-run previous',
  ],
  [
    'a run far behind',
    fetching('clean'),
    [fetched(pod(running('five'), { lastContainerId: undefined, restartCount: 4 }))],
    'reading five, see, gap: the container restarted more than once, report restarted: 4th time, begin-run, connect',
  ],
  [
    'it no longer matches',
    fetching('clean', { isLeaving: true }),
    [fetched(two)],
    'leaving two, see, read-run',
  ],
  [
    'it is deleted and runs on',
    fetching('clean', { isLeaving: true }),
    [fetched(pod(running('two'), { deleting: true }))],
    'reading two, see, hurry, connect',
  ],
  ['the pod is gone', fetching('clean'), [fetched('gone')], 'leaving two, await-final-status'],
  [
    'the pod is gone, and its log was cut',
    fetching('broken'),
    [fetched('gone')],
    'done two, gap: the pod was deleted while the connection to its log was down, report left: the pod was deleted',
  ],
])('its pod, after a connection: %s', (_, state, events, expected) => {
  expect(played(state, ...events)).toBe(expected);
});

test.each<[string, FollowState, FollowEvent[], string]>([
  [
    'the rest of a run that is over',
    fetching('clean'),
    [fetched(pod(ended('two'))), readDone],
    'waiting two, report-outcome, await-change',
  ],
  [
    'the rest of a run, and the container has been started again',
    fetching('clean'),
    [fetched(three), readDone],
    'reading three, report-outcome, report restarted: 2nd time, begin-run, connect',
  ],
  [
    'final lines',
    fetching('clean', { isLeaving: true }),
    [fetched(two), readDone],
    'done two, report-outcome, report left: it no longer matches',
  ],
  [
    'a run that was removed',
    fetching('clean'),
    [fetched(three), { type: 'run-read', outcome: { kind: 'absent' }, gaps: [], isDoubtful: false }],
    'reading three, report restarted: 2nd time, begin-run, connect',
  ],
])('a run is read: %s', (_, state, events, expected) => {
  expect(played(state, ...events)).toBe(expected);
});

test('a pod that is gone right after the clean end of its log had it whole: its last line is given', () => {
  const deleting = pod(running('two'), { deleting: true });
  const before: Now = { ...NOW, atMs: NOW.atMs - 5_000 };
  const [marked] = step(reading(), { type: 'pod-left', target: deleting }, before);
  const end: FollowEvent = { type: 'disconnected', end: { kind: 'clean', rest }, wasSteady: false };
  const last: FollowEvent = { type: 'final-status', last: deleting };
  expect(played(marked, end, fetched('gone'), last)).toBe(
    'done two, give last, report left: the pod was deleted',
  );
});

test.each<[string, FollowState, FollowEvent, string]>([
  [
    'a wait for a change ends',
    { kind: 'waiting', known: known() },
    { type: 'pod-changed', target: two },
    'waiting two, see, wake',
  ],
  [
    'a pause goes on while the container runs',
    { kind: 'cut', known: known(), task: { kind: 'pause' } },
    { type: 'pod-changed', target: two },
    'cut two, see',
  ],
  [
    'a pause ends when the container does: its log may be gone soon',
    { kind: 'cut', known: known(), task: { kind: 'pause' } },
    { type: 'pod-changed', target: pod(ended('two')) },
    'cut two, see, wake',
  ],
  [
    'the pod left without being deleted',
    reading(),
    { type: 'pod-left', target: two },
    'reading two, see, check-left',
  ],
  [
    'the pod is deleted',
    reading(),
    { type: 'pod-left', target: pod(running('two'), { deleting: true }) },
    'reading two, see, hurry',
  ],
  [
    'it left and lives on',
    reading(),
    { type: 'left-checked', isGone: false, askedMs: 0 },
    'reading two, close-connection',
  ],
  [
    'it left and is gone',
    reading(),
    { type: 'left-checked', isGone: true, askedMs: 0 },
    'reading two, hurry',
  ],
])('an event beside the task: %s', (_, state, event, expected) => {
  expect(played(state, event)).toBe(expected);
});

test('does not reconnect one that left while its pod runs', () => {
  const state = fetching('clean', { hasLeft: true });
  expect(played(state, fetched('unknown'))).toBe('cut two, fetch-pod');
});

test('an expired wait connects, and an event of a task applies only in its state', () => {
  expect(played({ kind: 'waiting', known: known() }, { type: 'waited' })).toBe('reading two, connect');
  expect(played(reading(), fetched('gone'))).toBe('reading two');
  expect(played(reading(), readDone)).toBe('reading two');
});

test('lines that were held back are read to the end of the log where a connection was ended for them', () => {
  const state: FollowState = {
    kind: 'cut',
    known: known(),
    task: { kind: 'fetch-pod', end: { kind: 'broken', error: new StreamAbort() } },
  };
  const unsettled: Now = { ...NOW, walk: { ...NOW.walk, aligned: false } };
  const [next, effects] = step(state, fetched(two), unsettled);
  expect([next.kind, ...effects]).toEqual([
    'cut',
    { type: 'see', target: two },
    { type: 'read-run', previous: false, isOver: false },
  ]);
});

test('a container without read lines begins as reading', () => {
  expect(initialState(known()).kind).toBe('reading');
});

test('a stream that ended among known lines did not end with its run: what is lost of that is reported', () => {
  const gapFrame = { type: 'gap', target: two, from: at(90), to: undefined, cause: RUN_REMOVED } as const;
  const ended: FollowEvent = { type: 'disconnected', end: { kind: 'clean', rest }, wasSteady: false };
  const restarted: FollowEvent = { type: 'pod-fetched', pod: three };
  const removed: FollowEvent = {
    type: 'run-read',
    outcome: { kind: 'absent' },
    gaps: [gapFrame],
    isDoubtful: false,
  };
  const effectsOf = (isAmongKnown: boolean) => {
    const now: Now = { ...NOW, walk: { ...NOW.walk, isAmongKnown } };
    let [state, effects] = [reading(), [] as ReturnType<typeof step>[1]];
    for (const event of [ended, restarted, removed]) [state, effects] = step(state, event, now);
    return effects.map(({ type }) => type);
  };
  expect(effectsOf(false)).toContain('give');
  expect(effectsOf(true)).not.toContain('give');
  expect(effectsOf(true)).toContain('frame');
});
