import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { BacklogEnd } from './backlog-end.ts';

function open(...ids: readonly string[]) {
  const clock = new FakeClock();
  let ends = 0;
  const backlog = new BacklogEnd(clock, ids, () => ends++);
  return { clock, backlog, startMs: clock.now(), ends: () => ends };
}

test('a backlog ends when each container has answered and none delivers more of it', async () => {
  const { clock, backlog, startMs, ends } = open('a', 'b');
  backlog.settled('a');
  await clock.advance(1_000);
  expect(ends()).toBe(0);
  backlog.settled('b');
  for (let turn = 0; turn < 5; turn++) {
    backlog.pushed(startMs - 60_000);
    await clock.advance(200);
  }
  expect(ends()).toBe(0);
  await clock.advance(1_000);
  expect(ends()).toBe(1);
});

test('what is written now does not delay the end of the backlog, and it ends once', async () => {
  const { clock, backlog, ends } = open('a');
  backlog.settled('a');
  for (let turn = 0; turn < 5; turn++) {
    backlog.pushed(clock.now() + 1);
    await clock.advance(100);
  }
  backlog.settled('a');
  await clock.advance(1_000);
  expect(ends()).toBe(1);
});

test('a closed one reports nothing', async () => {
  const { clock, backlog, ends } = open();
  backlog.close();
  await clock.advance(1_000);
  expect(ends()).toBe(0);
});
