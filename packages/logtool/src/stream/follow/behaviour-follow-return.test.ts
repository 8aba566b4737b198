import { expect, test } from 'vitest';
import type { FakeCluster, FakePod } from '../../../../../test/support/engine/fake-cluster.ts';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

/** Gives the pod other labels, or its old ones again, without deleting it. */
function relabel(cluster: FakeCluster, pod: FakePod, isSelected: boolean) {
  for (const target of cluster.targetsOf(pod)) cluster.say({ type: isSelected ? 'added' : 'gone', target });
}

test('a pod that left the selector and comes back continues at its position', async () => {
  const { cluster, pod, container, write, open } = setUp();
  for (const text of ['one', 'two', 'three']) write(text);
  const view = open();
  await view.pass(1_000);
  write('half a ', undefined, container, true);
  await view.pass(1_000);
  relabel(cluster, pod, false);
  await view.pass(3_000);
  expect(reports(view)).toEqual(['left']);
  write('line');
  write('while away');
  await view.pass(5_000);
  expect(texts(view)).toEqual(['one', 'two', 'three']);
  relabel(cluster, pod, true);
  await view.pass(1_000);
  write('four');
  await view.pass(3_000);
  await view.close();
  expect(texts(view)).toEqual(['one', 'two', 'three', 'half a line', 'while away', 'four']);
  expect(reports(view)).toEqual(['left', 'joined']);
});

test('a pod that comes back in the moment of its leaving, or as another run, loses and doubles nothing', async () => {
  const { cluster, pod, container, write, open } = setUp();
  write('one');
  const view = open();
  await view.pass(1_000);
  relabel(cluster, pod, false);
  relabel(cluster, pod, true);
  await view.pass(2_000);
  write('two');
  await view.pass(2_000);
  expect(texts(view)).toEqual(['one', 'two']);
  relabel(cluster, pod, false);
  await view.pass(2_000);
  write('last of the first run');
  cluster.startRun(pod, container, 'second');
  await view.pass(50);
  write('first of the second run');
  relabel(cluster, pod, true);
  await view.pass(5_000);
  write('next');
  await view.pass(2_000);
  await view.close();
  expect(texts(view)).toEqual(['one', 'two', 'last of the first run', 'first of the second run', 'next']);
});

test('a container that was over when its pod left the selector is not replayed when it comes back', async () => {
  const { cluster, pod, container, write, open } = setUp();
  const over = cluster.addPod('job', { restartPolicy: 'Never' });
  const main = cluster.addContainer(over, 'main');
  write('done', undefined, main);
  write('serving', undefined, container);
  cluster.endRun(over, main);
  const view = open();
  await view.pass(3_000);
  relabel(cluster, over, false);
  await view.pass(2_000);
  relabel(cluster, over, true);
  await view.pass(3_000);
  expect(pod.deleted).toBe(false);
  await view.close();
  expect(texts(view).sort()).toEqual(['done', 'serving']);
});
