import { expect, test } from 'vitest';
import { planOf } from '../../../../../test/support/engine/collect.ts';
import { setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

/* Records of one container with the same timestamp keep their order across connections. */

/** Creates a container with this many lines, the last of them at the returned time. */
function withLines(count: number) {
  const pod = setUp();
  const atMs = pod.clock.now() - 1_000;
  for (let index = 1; index < count; index++) pod.write(`old ${index}`, atMs - (count - index) * 2_000);
  pod.write('first', atMs);
  return { ...pod, atMs };
}

test.each([[{ kind: 'all' }], [{ kind: 'tail', count: 10 }]] as const)(
  'a line of the same time as the last one of the backlog comes after it: %j',
  async (selection) => {
    const { write, open, atMs } = withLines(50);
    const view = open(planOf({ selection, follow: true }));
    await view.until(() => texts(view).includes('first'), 5_000);
    write('second', atMs);
    await view.pass(2_000);
    await view.close();
    expect(texts(view).slice(-2)).toEqual(['first', 'second']);
    expect(view.records.filter(({ late }) => late)).toEqual([]);
  },
);

test('a line of the same time as the last one before a reconnect comes after it', async () => {
  const { write, open, clock, cluster, container } = withLines(50);
  const view = open();
  await view.until(() => texts(view).includes('first'), 5_000);
  for (let index = 0; index < 20; index++) {
    write(`live ${index}`);
    await view.pass(2_000);
  }
  const at = clock.now();
  write('before', at);
  await view.pass(50, 10);
  cluster.cut(container);
  await view.pass(50, 10);
  write('after', at);
  await view.pass(3_000);
  await view.close();
  expect(texts(view).slice(-2)).toEqual(['before', 'after']);
  expect(view.records.filter(({ late }) => late)).toEqual([]);
});

test('a line of the same time comes after those of the rest of a complete run', async () => {
  const { write, open, clock, cluster, pod, container } = withLines(50);
  const view = open();
  await view.until(() => texts(view).includes('first'), 5_000);
  for (let index = 0; index < 20; index++) {
    write(`live ${index}`);
    await view.pass(2_000);
  }
  const at = clock.now();
  write('before', at);
  await view.pass(50, 10);
  cluster.nextFault = ({ follow }) => (follow === true ? { kind: 'refuse' } : undefined);
  cluster.cut(container);
  await view.pass(50, 10);
  write('last', at);
  cluster.endRun(pod, container);
  await view.pass(3_000);
  await view.close();
  expect(texts(view).slice(-2)).toEqual(['before', 'last']);
  expect(view.records.filter(({ late }) => late)).toEqual([]);
});
