import { expect, test } from 'vitest';
import { eventFact } from '../../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../../test/support/why/evidence.ts';
import type { Fact, FactSubject } from '../../../domain/facts/fact.ts';
import { judge } from '../judge.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
/** A pod that is gone, and its controller. */
const GONE: FactSubject = { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'web-0', container: 'app' };
const SET: FactSubject = { kind: 'ReplicaSet', namespace: 'shop', name: 'web', uid: 'rs' };
/** When it was stopped. */
const STOP = 9_000;
const READY = podNow({ isReady: true, containers: [containerNow({ isReady: true })] });

let ids = 0;

function event(
  reason: string,
  message: string,
  seconds: number,
  series: Partial<Pick<Fact, 'until' | 'count' | 'subject'>> = {},
): Fact {
  const given = { id: `event ${++ids}`, at: at(seconds), reason, message, subject: GONE, ...series };
  return eventFact({ ...given, severity: 'warning' });
}

const unhealthy = (first: number, last: number, count: number) =>
  event('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', first, {
    until: at(last),
    count,
  });
const stopped = event('Killing', 'Stopping container app', STOP);
const deleted = event('SuccessfulDelete', 'Deleted pod: web-0', STOP, { subject: SET });

const judged = (facts: readonly Fact[]) =>
  judge(evidenceOf(facts, { pods: [READY] }), at(0)).verdicts.map(({ code, isOver, doubts }) =>
    [code, isOver ? 'over' : 'now', ...doubts.map((doubt) => doubt.code)].filter(
      (text) => text !== 'pods-by-name',
    ),
  );

test.each([
  ['the kubelet stopped it', stopped],
  ['its controller deleted it', deleted],
])('a readiness probe that failed until %s made the pod not ready', (_, stop) => {
  expect(judged([unhealthy(STOP - 600, STOP - 5, 60), stop])).toEqual([['probe-failing', 'over']]);
});

test('of many failures, of which the kubelet drops most, the last may be minutes before the stop', () => {
  expect(judged([unhealthy(STOP - 900, STOP - 250, 27), stopped])).toEqual([['probe-failing', 'over']]);
  expect(judged([unhealthy(STOP - 900, STOP - 250, 20), stopped])).toEqual([]);
});

test('within minutes of its start, a slow start may have made it not ready', () => {
  const found = judged([unhealthy(STOP - 200, STOP - 5, 20), stopped]);
  expect(found).toEqual([['probe-failing', 'over', 'slow-start-possible']]);
});

test.each([
  ['of the start only', unhealthy(STOP - 600, STOP - 560, 5)],
  ['of the start and of the stop', unhealthy(STOP - 6_000, STOP + 20, 5)],
  ['of the stop only', unhealthy(STOP + 1, STOP + 25, 3)],
  ['of a start that was cut short', unhealthy(STOP - 30, STOP - 5, 5)],
  ['too few for the default threshold', unhealthy(STOP - 100, STOP - 50, 2)],
])('failures %s make no pod not ready for a time', (_, failures) => {
  expect(judged([failures, stopped])).toEqual([]);
});

test('failures of a pod without an event that it was stopped prove nothing', () => {
  expect(judged([unhealthy(STOP - 600, STOP - 5, 60)])).toEqual([]);
});

const backOff = (seconds: number) =>
  event('BackOff', 'Back-off restarting failed container app in pod web-0_shop(web-0)', seconds);
const killed = (seconds: number) =>
  event('Killing', 'Container app failed liveness probe, will be restarted', seconds);

test('kills by a probe explain the restarts of a pod that is gone, but not those before', () => {
  expect(judged([killed(8_000), backOff(8_020)])).toEqual([['probe-killed', 'over']]);
  expect(judged([backOff(7_000), killed(8_000)])).toEqual([
    ['probe-killed', 'over'],
    ['restarted-again', 'over', 'ends-unknown'],
  ]);
});

test('a stop that no probe led to is no kill by a probe', () => {
  expect(judged([stopped, backOff(8_000)])).toEqual([['restarted-again', 'over', 'ends-unknown']]);
});
