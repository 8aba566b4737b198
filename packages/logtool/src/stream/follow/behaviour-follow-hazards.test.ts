import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { newRun } from '../../../../../test/support/engine/fake-cluster.ts';
import { FOLLOW, reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';
import { LiveView } from '../../../../../test/support/engine/live-view.ts';

test('lines stamped in the future do not withhold later ones', async () => {
  const { clock, cluster, write, open } = setUp();
  for (const text of ['future one', 'future two']) write(text, clock.now() + 5 * 3600_000);
  let breaks = 3;
  cluster.nextFault = (query) =>
    query.follow && breaks-- > 0 ? { kind: 'reset', afterBytes: 260 } : undefined;
  const view = open();
  await view.pass(1_000);
  write('now one');
  for (let line = 2; line < 12; line++) {
    await view.pass(700);
    write(`now ${line}`);
  }
  await view.pass(40_000);
  await view.close();
  const now = Array.from({ length: 10 }, (_, index) => `now ${index + 2}`);
  expect(texts(view)).toEqual(['future one', 'future two', 'now one', ...now]);
  expect(reports(view).filter((text) => text.startsWith('gap'))).toEqual([]);
  expect(cluster.faultsHit).toBe(3);
});

test('a pod that is gone after the clean end that its deletion announced leaves no gap', async () => {
  const { cluster, pod, container, write, open } = setUp();
  const view = open();
  await view.pass(500);
  write('serving');
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  write('shutting down');
  write('last words', undefined, container, true);
  cluster.deletePod(pod);
  await view.pass(3_000);
  await view.close();
  expect(texts(view)).toEqual(['serving', 'shutting down', 'last words']);
  expect(reports(view)).toEqual(['left']);
});

test('a pod that is gone after an end that nothing announced leaves a gap', async () => {
  const { cluster, pod, write, open } = setUp();
  const view = open();
  await view.pass(500);
  cluster.nextFault = (query) => (query.follow ? { kind: 'clean-end', afterBytes: 0 } : undefined);
  write('serving');
  cluster.deletePod(pod);
  await view.pass(5_000);
  await view.close();
  expect(reports(view).at(0)).toMatch(/^gap: the pod was deleted/);
});

test('a pod that is gone after an answer with nothing of what is known leaves a gap', async () => {
  const { cluster, pod, container, write, open } = setUp();
  let breaks = 1;
  cluster.nextFault = (query) =>
    query.follow && breaks-- > 0 ? { kind: 'reset', afterBytes: 35 } : undefined;
  write('one');
  const view = open();
  await view.pass(1_000);
  write('never read');
  cluster.rotate(container);
  await view.pass(10_000);
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  cluster.deletePod(pod);
  await view.pass(5_000);
  await view.close();
  expect(texts(view)).toEqual(['one']);
  expect(reports(view)).toEqual([
    'gap: the pod was deleted before logtool could confirm the end of its log',
    'left',
  ]);
});

test('more containers than may be followed at once take turns, and a notice says so', async () => {
  const { clock, cluster } = setUp();
  const containers = Array.from({ length: 5 }, (_, index) => {
    return cluster.addContainer(cluster.addPod(`more-${index}`), 'main', [newRun(`run-${index}`)]);
  });
  const view = new LiveView(cluster, clock, { ...FOLLOW, maxLogRequests: 2 });
  // The backlog of many containers goes through real files, which no test clock controls.
  while (!view.frames.some(({ type }) => type === 'end')) await view.pass(10);
  const wanted: string[] = [];
  for (let round = 0; round < 12; round++) {
    containers.forEach((container, index) => {
      const text = `${index} in round ${round}`;
      wanted.push(text);
      cluster.write(container, {
        at: timestampFromMs(clock.now()),
        bytes: Buffer.from(text),
        partial: false,
      });
    });
    await view.pass(1_500);
  }
  await view.until(() => view.records.length >= wanted.length, 30_000);
  await view.close();
  expect(texts(view).sort()).toEqual(wanted.sort());
  const notices = view.frames.flatMap((frame) => (frame.type === 'notice' ? [frame] : []));
  expect(notices).toEqual([{ type: 'notice', code: 'in-turns', data: { limit: 2, total: 6 } }]);
});

test('reports connections that break together, or return together, in one frame', async () => {
  const { clock, cluster } = setUp();
  for (let index = 0; index < 9; index++) cluster.addContainer(cluster.addPod(`more-${index}`), 'main');
  let down = false;
  cluster.nextFault = (query) => {
    if (down) return { kind: 'status', status: 503 };
    return query.follow ? { kind: 'reset', afterBytes: 60 } : undefined;
  };
  const view = new LiveView(cluster, clock, FOLLOW);
  await view.pass(1_000);
  down = true;
  for (const pod of cluster.pods.values()) {
    const bytes = Buffer.from('a line that is longer than the rest of the connection');
    cluster.write(pod.containers[0]!, { at: timestampFromMs(clock.now()), bytes, partial: false });
  }
  await view.pass(3_000);
  down = false;
  cluster.nextFault = () => undefined;
  await view.pass(60_000);
  await view.close();
  expect(reports(view)).toEqual(['reconnecting +9', 'reconnected +9']);
  expect(view.records).toHaveLength(10);
});

test('lines after a rotation are not held back until another line shows where they belong', async () => {
  const { clock, cluster, container, write, open } = setUp();
  write('one');
  let isCut = false;
  cluster.nextFault = (query) => {
    if (!query.follow || isCut) return undefined;
    isCut = true;
    return { kind: 'reset', afterBytes: 50 };
  };
  const view = open();
  await view.pass(100);
  write('two, which the connection breaks in');
  cluster.rotate(container);
  write('three', clock.now() + 10);
  await view.pass(10_000);
  await view.close();
  expect(texts(view)).toEqual(['one', 'three']);
  expect(reports(view)).toEqual([expect.stringMatching(/^gap: the node rotated the log/)]);
});

test('reports a log that was rotated while nobody read it, and stays empty, once', async () => {
  const { cluster, container, write, open } = setUp();
  write('one');
  let isCut = false;
  cluster.nextFault = (query) => {
    if (!query.follow || isCut) return undefined;
    isCut = true;
    return { kind: 'reset', afterBytes: 50 };
  };
  const view = open();
  await view.pass(100);
  write('two, which the connection breaks in');
  cluster.rotate(container);
  await view.pass(400_000, 500);
  write('three');
  await view.pass(1_000);
  await view.close();
  expect(texts(view)).toEqual(['one', 'three']);
  expect(reports(view)).toEqual([expect.stringMatching(/^gap: the node rotated the log/)]);
});

test.each([
  ['2026-11-21', 'the start of a timestamp, which a cut leaves', []],
  ['2026-11-21 09:00:01 runtime is down', 'a failure of the node', ['reconnecting', 'reconnected']],
])('a follow ends with %j again and again, %s: reports only a failure', async (text, _what, expected) => {
  const { cluster, write, open } = setUp();
  let fails = 10;
  cluster.nextFault = ({ follow }) =>
    follow && fails-- > 0 ? { kind: 'text', text, afterBytes: 0 } : undefined;
  const view = open();
  await view.pass(1_000);
  write('one');
  await view.pass(120_000, 500);
  await view.close();
  expect(texts(view)).toEqual(['one']);
  expect([...new Set(reports(view))]).toEqual(expected);
});

test('a stream that stalls is looked after following 60 s of silence', async () => {
  const { cluster, write, open } = setUp();
  write('one');
  let stalled = false;
  cluster.nextFault = (query) => {
    if (!query.follow || stalled) return undefined;
    stalled = true;
    // The line that it must repeat comes.
    return { kind: 'stall', afterBytes: 35, delayMs: 3_600_000 };
  };
  const view = open(planOf({ selection: { kind: 'all' }, follow: true }));
  await view.pass(500);
  write('two');
  await view.pass(59_000, 500);
  expect(texts(view)).toEqual(['one']);
  await view.pass(5_000, 500);
  await view.close();
  expect(texts(view)).toEqual(['one', 'two']);
});

test('a resume pairs the time with a number of lines, so that the node need not read the whole file', async () => {
  const { clock, cluster, write, open } = setUp();
  for (let line = 0; line < 50; line++) write(`line ${line}`, clock.now() - 60_000 + line);
  const view = open();
  await view.pass(1_000);
  write('next');
  await view.pass(1_000);
  await view.close();
  expect(texts(view)).toHaveLength(51);
  const asked = cluster.queries.filter(({ follow }) => follow);
  expect(asked).toEqual([expect.objectContaining({ tailLines: 1_000, sinceTime: expect.anything() })]);
});
