import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, onTestFinished, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import { textsOf } from '../../../../../test/support/engine/one-pod.ts';

/* A view that continues after a cut, with more containers than connections: they take turns. */

const PODS = ['a', 'b', 'c', 'd', 'e'];

test.each([1, 2, 5].flatMap((limit) => ['none', 'a', 'e'].map((silent) => [limit, silent] as const)))(
  'a resumed view of five containers over %i connections reports when it has caught up, if %s does not answer',
  async (maxLogRequests, silent) => {
    const clock = new FakeClock();
    const cluster = new FakeCluster(clock);
    const atMs = clock.now() - 10_000;
    const line = (text: string, ms: number) => ({
      at: timestampFromMs(ms),
      bytes: Buffer.from(text),
      partial: false,
    });
    const points = new Map(
      PODS.map((name) => {
        const entries = [line(`${name} known`, atMs), line(`${name} missed`, atMs + 5_000)];
        const pod = cluster.addPod(name);
        const runId = `containerd://${name}`;
        cluster.addContainer(pod, 'main', [newRun(runId, entries)]);
        const [{ id } = { id: '' }] = cluster.targetsOf(pod);
        return [id, { runId, at: timestampFromMs(atMs) }];
      }),
    );
    cluster.nextFault = ({ pod }) => (pod === silent ? { kind: 'delay', delayMs: 3_600_000 } : undefined);
    const plan = planOf({ selection: { kind: 'all' }, follow: true });
    const resume = { since: timestampFromMs(atMs), points };
    const view = new LiveView(cluster, clock, { ...plan, maxLogRequests, resume, patienceMs: 1_000 });
    onTestFinished(() => view.close());
    await view.pass(60_000);
    expect(view.frames.filter(({ type }) => type === 'end')).toHaveLength(1);
    const unanswered = view.frames.flatMap((frame) =>
      frame.type === 'unanswered' ? frame.targets.map(({ pod }) => pod) : [],
    );
    expect(unanswered).toEqual(silent === 'none' ? [] : [silent]);
    const missed = PODS.filter((name) => name !== silent).map((name) => `${name} missed`);
    expect(textsOf(view)).toEqual(expect.arrayContaining(missed));
  },
);
