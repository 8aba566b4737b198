import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

const HOUR_MS = 3_600_000;

test.each([-HOUR_MS, -7_000, HOUR_MS])(
  'lines come in time when the clock of this machine is set by %i ms',
  async (byMs) => {
    const { clock, write, open } = setUp();
    // The node's own clock continues unchanged; FakeClock measures from where its clock began.
    const onNode = () => clock.steady();
    const view = open();
    await view.pass(1_000);
    write('held back to be put in order', onNode());
    await view.pass(50);
    clock.set(byMs);
    await view.pass(200);
    expect(texts(view)).toEqual(['held back to be put in order']);
    write('later', onNode());
    await view.pass(200);
    await view.close();
    expect(texts(view)).toEqual(['held back to be put in order', 'later']);
  },
);

test('a clock that was set back does not make a healthy stream look stalled', async () => {
  const { clock, cluster, write, open } = setUp();
  const startMs = clock.now();
  const view = open();
  await view.pass(1_000);
  const asked = cluster.queries.length;
  clock.set(-HOUR_MS);
  const written: string[] = [];
  for (let second = 0; second < 200; second++) {
    written.push(`line ${second}`);
    write(`line ${second}`, startMs + 1_000 + second * 1_000);
    await view.pass(1_000, 500);
  }
  await view.close();
  expect(texts(view)).toEqual(written);
  expect(cluster.queries.length).toBe(asked);
});

test('reports the end of a pod in time when the clock was set back while it went', async () => {
  const { clock, cluster, pod, write, open } = setUp();
  const view = open();
  await view.pass(1_000);
  write('last words');
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  // Its event takes longer than any wait.
  cluster.nextEventLagMs = () => 2 * HOUR_MS;
  cluster.deletePod(pod);
  await view.pass(100);
  clock.set(-HOUR_MS);
  await view.pass(10_000);
  expect(reports(view)).toEqual(['left']);
  await view.close();
  expect(texts(view)).toEqual(['last words']);
});

/** Opens a view of a log with one line a second, at the time of a node whose clock the test sets. */
function followedNode() {
  const all = setUp();
  const view = all.open();
  const node = { setByMs: 0, nowMs: () => all.clock.now() + node.setByMs };
  const written: string[] = [];
  const writeFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      written.push(`line ${written.length}`);
      all.write(written.at(-1)!, node.nowMs());
      await view.pass(1_000, 500);
    }
  };
  return { ...all, view, node, written, writeFor };
}

test('lines that a server withholds, as the clock of their node was set back, are found', async () => {
  const { view, node, written, writeFor } = followedNode();
  await writeFor(20);
  // Sets it before the start of the requested log: so far back that no new line qualifies for an hour.
  node.setByMs = -3_600_000;
  await writeFor(90);
  expect(texts(view)).toEqual(written);
  node.setByMs = 0;
  await writeFor(10);
  await view.close();
  expect(texts(view)).toEqual(written);
  expect(reports(view)).toEqual([]);
});

test.each([-5_000, -600_000])(
  'yields each line once where the clock of a node was set back by an hour, and then by %i ms',
  async (againMs) => {
    const { cluster, container, view, node, written, writeFor } = followedNode();
    await writeFor(20);
    for (const byMs of [-3_600_000, againMs]) {
      node.setByMs += byMs;
      await writeFor(1);
      cluster.cut(container);
      await writeFor(90);
    }
    await view.close();
    expect(texts(view)).toEqual(written);
    expect(reports(view)).toEqual([]);
  },
);

test('lines of the next run come at once where the clock of their node was set back before it', async () => {
  const { cluster, pod, container, view, node, written, writeFor } = followedNode();
  await writeFor(20);
  cluster.startRun(pod, container, 'containerd://next');
  node.setByMs = -3_600_000;
  await writeFor(5);
  expect(texts(view)).toEqual(written);
  await view.close();
  expect(reports(view)).toEqual(['restarted']);
});

test('a run that began and ended while nobody looked is read whole, although the clock was set back before it', async () => {
  const { cluster, pod, container, view, node, written, writeFor } = followedNode();
  await writeFor(20);
  cluster.holdStatus(pod);
  node.setByMs = -3_600_000;
  const noted = (text: string) => {
    written.push(text);
    cluster.write(container, { at: timestampFromMs(node.nowMs()), bytes: Buffer.from(text), partial: false });
  };
  for (const run of ['second', 'third']) {
    cluster.startRun(pod, container, `containerd://${run}`);
    for (let line = 0; line < 20; line++) noted(`${run} ${line}`);
  }
  cluster.letStatusGo(pod);
  await view.pass(10_000, 500);
  await view.close();
  expect(texts(view)).toEqual(written);
  // The first run may have written more before the node removed its log.
  expect(reports(view)).toEqual(['gap: the container restarted more than once', 'restarted']);
});
