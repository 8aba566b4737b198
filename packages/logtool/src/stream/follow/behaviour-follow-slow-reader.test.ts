import { expect, test } from 'vitest';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

/** More than may wait for a reader (LiveMerge), so that nothing after such a line is read before it resumes. */
const LONG = 'x'.repeat(5 * 1024 * 1024);
const MINUTES_MS = 200_000;

/**
 * Opens a view that stops taking frames while its log is written and rotated away: the open stream continues in its
 * file.
 */
async function pausedAfterRotation() {
  const all = setUp();
  const { cluster, container, write, open } = all;
  write('one');
  const view = open();
  await view.pass(1_000);
  view.pause();
  const written = ['two', 'three', `four ${LONG}`, `five ${LONG}`, 'six', 'seven'];
  for (const text of written) {
    if (text === 'six') cluster.rotate(container);
    write(text);
    await view.pass(500);
  }
  return { ...all, view, wanted: ['one', ...written] };
}

test('a reader that stops for minutes loses nothing that the open connection still brings', async () => {
  const { view, write, wanted } = await pausedAfterRotation();
  await view.pass(MINUTES_MS, 500);
  expect(texts(view).length).toBeLessThan(wanted.length);
  view.goOn();
  await view.pass(2_000);
  write('eight');
  await view.pass(2_000);
  await view.close();
  expect(texts(view)).toEqual([...wanted, 'eight']);
  expect(reports(view)).toEqual([]);
});

test('the end of a pod that was deleted while the reader stood still comes when it resumes', async () => {
  const { cluster, pod, view, wanted } = await pausedAfterRotation();
  pod.deleting = true;
  cluster.changed(pod);
  await view.pass(1_000);
  cluster.deletePod(pod);
  await view.pass(MINUTES_MS, 500);
  view.goOn();
  await view.pass(5_000);
  await view.close();
  expect(texts(view)).toEqual(wanted);
  expect(reports(view)).toEqual(['left']);
});

test('a stream that stalls for a reader that stood still is checked as usual', async () => {
  const { cluster, container, write, open } = setUp();
  let stalls = 1;
  cluster.nextFault = (query) =>
    query.follow && stalls-- > 0
      ? { kind: 'stall', afterBytes: LONG.length + 100, delayMs: 3_600_000 }
      : undefined;
  const view = open();
  await view.pass(500);
  view.pause();
  write(`one ${LONG}`, undefined, container);
  await view.pass(MINUTES_MS, 500);
  view.goOn();
  await view.pass(1_000);
  write(
    'two, which stalls behind a hundred bytes of the stream, so that it is none before it is asked for again',
  );
  await view.pass(130_000, 500);
  await view.close();
  expect(texts(view).map((text) => text.slice(0, 3))).toEqual(['one', 'two']);
  expect(cluster.faultsHit).toBe(1);
});
