import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { WindowsFirst } from './windows-first.ts';

/** Whether a count of a session may read on. */
function waiting(first: WindowsFirst, session: string, signal = new AbortController().signal) {
  const state = { isOver: false, over: Promise.resolve() };
  state.over = first.turn(session, signal).then(() => {
    state.isOver = true;
  });
  return state;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a count gives way to the windows of its session, and to no others', async () => {
  const first = new WindowsFirst(new FakeClock());
  const ends = [first.begin('mine'), first.begin('mine')];
  const [mine, other] = [waiting(first, 'mine'), waiting(first, 'other')];
  await settled();
  expect([mine.isOver, other.isOver]).toEqual([false, true]);
  ends[0]?.();
  await settled();
  expect(mine.isOver).toBe(false);
  ends[1]?.();
  await mine.over;
  const next = waiting(first, 'mine');
  await next.over;
});

test('a window that lasts holds no count for more than a second', async () => {
  const clock = new FakeClock();
  const first = new WindowsFirst(clock);
  const end = first.begin('mine');
  const count = waiting(first, 'mine');
  await clock.advance(999);
  expect(count.isOver).toBe(false);
  await clock.advance(1);
  await count.over;
  const again = waiting(first, 'mine');
  await again.over;
  end();
});

test('a count that is canceled does not wait', async () => {
  const first = new WindowsFirst(new FakeClock());
  first.begin('mine');
  const abort = new AbortController();
  const count = waiting(first, 'mine', abort.signal);
  await settled();
  expect(count.isOver).toBe(false);
  abort.abort();
  await count.over;
});

test('many containers of one count wait without a warning of Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const first = new WindowsFirst(new FakeClock());
  const end = first.begin('mine');
  const { signal } = new AbortController();
  const counts = Array.from({ length: 50 }, () => waiting(first, 'mine', signal));
  await settled();
  end();
  await Promise.all(counts.map(({ over }) => over));
  await settled();
  expect(warnings).toEqual([]);
});
