import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const away = () => new KubeError({ kind: 'connection', message: 'refused' });

test('work is done one piece at a time, in order', async () => {
  const turns = new Turns(new FakeClock(), new AbortController().signal, () => false);
  const done: string[] = [];
  const piece = (name: string) => async () => {
    done.push(`${name} begins`);
    await Promise.resolve();
    done.push(`${name} ends`);
  };
  await Promise.all([turns.take(piece('a')), turns.take(piece('b'))]);
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a cluster that is away is asked again, with longer and longer pauses', async () => {
  const clock = new FakeClock();
  const turns = new Turns(clock, new AbortController().signal, () => true);
  let tries = 0;
  const turn = turns.take(async () => {
    if (++tries < 4) throw away();
  });
  const at: number[] = [];
  for (const ms of [999, 1, 1999, 1, 3999, 1]) {
    await clock.advance(ms);
    at.push(tries);
  }
  await turn;
  expect(at).toEqual([1, 2, 2, 3, 3, 4]);
});

test('waits for longer if a cluster asks for it', async () => {
  const clock = new FakeClock();
  const turns = new Turns(clock, new AbortController().signal, () => true);
  let tries = 0;
  const turn = turns.take(async () => {
    if (++tries === 1)
      throw new KubeError({ kind: 'too-many-requests', retryAfterMs: 45_000, message: 'busy' });
  });
  await clock.advance(44_999);
  expect(tries).toBe(1);
  await clock.advance(1);
  await turn;
  expect(tries).toBe(2);
});

test('throws what cannot heal, and the next turn continues', async () => {
  const turns = new Turns(new FakeClock(), new AbortController().signal, () => true);
  const refusal = new KubeError({ kind: 'forbidden', message: 'no' });
  const failing = turns.take(() => Promise.reject(refusal));
  const next = turns.take(async () => {});
  await expect(failing).rejects.toBe(refusal);
  await next;
});

test('before the first look nothing is tried again', async () => {
  const turns = new Turns(new FakeClock(), new AbortController().signal, () => false);
  await expect(turns.take(() => Promise.reject(away()))).rejects.toThrow('refused');
});

test('the end of the view ends the waiting', async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const turn = new Turns(clock, abort.signal, () => true).take(() => Promise.reject(away()));
  const caught = turn.catch((error: unknown) => error);
  await clock.advance(0);
  abort.abort(new Error('closed'));
  expect(await caught).toMatchObject({ message: 'closed' });
  expect(clock.pending).toBe(0);
});
