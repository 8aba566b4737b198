import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { gapCauseText } from '@logtool/logtool/src/messages/gap.ts';
import type { EnginePlan } from '@logtool/logtool/src/stream/plan/engine.ts';
import { planOf } from './collect.ts';
import { FakeCluster, type FakeContainer } from './fake-cluster.ts';
import { LiveView } from './live-view.ts';

/** Everything that exists, then later records. */
export const FOLLOW = planOf({ selection: { kind: 'all' }, follow: true });

/** Creates a cluster with one pod of one container, to write to and to follow. */
export function setUp() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web-0');
  const container = cluster.addContainer(pod, 'main');
  const write = (text: string, atMs = clock.now(), into: FakeContainer = container, partial = false) =>
    cluster.write(into, { at: timestampFromMs(atMs), bytes: Buffer.from(text), partial });
  const open = (plan: EnginePlan = FOLLOW, more = true) => new LiveView(cluster, clock, plan, more);
  return { clock, cluster, pod, container, write, open };
}

/** Returns the messages that a view showed, in order. */
export const texts = (view: LiveView) => view.records.map(({ message }) => Buffer.from(message).toString());
/** Returns a view's reports on gaps and on the states of its containers. */
export const reports = (view: LiveView) =>
  view.frames.flatMap((frame) => {
    if (frame.type === 'gap') return [`gap: ${gapCauseText(frame.cause)}`];
    return frame.type === 'source'
      ? [`${frame.state}${frame.others === undefined ? '' : ` +${frame.others}`}`]
      : [];
  });
