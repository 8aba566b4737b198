import { expect, test } from 'vitest';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

/** A container that crashes immediately, again and again: the node keeps only the log of the run that ended last. */
function crashing() {
  const scene = setUp();
  const { cluster, pod, container, write } = scene;
  const crash = (id: string) => {
    cluster.startRun(pod, container, id);
    container.runs.at(-2)!.removed = true;
    write(`of ${id}`);
    cluster.endRun(pod, container, 'terminated');
  };
  return { ...scene, crash };
}

test('a run that is read and removed delays the next one only until that exists', async () => {
  const { cluster, pod, write, open, crash } = crashing();
  const view = open();
  write('of run-1');
  await view.pass(500);
  // The status is late: the run has ended, but the pod still reports it as running.
  cluster.holdStatus(pod);
  cluster.endRun(pod, pod.containers[0]!);
  await view.pass(500);
  crash('run-2');
  cluster.letStatusGo(pod);
  cluster.changed(pod);
  await view.pass(10_000, 100);
  crash('run-3');
  await view.pass(10_000, 100);
  await view.close();
  expect(texts(view)).toEqual(['of run-1', 'of run-2', 'of run-3']);
  expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([]);
});

test('reports a run that was removed before its end was read as missing, and the next one is whole', async () => {
  const { cluster, container, write, open, crash } = crashing();
  const view = open();
  write('of run-1');
  await view.pass(500);
  cluster.nextFault = () => ({ kind: 'refuse' });
  cluster.cut(container);
  await view.pass(50);
  write('of run-1 as well');
  await view.pass(50);
  cluster.nextFault = () => undefined;
  crash('run-2');
  await view.pass(10_000, 100);
  crash('run-3');
  await view.pass(10_000, 100);
  await view.close();
  expect(texts(view)).toEqual(['of run-1', 'of run-2', 'of run-3']);
  expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([
    'gap: the container restarted, and the node removed its earlier run',
  ]);
});
