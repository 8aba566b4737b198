import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { FailurePolicy, MAX_REFUSED_TRIES, RUN_REMOVED } from './failure-policy.ts';
import { BodyError } from './line-parser.ts';
import { addressRun } from './open-log.ts';

/** Returns the previous run of a container whose current run has ended as well. */
function endedRun() {
  const cluster = new FakeCluster(new FakeClock());
  const pod = cluster.addPod('web');
  const container = cluster.addContainer(pod, 'main', [newRun('containerd://a'), newRun('containerd://b')]);
  cluster.endRun(pod, container);
  const [target] = cluster.targetsOf(pod);
  if (target === undefined) throw new Error('the pod has no container');
  const { signal } = new AbortController();
  const policy = new FailurePolicy({
    client: cluster.client,
    clock: new FakeClock(),
    signal,
    report: () => {},
    resolvedAtMs: 0,
    random: Math.random,
  });
  return { policy, run: addressRun(target, 'containerd://a', true) };
}

test('a run before is removed when its log is refused again and again', async () => {
  const { policy, run } = endedRun();
  const refusal = new BodyError('unable to retrieve container logs for containerd://a');
  for (let tries = 1; tries < MAX_REFUSED_TRIES; tries++)
    expect(await policy.judge(refusal, run, true)).toMatchObject({ kind: 'again' });
  expect(await policy.judge(refusal, run, true)).toEqual({
    kind: 'over',
    outcome: { kind: 'absent' },
    gap: RUN_REMOVED,
  });
});

test('an answer that ends within a timestamp is no refusal', async () => {
  const { policy, run } = endedRun();
  for (let tries = 0; tries < 2 * MAX_REFUSED_TRIES; tries++)
    expect(await policy.judge(new BodyError('2026-11-21T14:30:27.'), run, true)).toMatchObject({
      kind: 'again',
    });
});
