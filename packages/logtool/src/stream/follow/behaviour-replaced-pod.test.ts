import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { collect, planOf, recordsOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';
import type { LogRecord } from '../../domain/record.ts';

/** The log API identifies pods by name: the next pod of a StatefulSet has the same name. */

/** Creates a pod with two lines, and a way to replace it. */
function setUp() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const pod = cluster.addPod('web-0');
  const line = (text: string, ms = 0) => ({
    at: timestampFromMs(clock.now() + ms),
    bytes: Buffer.from(text),
    partial: false,
  });
  cluster.addContainer(pod, 'main', [newRun('old', [line('old 1'), line('old 2', 1)])]);
  const replace = () => {
    cluster.deletePod(pod);
    const next = cluster.addPod('web-0', { uid: 'next' });
    cluster.addContainer(next, 'main', [newRun('new', [line('new 1'), line('new 2', 1)])]);
    clock.after(1_000, () => cluster.joined(next));
  };
  return { clock, cluster, replace };
}

const given = (records: readonly LogRecord[]) =>
  records.map(({ run: { key }, message }) => `${key.podUid}/${key.containerId}: ${Buffer.from(message)}`);

test.each([1, 2, 3, 4])(
  'a follow that comes back to another pod of that name gives none of its lines under the earlier key (request %i)',
  async (when) => {
    const { clock, cluster, replace } = setUp();
    const view = new LiveView(cluster, clock, planOf({ follow: true }));
    let asked = 0;
    cluster.nextFault = (query) => {
      if (query.follow !== true || query.limitBytes !== undefined) return undefined;
      asked++;
      if (asked === when) replace();
      return asked < when ? { kind: 'reset', afterBytes: 35 } : undefined;
    };
    await view.pass(60_000);
    await view.close();
    expect(given(view.records)).toEqual([
      'uid-web-0/old: old 1',
      'uid-web-0/old: old 2',
      'next/new: new 1',
      'next/new: new 2',
    ]);
  },
);

test.each([
  [1, []],
  // After its lines, at the request for the log's end: the lines read are its own.
  [2, ['uid-web-0/old: old 1', 'uid-web-0/old: old 2']],
] as const)(
  'a read that another pod of that name answers gives nothing of it (request %i)',
  async (when, wanted) => {
    const { clock, cluster, replace } = setUp();
    let asked = 0;
    cluster.nextFault = () => {
      if (++asked === when) replace();
      return undefined;
    };
    const frames = await collect(cluster, clock, planOf({}));
    expect(given(recordsOf(frames))).toEqual(wanted);
    expect(frames.some(({ type }) => type === 'gap' || type === 'source')).toBe(true);
  },
);
