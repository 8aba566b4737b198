import { expect, test } from 'vitest';
import type { FakeFault } from '../../../../../test/support/engine/fake-cluster.ts';
import { reports, setUp, texts } from '../../../../../test/support/engine/followed-pod.ts';

/**
 * A follow whose connection is reset after the first line, with these faults of the connections after it. A new line is
 * there by then.
 */
async function resumed(faults: readonly (FakeFault | undefined)[]) {
  const { cluster, write, open } = setUp();
  write('one');
  const left: (FakeFault | undefined)[] = [{ kind: 'reset', afterBytes: 60 }, ...faults];
  cluster.nextFault = (query) => (query.follow ? left.shift() : undefined);
  const view = open();
  await view.pass(1_000);
  write('two');
  await view.pass(2_000);
  return { cluster, view };
}

const STALL: FakeFault = { kind: 'stall', afterBytes: 0, delayMs: 3_600_000 };

test('a resumed connection without the line that it must repeat is checked after 5 s', async () => {
  const { view } = await resumed([STALL]);
  expect(texts(view)).toEqual(['one']);
  await view.pass(10_000, 500);
  await view.close();
  expect(texts(view)).toEqual(['one', 'two']);
});

test('a container whose connections stall is reported as lost, and as back with the first line', async () => {
  const { view } = await resumed([STALL, STALL, STALL]);
  await view.pass(10_000, 500);
  expect(reports(view)).toEqual(['reconnecting']);
  await view.pass(30_000, 500);
  await view.close();
  expect(reports(view)).toEqual(['reconnecting', 'reconnected']);
  expect(texts(view)).toEqual(['one', 'two']);
});

test('a connection that repeats the known line is not checked while its log is silent', async () => {
  const { cluster, view } = await resumed([]);
  await view.pass(1_000);
  const before = cluster.queries.length;
  await view.pass(30_000, 500);
  await view.close();
  expect(texts(view)).toEqual(['one', 'two']);
  expect(cluster.queries).toHaveLength(before);
});

test('a silent log whose connection repeats nothing is not reported as lost', async () => {
  const { cluster, write, open } = setUp();
  write('one');
  const faults: FakeFault[] = [{ kind: 'reset', afterBytes: 10 }, STALL];
  cluster.nextFault = (query) => (query.follow ? faults.shift() : undefined);
  const view = open();
  await view.pass(40_000, 500);
  await view.close();
  expect(reports(view)).toEqual([]);
  expect(cluster.faultsHit).toBe(2);
});
