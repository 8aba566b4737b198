import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import type { ReadContext } from '../plan/read-context.ts';
import type { StreamEnd } from './follow-connection.ts';
import { SharedBackoff } from './shared-backoff.ts';

const refused: StreamEnd = {
  kind: 'broken',
  error: new KubeError({ kind: 'connection', message: 'connect ECONNREFUSED' }),
};
const overloaded: StreamEnd = {
  kind: 'broken',
  error: new KubeError({ kind: 'server', status: 503, message: 'no' }),
};
/** After this many attempts the wait is the longest. */
const MANY = 20;

function setUp() {
  const clock = new FakeClock();
  const controller = new AbortController();
  const context = { clock, signal: controller.signal, random: () => 0.5 } as unknown as ReadContext;
  const backoff = new SharedBackoff();
  const over: string[] = [];
  const pause = (id: string, end: StreamEnd) =>
    backoff.pause(context, id, MANY, end).then(
      () => over.push(id),
      () => over.push(`${id} aborted`),
    );
  return { clock, controller, backoff, over, pause };
}

test('the first that reaches the server again wakes those that could not', async () => {
  const { clock, backoff, over, pause } = setUp();
  void pause('first', refused);
  await clock.advance(10_000);
  for (const id of ['a', 'b']) void pause(id, refused);
  void pause('busy', overloaded);
  await clock.advance(20_000);
  expect(over).toEqual(['first']);
  backoff.answered('first');
  await clock.advance(500);
  expect(over).toEqual(['first', 'a', 'b']);
  await clock.advance(30_000);
  expect(over).toEqual(['first', 'a', 'b', 'busy']);
});

test.each(['unauthorized', 'credentials'] as const)(
  'credentials that are taken again wake those that had none: %s',
  async (kind) => {
    const { clock, backoff, over, pause } = setUp();
    const denied: StreamEnd = { kind: 'broken', error: new KubeError({ kind, message: 'no' }) };
    void pause('first', denied);
    await clock.advance(20_000);
    void pause('a', denied);
    await clock.advance(10_000);
    expect(over).toEqual(['first']);
    backoff.answered('first');
    await clock.advance(500);
    expect(over).toEqual(['first', 'a']);
  },
);

test('one that was not lost wakes nobody, nor is one woken that was answered and cut', async () => {
  const { clock, backoff, over, pause } = setUp();
  backoff.answered('cut');
  void pause('cut', refused);
  void pause('lost', refused);
  backoff.answered('well');
  await clock.advance(1_000);
  expect(over).toEqual([]);
});

test('the end of the view ends the wait', async () => {
  const { clock, controller, over, pause } = setUp();
  const paused = pause('a', refused);
  controller.abort(new Error('closed'));
  await clock.advance(0);
  await paused;
  expect(over).toEqual(['a aborted']);
});
