import { expect, test } from 'vitest';
import { exitFact } from '../../../../../test/support/domain/facts.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { makeRun } from '../../domain/record.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { Verdict } from '../../domain/verdicts/verdict.ts';
import { createTimeFormat } from '../output/format/time-format.ts';
import { explanationJson } from './explanation-json.ts';
import { explanationText } from './explanation-text.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const POD = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' };
const TIME = {
  source: 'web',
  next: 'logtool logs web',
  time: ({ seconds }: { seconds: number }) => `${seconds}`,
  lineTime: ({ seconds }: { seconds: number }) => `${seconds}.000`,
};

const target: ContainerTarget = {
  id: 'web-1/app',
  namespace: 'shop',
  pod: 'web-1',
  podUid: 'web-1',
  container: 'app',
  kind: 'regular',
  placement: {},
  state: { kind: 'running', containerId: '1', startedAt: undefined },
  restartCount: 0,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
};

const recordOf = (text: string) => ({
  run: makeRun(target, '1'),
  at: at(8),
  seq: 0,
  message: new TextEncoder().encode(text),
  partial: false,
  late: false,
});

const CRASHED: Verdict = {
  code: 'crashed',
  data: { container: 'app', exitCode: 1, lastedMs: 2_000 },
  pods: [POD],
  since: at(5),
  until: at(9),
  isOver: false,
  restarts: 3,
  proof: [exitFact({})],
  doubts: [{ code: 'earlier-ends-unknown', data: { restarts: 3 } }],
};

function explained(values: Partial<Explanation>): Explanation {
  return {
    outcome: 'explained',
    from: at(0),
    knownFrom: at(0),
    subject: undefined,
    pods: { total: 1, ready: 0 },
    since: undefined,
    rollout: undefined,
    verdicts: [],
    unexplained: [],
    also: [],
    hasReadLines: false,
    logs: undefined,
    workloads: [],
    healthy: { count: 0, names: [] },
    doubts: [],
    ...values,
  };
}

const textOf = (values: Partial<Explanation>) => explanationText(explained(values), TIME);

test('a verdict stands before its doubts and its lines, of which the first error is marked', () => {
  const records = [recordOf('starting'), recordOf('ERROR no database')];
  const lines = {
    pod: 'web-1',
    container: 'app',
    kind: 'before-exit',
    at: at(9),
    records,
    firstError: 1,
  } as const;
  expect(
    textOf({ since: at(5), verdicts: [{ ...CRASHED, lines }] }),
  ).toBe(`web: 0 of 1 pod is ready; first known sign 5
  container app ended with exit code 1 after 2 s
    in 1 pod: web-1; 3 restarts
    ? after 3 restarts, the cluster keeps only the last end: logtool does not know how the earlier runs ended
    last 2 lines before the exit of web-1 app (9):
    | starting
    > ERROR no database
  next: logtool logs web
`);
});

test('control characters of a log do not reach the terminal', () => {
  const records = [recordOf('\u001b]0;title\u0007\u001b[2Jgone\nsecond\u202e')];
  const lines = {
    pod: 'web-1',
    container: 'app',
    kind: 'before-exit',
    at: at(9),
    records,
    firstError: undefined,
  } as const;
  const text = textOf({ verdicts: [{ ...CRASHED, lines }] });
  expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
  expect(text).not.toContain('\u202e');
  const [line, ...others] = text
    .split('\n')
    .filter((each) => each.startsWith('    | ') || each.includes('second'));
  expect(others).toEqual([]);
  expect(line).toMatch(/gone.*second/);
});

test('a long line is cut', () => {
  const records = [recordOf('x'.repeat(100_000))];
  const lines = {
    pod: 'web-1',
    container: 'app',
    kind: 'before-exit',
    at: at(9),
    records,
    firstError: 0,
  } as const;
  const longest = Math.max(
    ...textOf({ verdicts: [{ ...CRASHED, lines }] })
      .split('\n')
      .map(({ length }) => length),
  );
  expect(longest).toBeLessThan(220);
});

test('healthy has its range, and is only what the facts of the cluster say', () => {
  expect(
    textOf({ outcome: 'healthy', pods: { total: 2, ready: 2 } }),
  ).toBe(`web: healthy according to the cluster since 0, 2 of 2 pods are ready; logtool did not read its logs
  next: logtool logs web
`);
});

test('pods that nothing explains are counted', () => {
  const unexplained = [1, 2, 3, 4, 5].map((number) => ({
    pod: { ...POD, name: `web-${number}` },
    phase: 'Pending',
    waiting: 'ContainerCreating',
    ageSeconds: 4,
  }));
  expect(
    textOf({ outcome: 'unexplained', unexplained, pods: { total: 5, ready: 0, wanted: 6 } }),
  ).toBe(`web: 0 of 6 pods are ready
  ? web-1 is not ready (Pending, waiting: ContainerCreating, created 4 s ago), and nothing that logtool read explains why
  ? web-2 is not ready (Pending, waiting: ContainerCreating, created 4 s ago), and nothing that logtool read explains why
  ? web-3 is not ready (Pending, waiting: ContainerCreating, created 4 s ago), and nothing that logtool read explains why
  ? and 2 more
  next: logtool logs web
`);
});

test.each([
  [{ total: 0, ready: 0 }, 'no pods'],
  [{ total: 0, ready: 0, ended: 1 }, '1 pod has ended'],
  [{ total: 0, ready: 0, deleting: 2 }, '2 pods are terminating'],
  [{ total: 1, ready: 1, wanted: 2, deleting: 1 }, '1 of 2 pods are ready, 1 pod is terminating'],
])('pods that have ended or leave are not "no pods": %o', (pods, text) => {
  expect(textOf({ outcome: 'unexplained', pods }).split('\n')[0]).toBe(`web: ${text}`);
});

test('a workload with too few pods and no verdict has no cause', () => {
  expect(
    textOf({ outcome: 'unexplained', pods: { total: 0, ready: 0, wanted: 2 } }),
  ).toBe(`web: 0 of 2 pods are ready
  ? no rule explains it
  next: logtool logs web
`);
});

const lineOf = (text: string, seconds: number) => ({
  record: { ...recordOf(text), at: at(seconds) },
  cutBytes: 0,
  ordinal: 0,
});

const ERRORS: Verdict = {
  ...CRASHED,
  code: 'log-errors',
  data: { container: 'app', errors: 1_140, isNew: true },
  restarts: 0,
  proof: [],
  doubts: [{ code: 'new-is-no-proof', data: {} }],
  log: {
    firstError: { ...lineOf('{"level":"error","msg":"no connection"}', 20), detail: 'Caused by: refused' },
    isFirstNew: true,
    newBefore: [
      { ...lineOf('WARN pool grows to 60', 10), count: 3, isAtStart: false },
      { ...lineOf('listening\tnow', 9), count: 1, isAtStart: true },
    ],
    newCount: 7,
  },
};

test('errors of a log stand with what was new before them, each line with its time and place', () => {
  expect(textOf({ verdicts: [ERRORS], pods: { total: 1, ready: 1 } })).toBe(`web: 1 of 1 pod is ready
  errors begin in the log of container app: 1,140 so far
    since 5.000; in 1 pod: web-1
    ? a line that first appears before errors is not always their cause
    new shortly before the first error, 2 of 7, most notable first:
    > 10.000 web-1 app, 3 times: WARN pool grows to 60
    | 9.000 web-1 app, as it started: listening    now
    the first error of a new kind:
    > 20.000 web-1 app: no connection
        Caused by: refused
  next: logtool logs web
`);
});

test('errors since the start of containers may be new, and the rollout that brought them is named', () => {
  const rollout = { revision: 2, images: [{ container: 'app', from: 'web:1', to: 'web:2' }] };
  const steady = { errors: 1_007, since: at(15), until: at(40), mayBeOlder: false, startedAt: at(10) };
  const textFor = (more: object) =>
    textOf({
      outcome: 'healthy',
      pods: { total: 2, ready: 2 },
      logs: { containers: 2, from: at(10), steady: { ...steady, ...more }, until: at(42) },
    }).split(', which logtool read ')[1];
  expect(
    textFor({ rollout }),
  ).toBe(`from 10 to 42: they begin 5 s after the start of these containers, which came with rollout app web:1 -> web:2; logtool can read nothing older, so it does not know whether they are new
  next: logtool logs web
`);
  expect(textFor({ since: at(10) })).toContain(
    'from 10 to 42: they begin with the start of these containers; logtool can read nothing older',
  );
});

test('healthy claims no more than was read of the logs', () => {
  const logs = {
    containers: 2,
    from: at(0),
    steady: { errors: 1_007, since: at(3), until: at(40), mayBeOlder: true },
    until: at(42),
  };
  expect(
    textOf({
      outcome: 'healthy',
      pods: { total: 2, ready: 2 },
      logs,
      doubts: [
        { code: 'logs-cut', data: { names: ['web-1 app'], more: 0, why: 'time', until: '42' } },
        { code: 'logs-cut', data: { names: ['web-2 app'], more: 1, why: 'forbidden' } },
        {
          code: 'steady-errors',
          data: { names: ['web-1 app'], more: 0, errors: 1_007, since: '3', until: '40', mayBeOlder: true },
        },
      ],
    }),
  ).toBe(`web: healthy according to the cluster since 0, 2 of 2 pods are ready; there are 1,007 errors since at least 3, the last at 40, in the logs of 2 containers, which logtool read from 0 to 42: it did not read where they begin
  ? logtool read the log of web-1 app only until 42 (it did not arrive in time)
  ? logtool did not read the log of web-2 app and 1 more (you lack permission to get its log)
  ? logtool read 1,007 errors in the log of web-1 app from 3 to 40, but not where they begin: they may be older
  next: logtool logs web
`);
});

test('healthy states when the facts and each log begin, and no code', () => {
  const logs = { containers: 3, from: at(10), later: { containers: 1, from: at(30) }, until: at(42) };
  const names = { names: ['web-1 app'], more: 0 };
  const text = textOf({
    outcome: 'healthy',
    knownFrom: at(20),
    pods: { total: 3, ready: 3 },
    logs,
    doubts: [
      { code: 'events-since', data: { from: '20' } },
      { code: 'logs-begin-late', data: { ...names, from: '30', why: 'runs-gone' } },
      { code: 'logs-missing', data: { ...names, why: 'run-lost', from: '31', to: '33' } },
    ],
  });
  expect(
    text,
  ).toBe(`web: healthy according to the cluster since 20, 3 of 3 pods are ready; no errors begin in the logs of 3 containers, which logtool read from 10 to 42, 1 of them only from 30 on
  ? the cluster may have removed events from before 20: for that time, logtool knows only what statuses report
  ? logtool could read the log of web-1 app only from 30 on: the node no longer has the logs of earlier runs
  ? lines of web-1 app between 31 and 33 may be missing: a run ended, and the node removed its log before logtool could read it
  next: logtool logs web
`);
});

test('without any log only the facts are healthy', () => {
  const logs = { containers: 0, from: at(0), until: undefined };
  expect(textOf({ outcome: 'healthy', pods: { total: 1, ready: 1 }, logs })).toContain(
    'web: healthy according to the cluster since 0, 1 of 1 pod is ready; logtool could not read any log\n',
  );
});

test('each workload with a problem has its section, and the others are one line', () => {
  const web = explained({
    subject: { ...POD, kind: 'Deployment', name: 'web' },
    since: at(5),
    verdicts: [CRASHED],
  });
  const api = explained({
    subject: { ...POD, kind: 'Deployment', name: 'api' },
    verdicts: [{ ...ERRORS, log: undefined, doubts: [] }],
    pods: { total: 2, ready: 2 },
  });
  expect(
    textOf({
      since: at(5),
      verdicts: [...web.verdicts, ...api.verdicts],
      workloads: [web, api],
      healthy: { count: 5, names: ['a', 'b', 'c', 'd', 'e'] },
      logs: { containers: 9, from: at(0), until: at(42) },
    }),
  ).toBe(`web: 2 of 7 workloads have a problem; first known sign 5
  web (Deployment, shop): 0 of 1 pod is ready; first known sign 5
    container app ended with exit code 1 after 2 s
      in 1 pod: web-1; 3 restarts
      ? after 3 restarts, the cluster keeps only the last end: logtool does not know how the earlier runs ended
  api (Deployment, shop): 2 of 2 pods are ready
    errors begin in the log of container app: 1,140 so far
      since 5.000; in 1 pod: web-1
  5 other workloads are healthy according to the cluster: a, b, c and 2 more; no errors begin in the logs of 9 containers, which logtool read from 0 to 42
  next: logtool logs web
`);
});

test('JSON has codes and data, and nothing that a terminal would obey', () => {
  const records = [recordOf('\u009b2J')];
  const lines = {
    pod: 'web-1',
    container: 'app',
    kind: 'before-exit',
    at: at(9),
    records,
    firstError: undefined,
  } as const;
  const json = explanationJson(explained({ verdicts: [{ ...CRASHED, lines }] }), {
    next: 'logtool logs web',
    time: createTimeFormat('utc'),
  });
  expect(json).not.toContain('\u009b');
  const { type, verdicts } = JSON.parse(json);
  expect({
    type,
    code: verdicts[0].code,
    doubts: verdicts[0].doubts,
    line: verdicts[0].lines.records[0],
  }).toEqual({
    type: 'explanation',
    code: 'crashed',
    doubts: [{ code: 'earlier-ends-unknown', data: { restarts: 3 } }],
    line: { timestamp: '1970-01-01T00:00:08.000000000Z', message: '\u009b2J' },
  });
});

test('a new line keeps its fields, and a mark shows where it is cut', () => {
  const starting = 'msg="2.8.0 starting" pool.max=60 pool.leakDetection=off';
  const log = {
    firstError: { ...lineOf(`level=error msg=failed sql="${'x'.repeat(400)}"`, 20), detail: undefined },
    isFirstNew: true,
    newBefore: [{ ...lineOf(starting, 10), detail: undefined, count: 1, isAtStart: false }],
    newCount: 1,
  };
  const text = textOf({ verdicts: [{ ...ERRORS, log }], pods: { total: 1, ready: 1 } });
  expect(text).toContain('web-1 app: 2.8.0 starting pool.max=60 pool.leakDetection=off\n');
  expect(text).toMatch(/web-1 app: failed sql=x{100,}…\n/);
});
