import { expect, test } from 'vitest';
import { eventFact, exitFact } from '../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../test/support/why/evidence.ts';
import type { Fact, FactOf, FactSubject } from '../../domain/facts/fact.ts';
import { judge } from './judge.ts';
import type { ContainerNow } from './pod-now.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const POD: FactSubject = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' };
const APP: FactSubject = { ...POD, container: 'app' };

const notReady = (seconds: number): Fact => ({
  id: `not ready ${seconds}`,
  kind: 'not-ready',
  at: at(seconds),
  precision: 's',
  severity: 'warning',
  subject: POD,
  reason: 'ContainersNotReady',
  message: '',
  count: 1,
  source: 'pod',
  data: {},
});

const unhealthy = (probe: string, seconds: number) =>
  eventFact({
    id: `${probe} ${seconds}`,
    at: at(seconds),
    reason: 'Unhealthy',
    message: `${probe} probe failed: HTTP probe failed with statuscode: 503`,
    subject: APP,
    severity: 'warning',
  });

/** The container ended at 8,800 s and runs again since 8,801 s; it is 10,000 s. */
function verdictsOf(reason: string, facts: readonly Fact[], values: Partial<ContainerNow> = {}) {
  const data: FactOf<'exited'>['data'] = { exitCode: 137, restarts: 0, isInit: false, wasDeleted: false };
  const end = exitFact({ id: 'end', at: at(8_800), reason, data: { ...data, lastedMs: 600_000 } });
  const pods = [podNow({ containers: [containerNow({ restarts: 1, runsSince: at(8_801), ...values })] })];
  const { verdicts, since } = judge(evidenceOf([end, ...facts], { pods }), at(0));
  return { verdicts: verdicts.map(({ code, isOver }) => ({ code, isOver })), since: since?.seconds };
}

test.each([
  ['OOMKilled', 'oom-container'],
  ['Error', 'stopped-by-signal'],
])(
  'an end (%s) after which the pod was ready is named after what keeps it from being ready now',
  (reason, code) => {
    expect(verdictsOf(reason, [notReady(9_820), unhealthy('Readiness', 9_815)])).toEqual({
      verdicts: [
        { code: 'probe-failing', isOver: false },
        { code, isOver: true },
      ],
      since: 9_815,
    });
  },
);

test('an end after which the pod was never ready is the present cause', () => {
  expect(verdictsOf('OOMKilled', [notReady(8_803), unhealthy('Readiness', 8_830)])).toEqual({
    verdicts: [
      { code: 'oom-container', isOver: false },
      { code: 'probe-failing', isOver: false },
    ],
    since: 8_800,
  });
});

test('a container that waits for its next start after it was ready is in the same trouble', () => {
  const values = { isRunning: false, runsSince: undefined, waiting: 'CrashLoopBackOff' };
  expect(verdictsOf('OOMKilled', [notReady(9_820)], values).verdicts).toEqual([
    { code: 'oom-container', isOver: false },
  ]);
});

test('a loop whose runs are ready for a time is not over', () => {
  const { verdicts } = verdictsOf('OOMKilled', [notReady(9_300), unhealthy('Readiness', 9_290)], {
    restarts: 4,
    runsSince: at(9_120),
  });
  expect(verdicts[0]).toEqual({ code: 'oom-container', isOver: false });
});

test('an earlier end does not explain why the pod is not ready now', () => {
  const facts = [notReady(9_820)];
  expect(verdictsOf('OOMKilled', facts).verdicts).toEqual([{ code: 'oom-container', isOver: true }]);
  const end = exitFact({ id: 'end', at: at(8_800), reason: 'OOMKilled' });
  const pods = [podNow({ containers: [containerNow({ restarts: 1, runsSince: at(8_801) })] })];
  const { outcome, unexplained } = judge(evidenceOf([end, ...facts], { pods }), at(0));
  expect([outcome, unexplained.map(({ pod }) => pod.name)]).toEqual(['unexplained', ['web-1']]);
});
