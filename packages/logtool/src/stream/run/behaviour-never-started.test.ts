import { expect, test } from 'vitest';
import { type FakePod, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { FOLLOW, reports, setUp } from '../../../../../test/support/engine/followed-pod.ts';

/** Opens a view of a pod, one container of which waits for its image, until the pod ends. */
async function endOfPod(ends: (pod: FakePod, all: ReturnType<typeof setUp>) => void) {
  const all = setUp();
  const { cluster, open } = all;
  const pod = cluster.addPod('web-1');
  const container = cluster.addContainer(pod, 'app', []);
  container.state = 'waiting';
  const view = open(FOLLOW);
  await view.pass(3_000);
  ends(pod, all);
  await view.pass(15_000);
  await view.close();
  return reports(view).filter((what) => what.startsWith('gap') || what === 'left');
}

test('of a container that never started nothing is missing when its pod is deleted', async () => {
  const reported = await endOfPod((pod, { cluster }) => {
    pod.deleting = true;
    cluster.changed(pod);
    cluster.deletePod(pod);
  });
  expect(reported).toEqual(['left']);
});

test('reports the output of a container that started just before its pod was deleted as missing', async () => {
  const reported = await endOfPod((pod, { cluster }) => {
    const [app] = pod.containers;
    app?.runs.push(newRun('web-1-app-0'));
    if (app !== undefined) app.state = 'running';
    cluster.deletePod(pod);
  });
  expect(reported).toEqual([expect.stringMatching(/^gap: /), 'left']);
});
