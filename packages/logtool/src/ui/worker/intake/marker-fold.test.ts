import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import { HeldLog } from '../store/held-log.ts';
import { StreamIntake } from './stream-intake.ts';

type State = Extract<LogFrame, { readonly type: 'state' }>;

const error = {
  code: 'connection-lost',
  data: { server: 'https://shop', context: 'shop', user: 'ann', why: 'it ended' },
};

function makeIntake() {
  const clock = new FakeClock();
  const log = new HeldLog({ lines: 1_000, bytes: 2 ** 20 });
  const intake = new StreamIntake(log, {
    clock,
    isOpened: () => false,
    onEnd: () => undefined,
    onChange: () => undefined,
  });
  const pods = ['payment/a', 'payment/b', 'payment/c', 'payment/d', 'db/a'];
  const sources = pods.map((pod, index) => ({
    ...sourceOf(pod, index),
    arguments: [`shop:deployments/${pod.split('/')[0]}`],
  }));
  intake.take([{ type: 'sources', q: 0, sources }]);
  const notify = (source: number, state: State['state'], detail: string) =>
    intake.take([{ type: 'state', q: 0, source, ...sourceState(state, detail, error) }]);
  const texts = () => [...log.store.markers.values()].map(({ text }) => text);
  return { clock, log, notify, texts };
}

test('containers of a workload that wait for the same at once share one row', () => {
  const { log, notify, texts } = makeIntake();
  for (const source of [0, 1, 2, 3]) notify(source, 'waiting', 'CrashLoopBackOff');
  expect(texts()).toEqual(['4 containers of payment waiting · CrashLoopBackOff']);
  expect([...log.store.markers.values()][0]?.source).toBeUndefined();
});

test('another reason, another workload, another moment have rows of their own', async () => {
  const { clock, notify, texts } = makeIntake();
  notify(0, 'waiting', 'CrashLoopBackOff');
  notify(1, 'waiting', 'ImagePullBackOff');
  notify(4, 'waiting', 'CrashLoopBackOff');
  await clock.advance(60_000);
  notify(2, 'waiting', 'CrashLoopBackOff');
  expect(texts()).toEqual([
    'payment/a/app waiting · CrashLoopBackOff',
    'payment/b/app waiting · ImagePullBackOff',
    'db/a/app waiting · CrashLoopBackOff',
    'payment/c/app waiting · CrashLoopBackOff',
  ]);
});

test('reports a row that grew as one that moved', () => {
  const { log, notify } = makeIntake();
  notify(0, 'waiting', 'CrashLoopBackOff');
  const { moves } = log.store.order;
  notify(1, 'waiting', 'CrashLoopBackOff');
  expect(log.store.order.moves).toBeGreaterThan(moves);
});
