import type { LogQuery } from '@logtool/kube/src/client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Frame } from '@logtool/logtool/src/domain/frame.ts';
import { recordsOf } from './collect.ts';
import { FakeCluster, type FakeFault, newRun } from './fake-cluster.ts';
import type { LiveView } from './live-view.ts';

export function line(text: string, ms: number, partial = false) {
  return { at: timestampFromMs(Date.UTC(2026, 10, 21, 9) + ms), bytes: Buffer.from(text), partial };
}

export function onePod(entries: ReturnType<typeof line>[], zone = 'Z') {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web', { zone });
  const run = newRun('containerd://web-0', entries);
  const container = cluster.addContainer(pod, 'main', [run]);
  return { clock, cluster, pod, container, run };
}

/** Creates a cluster with one pod, `chatty`, that writes as fast as it is read. */
export function endlessPod(): FakeCluster {
  const cluster = new FakeCluster(new FakeClock());
  cluster.addContainer(cluster.addPod('chatty'), 'main', [{ ...newRun('containerd://1'), isEndless: true }]);
  return cluster;
}

export const numbered = (count: number, stepMs: number) =>
  Array.from({ length: count }, (_, index) => line(`line ${index}`, index * stepMs));
export const texts = (frames: readonly Frame[]) =>
  recordsOf(frames).map(({ message }) => Buffer.from(message).toString());
export const textsOf = (view: LiveView) => view.records.map(({ message }) => Buffer.from(message).toString());
export const troubles = (frames: readonly Frame[]) =>
  frames.filter(({ type }) => type === 'gap' || type === 'source' || type === 'notice');

/** Injects the faults in order, one per matching request. */
export function faults(
  cluster: FakeCluster,
  list: (FakeFault | undefined)[],
  matches: (query: LogQuery) => boolean = () => true,
) {
  const left = [...list];
  cluster.nextFault = (query) => (matches(query) ? left.shift() : undefined);
}
