import { expect, test } from 'vitest';
import { said, setUp, texts } from '../../test/stream/followed-pod.ts';

const REMOVED = 'gap: a run ended and was removed before it could be read';

/**
 * A container of whose run nothing was read when it is started again, for the connection to it was broken; the status
 * of the pod tells of that much later, and the log of the new run is served until then.
 */
async function lateRestart(
  runs: readonly (readonly string[])[],
  lines: readonly string[] = ['of the first'],
) {
  const parts = setUp();
  const { clock, cluster, pod, container, write, open } = parts;
  let isAway = true;
  cluster.nextFault = (query) => (query.follow && isAway ? { kind: 'status', status: 503 } : undefined);
  const view = open();
  await view.pass(100);
  for (const line of lines) write(line);
  cluster.holdStatus(pod);
  for (const [index, texts] of runs.entries()) {
    await clock.advance(10);
    cluster.startRun(pod, container, `run-${index + 2}`);
    for (const text of texts) write(text, clock.now() + 1);
  }
  await view.pass(1_000);
  isAway = false;
  await view.pass(10_000);
  const close = async () => {
    await view.pass(10_000);
    await view.close();
    return {
      texts: texts(view),
      runs: view.records.map(({ source }) => source.key.containerId),
      gaps: said(view).filter((text) => text.startsWith('gap')),
    };
  };
  return { ...parts, view, close };
}

test('a run whose end was told late is read behind lines of the next one, which goes on under its own name', async () => {
  const { cluster, pod, view, write, close } = await lateRestart([['of the second']]);
  expect(texts(view)).toEqual(['of the second']);
  cluster.letStatusGo(pod);
  await view.pass(10_000);
  expect(texts(view)).toEqual(['of the second', 'of the first']);
  write('more of the second');
  expect(await close()).toEqual({
    texts: ['of the second', 'of the first', 'more of the second'],
    runs: ['web-0-main-0', 'web-0-main-0', 'run-2'],
    gaps: [],
  });
});

test('a run whose end was told late, and which had no line, is not missed', async () => {
  const { cluster, pod, write, close, view } = await lateRestart([['of the second']], []);
  cluster.letStatusGo(pod);
  await view.pass(10_000);
  write('more of the second');
  expect(await close()).toEqual({
    texts: ['of the second', 'more of the second'],
    runs: ['web-0-main-0', 'run-2'],
    gaps: [],
  });
});

test('of two runs whose ends were told late the one that is there is read, and the other told of as missing', async () => {
  const { cluster, pod, close } = await lateRestart([['of the second'], ['of the third']]);
  cluster.letStatusGo(pod);
  expect(await close()).toMatchObject({ texts: ['of the third', 'of the second'], gaps: [REMOVED] });
});

test('a run that was removed when its end was told is told of as missing, and the one that was read is read on', async () => {
  const { clock, cluster, pod, container, view, write, close } = await lateRestart([['of the second']]);
  cluster.nextFault = (query) => (query.follow ? { kind: 'status', status: 503 } : undefined);
  cluster.cut(container);
  await view.pass(10);
  write('more of the second');
  await clock.advance(10);
  cluster.startRun(pod, container, 'run-3');
  write('of the third');
  cluster.letStatusGo(pod);
  cluster.nextFault = () => undefined;
  expect(await close()).toMatchObject({
    texts: ['of the second', 'more of the second', 'of the third'],
    gaps: [REMOVED],
  });
});
