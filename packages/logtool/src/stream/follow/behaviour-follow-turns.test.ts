import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { FakeCluster, type FakePod, newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { reports, texts } from '../../../../../test/support/engine/followed-pod.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';

/* More containers than connections for following. One of them leaves: its event comes too late to wait for its turn. */

const PODS = ['web-0', 'web-1', 'web-2'];
const GONE = 'gap: the pod was deleted before logtool could confirm the end of its log';

async function followed() {
  const clock = new FakeClock();
  const cluster = new FakeCluster(clock);
  const wanted: string[] = [];
  const write = (pod: FakePod, text: string) => {
    wanted.push(`${pod.name} ${text}`);
    const bytes = Buffer.from(`${pod.name} ${text}`);
    cluster.write(pod.containers[0]!, { at: timestampFromMs(clock.now()), bytes, partial: false });
  };
  const pods = PODS.map((name) => {
    const pod = cluster.addPod(name);
    cluster.addContainer(pod, 'main', [newRun(name)]);
    write(pod, 'serves');
    return pod;
  });
  const plan = planOf({ selection: { kind: 'all' }, follow: true });
  const view = new LiveView(cluster, clock, { ...plan, maxLogRequests: 1 });
  // The backlog of many containers goes through real files, which no test clock controls.
  while (!view.frames.some(({ type }) => type === 'end')) await view.pass(10);
  /** Adds the next pod of a StatefulSet, which has the same name. */
  const replace = async (pod: FakePod) => {
    const next = cluster.addPod(pod.name, { uid: `${pod.uid} again` });
    const container = cluster.addContainer(next, 'main', []);
    container.state = 'waiting';
    cluster.joined(next);
    await view.pass(1_000);
    cluster.startRun(next, container, `${pod.name} again`);
    write(next, 'serves again');
  };
  const shown = async () => {
    await view.pass(30_000);
    await view.close();
    return texts(view).sort();
  };
  return { cluster, pods, view, write, replace, wanted, shown };
}

const MOMENTS = Array.from({ length: 10 }, (_, at) => at * 950);

test.each(MOMENTS)(
  'a pod that ends is read to its last line before the next one has its name (after %i ms)',
  async (ms) => {
    const { cluster, pods, view, write, replace, wanted, shown } = await followed();
    await view.pass(ms);
    for (const pod of pods) {
      pod.deleting = true;
      cluster.changed(pod);
      await view.pass(200);
      write(pod, 'last words');
      cluster.endRun(pod, pod.containers[0]!);
      await view.pass(300);
      cluster.deletePod(pod);
      await replace(pod);
    }
    expect(await shown()).toEqual(wanted.sort());
    expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([]);
  },
);

test.each(MOMENTS)(
  'shows the end of a pod deleted by force, or reports it missing (after %i ms)',
  async (ms) => {
    const { cluster, pods, view, write, replace, wanted, shown } = await followed();
    await view.pass(ms);
    const [pod] = pods as [FakePod];
    write(pod, 'last words');
    pod.containers[0]!.runs[0]!.ended = true;
    pod.deleted = true;
    for (const target of cluster.targetsOf(pod)) cluster.say({ type: 'gone', target });
    await replace(pod);
    const lines = await shown();
    const reported = reports(view).filter((text) => text.startsWith('gap'));
    const isShown = lines.includes('web-0 last words');
    expect(lines).toEqual(wanted.filter((text) => isShown || text !== 'web-0 last words').sort());
    if (!isShown) expect(reported).toEqual([GONE]);
  },
);

test('a pod that takes long to end leaves the others their turns again', async () => {
  const { cluster, pods, view, write, shown, wanted } = await followed();
  pods[0]!.deleting = true;
  cluster.changed(pods[0]!);
  for (let second = 0; second < 120; second++) {
    for (const pod of pods) write(pod, `second ${second}`);
    await view.pass(1_000);
  }
  expect(texts(view)).toContain('web-2 second 90');
  expect(await shown()).toEqual(wanted.sort());
});

test('quiet logs are searched for no line, although each turn brings nothing new of them', async () => {
  const { cluster, view } = await followed();
  const asked = cluster.queries.length;
  await view.pass(60_000, 100);
  await view.close();
  const queries = cluster.queries.slice(asked);
  expect(queries.length).toBeGreaterThan(15);
  expect(queries.filter(({ limitBytes }) => limitBytes !== undefined)).toEqual([]);
});
