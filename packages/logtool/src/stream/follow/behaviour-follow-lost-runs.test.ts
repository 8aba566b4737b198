import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

test.each([
  [['run-2', 'run-3'], []],
  [['run-2', 'run-3', 'run-4'], ['gap: the container restarted more than once']],
])(
  'of the runs %j after one whose end was read, reports only those that do not exist as missing',
  async (runs, gaps) => {
    const { cluster, pod, container, write, open } = setUp();
    const view = open();
    await view.pass(500);
    write('of the first run');
    cluster.endRun(pod, container, 'waiting');
    await view.pass(500);
    for (const run of runs) {
      cluster.startRun(pod, container, run);
      write(`of ${run}`);
    }
    await view.pass(5_000);
    await view.close();
    expect(texts(view)).toEqual(['of the first run', ...runs.slice(-2).map((run) => `of ${run}`)]);
    expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual(gaps);
  },
);

test.each([
  [['run-1', 'run-2'], []],
  [['run-1', 'run-2', 'run-3'], ['gap: the container restarted more than once']],
])(
  'reports only the lost runs of a container that waited to start and then had the runs %j',
  async (runs, gaps) => {
    const { cluster, write, open } = setUp();
    const pod = cluster.addPod('web-1');
    const container = cluster.addContainer(pod, 'main', []);
    container.state = 'waiting';
    const view = open();
    await view.pass(500);
    for (const run of runs) {
      cluster.startRun(pod, container, run);
      write(`of ${run}`, undefined, container);
    }
    await view.pass(5_000);
    await view.close();
    expect(texts(view)).toEqual(runs.slice(-2).map((run) => `of ${run}`));
    expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual(gaps);
  },
);

test('does not attribute lines of a new run to the old one if its status comes seconds late', async () => {
  const { cluster, pod, container, write, open } = setUp();
  const view = open();
  await view.pass(500);
  write('of the first run');
  await view.pass(1_500);
  cluster.holdStatus(pod);
  cluster.startRun(pod, container, 'second');
  write('of the second run');
  await view.pass(2_000);
  cluster.letStatusGo(pod);
  await view.pass(5_000);
  await view.close();
  expect(view.records.map(({ run }) => run.key.containerId)).toEqual(['web-0-main-0', 'second']);
  expect(texts(view)).toEqual(['of the first run', 'of the second run']);
  expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([]);
});

test.each([
  [
    10,
    ['run-2 a', 'run-2 b', 'run-3 a', 'run-3 b'],
    ['gap: the container restarted, and the node removed its earlier run'],
  ],
  [1, ['run-3 b'], []],
])(
  'reports a run that is removed while a tail of %i is read if it belongs to the tail',
  async (count, shown, gaps) => {
    const { clock, cluster, pod, container, write, open } = setUp();
    let reads = 0;
    cluster.nextFetchMs = () => (reads++ === 0 ? 500 : 0);
    write('of the first run');
    const view = open(planOf({ selection: { kind: 'tail', count }, follow: true }));
    await view.pass(100);
    for (const run of ['run-2', 'run-3']) {
      cluster.startRun(pod, container, run);
      for (const line of ['a', 'b']) write(`${run} ${line}`);
      await clock.advance(1);
    }
    await view.pass(5_000);
    await view.close();
    expect(texts(view)).toEqual(shown);
    expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual(gaps);
  },
);
