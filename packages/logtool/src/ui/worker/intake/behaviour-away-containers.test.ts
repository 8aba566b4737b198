import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import { conditionOf } from '../search/source-condition.ts';
import { HeldLog } from '../store/held-log.ts';
import { StreamIntake } from './stream-intake.ts';

type State = Extract<LogFrame, { readonly type: 'state' }>;
type Many = Pick<State, 'others' | 'otherIds'> & { readonly error?: WireError };

const PODS = ['web/a', 'web/b', 'web/c', 'web/d'];
const sources = PODS.map((pod, index) => sourceOf(pod, index));
const ids = sources.map(({ id }) => id);
const error = {
  code: 'connection-lost',
  data: { server: 'https://shop', context: 'shop', user: 'ann', why: 'it ended' },
};

function makeIntake(log: HeldLog) {
  const intake = new StreamIntake(log, {
    clock: new FakeClock(),
    isOpened: () => true,
    onEnd: () => undefined,
    onChange: () => undefined,
  });
  intake.take([{ type: 'sources', q: 0, sources }]);
  const notify = (source: number, state: State['state'], { error: failure = error, ...more }: Many = {}) =>
    intake.take([{ type: 'state', q: 0, source, ...sourceState(state, '', failure), ...more }]);
  return { intake, notify };
}
const away = (log: HeldLog) => [...log.away].sort();
const makeLog = () => new HeldLog({ lines: 1_000, bytes: 2 ** 20 });

test('one frame for many is about each of them, until each is back', () => {
  const log = makeLog();
  const { intake, notify } = makeIntake(log);
  notify(0, 'reconnecting', { others: 3, otherIds: ids.slice(1) });
  expect(away(log)).toEqual(ids);
  expect(log.problems.size).toBe(4);
  // A container that delivers lines is back, whatever was reported.
  intake.take([{ type: 'records', q: 0, records: [[1, 1_800_000_000, 0, 'here', 0]] }]);
  notify(0, 'reconnected');
  expect(away(log)).toEqual(ids.slice(2));
  expect(log.problems.size).toBe(2);
  notify(2, 'reconnected', { others: 1, otherIds: ids.slice(3) });
  expect(away(log)).toEqual([]);
  expect(log.problems.size).toBe(0);
});

test('a container that ends or leaves is no longer away', () => {
  const log = makeLog();
  const { notify } = makeIntake(log);
  for (const source of [0, 1]) notify(source, 'reconnecting');
  notify(0, 'left');
  notify(1, 'finished');
  expect(away(log)).toEqual([]);
});

test('a new connection reports again who is away: earlier reports no longer apply', () => {
  const log = makeLog();
  makeIntake(log).notify(0, 'reconnecting');
  const { notify } = makeIntake(log);
  expect(away(log)).toEqual([]);
  expect(log.problems.size).toBe(0);
  notify(1, 'failed');
  makeIntake(log);
  expect(log.problems.size).toBe(1);
});

test('a frame for many keeps the words of each on a missing right', () => {
  const log = makeLog();
  const { notify } = makeIntake(log);
  const refused = (index: number) => {
    const name = `pod-${index}`;
    const denied = { verb: 'get', resource: 'pods/log', namespace: 'shop', name, check: '' };
    return { code: 'forbidden', data: { right: denied }, denied };
  };
  for (const index of [0, 1]) notify(index, 'failed', { error: refused(index) });
  notify(0, 'reconnecting', { others: 3, otherIds: ids.slice(1), error: refused(0) });
  const reported = [...log.problems.values()].map(({ error }) => error.denied?.name);
  expect(reported.slice().sort()).toEqual(['pod-0', 'pod-0', 'pod-0', 'pod-1']);
});

test('containers whose credentials the cluster refuses are not those of a cluster that does not answer', () => {
  const log = makeLog();
  const { notify } = makeIntake(log);
  const unauthorized = { code: 'unauthorized', data: { ...error.data, hasOwnToken: true } };
  notify(0, 'reconnecting');
  notify(1, 'reconnecting', { error: unauthorized });
  // The answer is the later of two reports about one container.
  notify(2, 'reconnecting');
  notify(2, 'reconnecting', { error: unauthorized });
  const conditions = log.store.sources.all.map((source) => conditionOf(log, source).kind);
  expect(conditions.slice(0, 3)).toEqual(['away', 'refused', 'refused']);
});
