import type { LogQuery } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import type { FakeFault } from '../../../../../test/support/engine/fake-cluster.ts';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

const UNCERTAIN = 'gap: the pod was deleted before logtool could confirm the end of its log';
const CUT_OFF = 'gap: the pod was deleted while the connection to its log was down';

/** Follows a pod that has written a line and is being deleted. */
async function deleting() {
  const world = setUp();
  const { cluster, pod, container } = world;
  const run = container.runs[0]!;
  world.write('serving');
  const view = world.open();
  await view.pass(500);
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  /** Ends the container, and updates the pod's status. */
  const end = () => cluster.endRun(pod, container);
  /** Ends the container, while the status still reports it as running. */
  const endUnseen = () => {
    cluster.holdStatus(pod);
    end();
  };
  const deletePod = async () => {
    cluster.deletePod(pod);
    await view.pass(5_000);
    await view.close();
    return { texts: texts(view), reports: reports(view).filter((text) => text !== 'reconnecting') };
  };
  /** Makes the next follow requests fail in these ways, one after the other. */
  const breakFollows = (...faults: readonly (FakeFault | undefined)[]) => {
    const left = [...faults];
    cluster.nextFault = (query: LogQuery) => (query.follow ? left.shift() : undefined);
  };
  return { ...world, run, view, end, endUnseen, deletePod, breakFollows };
}

test('a log that the node removed after its end, before the pod was gone, was read whole', async () => {
  const { run, view, endUnseen, deletePod } = await deleting();
  endUnseen();
  run.removed = true;
  await view.pass(2_000);
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: ['left'] });
});

test('a log that the node removed when its status showed its end was read whole, however late the pod is gone', async () => {
  const { run, view, end, deletePod } = await deleting();
  end();
  run.removed = true;
  await view.pass(40_000);
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: ['left'] });
});

test('a log that the node removed while its rest was asked for was read whole', async () => {
  const { cluster, view, end, deletePod } = await deleting();
  const text = 'failed to try resolving symlinks in path "/var/log/pods/0.log"';
  cluster.nextFault = (query) =>
    query.follow || query.limitBytes !== undefined ? undefined : { kind: 'text', text, afterBytes: 0 };
  end();
  await view.pass(500);
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: ['left'] });
});

test('delivers the last line without its end although the node removed the log after it', async () => {
  const { container, run, view, write, endUnseen, deletePod } = await deleting();
  write('last words', undefined, container, true);
  endUnseen();
  run.removed = true;
  await view.pass(2_000);
  expect(await deletePod()).toEqual({ texts: ['serving', 'last words'], reports: ['left'] });
});

test('a log was read whole if it ended before the deletion was known, and the last status shows its end', async () => {
  const { cluster, pod, container, write, open } = setUp();
  write('serving');
  const view = open();
  await view.pass(500);
  // Only checks reveal the deletion, and the last status is late.
  cluster.nextEventLagMs = () => 1_500;
  pod.deleting = true;
  cluster.holdStatus(pod);
  container.runs[0]!.removed = true;
  cluster.endRun(pod, container);
  await view.pass(100);
  cluster.letStatusGo(pod);
  cluster.deletePod(pod);
  await view.pass(8_000);
  await view.close();
  expect(texts(view)).toEqual(['serving']);
  expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([]);
});

test('a log whose pod was replaced by another of its name was read whole', async () => {
  const { cluster, view, write, endUnseen, deletePod } = await deleting();
  endUnseen();
  const other = cluster.addPod('web-0', { uid: 'uid-other' });
  const container = cluster.addContainer(other, 'main');
  write('of the other', undefined, container);
  await view.pass(2_000);
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: ['left'] });
});

test.each<readonly [string, FakeFault]>([
  ['server', { kind: 'refuse' }],
  ['node', { kind: 'status', status: 500 }],
])('an end after which the %s was away leaves a gap', async (_who, fault) => {
  const { cluster, container, view, write, breakFollows, deletePod } = await deleting();
  breakFollows(fault, fault);
  cluster.cut(container);
  await view.pass(100);
  write('never read');
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: [CUT_OFF, 'left'] });
});

test('an end after which the log continued leaves a gap, and its half line is none', async () => {
  const { cluster, container, view, write, breakFollows, deletePod } = await deleting();
  write('half', undefined, container, true);
  await view.pass(100);
  cluster.nextFetchMs = () => 100;
  cluster.cut(container);
  await view.pass(50);
  breakFollows({ kind: 'reset', afterBytes: 90 });
  write(' a line');
  write('never read');
  await view.pass(100);
  expect(await deletePod()).toEqual({ texts: ['serving', 'half a line'], reports: [CUT_OFF, 'left'] });
});

test('an end after which the log has nothing that is known leaves a gap', async () => {
  const { cluster, container, view, write, deletePod } = await deleting();
  cluster.nextFetchMs = () => 100;
  cluster.cut(container);
  await view.pass(50);
  write('never read');
  cluster.rotate(container);
  await view.pass(500);
  expect(await deletePod()).toEqual({ texts: ['serving'], reports: [UNCERTAIN, 'left'] });
});

test('a container that ends while a cut connection is waited for is read at once, before its pod is gone', async () => {
  const { cluster, pod, container, write, open } = setUp();
  write('serving');
  const view = open();
  await view.pass(500);
  // Each connection ends without an error and without a line, so the waits between them grow, to 6.4 s at most. Then a
  // connection exists again, and lasts at least as long after the last break.
  for (let cut = 0; cut < 6; cut++) {
    cluster.cut(container);
    await view.pass(7_000);
  }
  cluster.cut(container);
  await view.pass(500);
  const asked = cluster.queries.length;
  write('last words');
  await view.pass(500);
  expect(cluster.queries).toHaveLength(asked);
  cluster.endRun(pod, container);
  await view.pass(1_000);
  cluster.deletePod(pod);
  await view.pass(60_000);
  await view.close();
  expect(texts(view)).toEqual(['serving', 'last words']);
});
