import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import {
  type Asker,
  CHECKS_AT_ONCE,
  CheckTurns,
  FAILED_MS,
  MAX_OF_ADDRESS,
  MAX_WAITING,
  MAX_WAITING_OF_ONE,
  WAIT_MS,
} from './check-turns.ts';

/** Runs checks that end on the test's request, by the name of the asker. */
function turnsOf() {
  const clock = new FakeClock();
  const turns = new CheckTurns(clock);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const ask = (name: string, asker: Partial<Asker> = {}) => {
    const asked = turns.run(
      { address: name, ...asker },
      () => new Promise<void>((end) => running.push({ name, end })),
    );
    asked.catch(() => undefined);
    return asked;
  };
  const countOf = (name: string) => running.filter((each) => each.name === name).length;
  /** Ends the check that has run longest. */
  const endOldest = async (name: string) => {
    const at = running.findIndex((each) => each.name === name);
    running.splice(at, 1)[0]?.end();
    await settle();
  };
  return { clock, turns, running, ask, countOf, endOldest };
}

/** Waits until a granted turn begins. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const many = (count: number, start: () => void) => {
  for (let i = 0; i < count; i++) start();
};

test('an address with 48 checks leaves room for others, and for people who are signed in', async () => {
  const { ask, countOf } = turnsOf();
  many(48, () => ask('bad'));
  await settle();
  expect(countOf('bad')).toBe(MAX_OF_ADDRESS);
  ask('good');
  ask('bad', { person: 'ann' });
  await settle();
  expect([countOf('good'), countOf('bad')]).toEqual([1, MAX_OF_ADDRESS + 1]);
});

test('however many addresses there are, people who are signed in have room, and never more than all', async () => {
  const { ask, running, countOf } = turnsOf();
  for (let host = 0; host < 10; host++) many(10, () => ask(`host-${host}`));
  await settle();
  const taken = running.length;
  expect(taken).toBeLessThan(CHECKS_AT_ONCE);
  many(3, () => ask('a', { person: 'ann' }));
  await settle();
  expect(countOf('a')).toBe(3);
  for (let person = 0; person < 40; person++) ask('p', { person: `${person}` });
  await settle();
  expect(running.length).toBe(CHECKS_AT_ONCE);
});

test('one person who is signed in cannot take the room of the others', async () => {
  const { ask, countOf } = turnsOf();
  many(48, () => ask('greedy', { person: 'greedy' }));
  many(2, () => ask('ann', { person: 'ann' }));
  await settle();
  expect([countOf('greedy'), countOf('ann')]).toEqual([4, 2]);
});

test('addresses that sent wrong tokens go last; the one with the fewest running checks goes first', async () => {
  const { turns, ask, countOf, endOldest } = turnsOf();
  const counts = () => ['bad', 'worse', 'good', 'good-too'].map(countOf);
  for (const address of ['bad', 'worse']) {
    turns.failed({ address });
    many(48, () => ask(address));
  }
  many(12, () => ask('good'));
  ask('good-too');
  await settle();
  expect(counts()).toEqual([16, 0, 12, 0]);
  await endOldest('bad');
  expect(counts()).toEqual([15, 0, 12, 1]);
  await endOldest('bad');
  expect(counts()).toEqual([14, 1, 12, 1]);
  await endOldest('bad');
  expect(counts()).toEqual([13, 2, 12, 1]);
});

test('a wrong token is held against its address for a while, and never against who is signed in', async () => {
  const { turns, ask, countOf, clock } = turnsOf();
  turns.failed({ address: 'proxy', person: 'ann' });
  turns.failed({ address: 'bad' });
  many(48, () => ask('bad'));
  turns.failed({ address: 'mistyped' });
  ask('mistyped');
  ask('proxy');
  await settle();
  expect([countOf('mistyped'), countOf('proxy')]).toEqual([0, 1]);
  await clock.advance(FAILED_MS);
  ask('mistyped');
  await settle();
  expect(countOf('mistyped')).toBe(1);
});

test('behind a proxy with an attacker, each client gets its turn in order of arrival', async () => {
  const { turns, ask, countOf, endOldest } = turnsOf();
  turns.failed({ address: 'proxy' });
  many(48, () => ask('proxy'));
  let isDone = false;
  const good = turns.run({ address: 'proxy' }, async () => {
    isDone = true;
  });
  for (let ended = 0; ended < 48; ended++) {
    // An attacker who guesses does not stop.
    ask('proxy');
    await endOldest('proxy');
  }
  await good;
  expect([isDone, countOf('proxy')]).toEqual([true, MAX_OF_ADDRESS]);
});

test('a connection has one check at a time, however many requests it carries', async () => {
  const { ask, countOf, endOldest } = turnsOf();
  const connection = {};
  ask('bad', { connection });
  await expect(ask('bad', { connection })).rejects.toMatchObject({ code: 'too-many-sign-ins' });
  await endOldest('bad');
  ask('bad', { connection });
  await settle();
  expect(countOf('bad')).toBe(1);
});

test('an address with more checks than may wait keeps neither other addresses nor people out', async () => {
  const { ask, countOf } = turnsOf();
  many(MAX_OF_ADDRESS + MAX_WAITING_OF_ONE, () => ask('bad'));
  await settle();
  for (let more = 0; more < 1_040; more++)
    await expect(ask('bad')).rejects.toMatchObject({ code: 'too-many-sign-ins' });
  ask('good');
  ask('bad', { person: 'ann' });
  await settle();
  expect([countOf('good'), countOf('bad')]).toEqual([1, MAX_OF_ADDRESS + 1]);
});

test('however many addresses wait, people who are signed in have their turn', async () => {
  const { ask, countOf } = turnsOf();
  for (let host = 0; host < MAX_WAITING; host++) many(2, () => ask(`host-${host}`));
  await expect(ask('late')).rejects.toMatchObject({ code: 'too-many-sign-ins' });
  ask('ann', { person: 'ann' });
  await settle();
  expect(countOf('ann')).toBe(1);
});

test('a client that has gone, or has waited too long, leaves the queue without a trace', async () => {
  const { ask, running, endOldest, clock } = turnsOf();
  many(MAX_OF_ADDRESS, () => ask('bad'));
  const gone = new AbortController();
  const left = ask('bad', { signal: gone.signal });
  const late = ask('bad');
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(ask('bad', { signal: gone.signal })).rejects.toThrow('gone');
  await clock.advance(WAIT_MS);
  await expect(rejectingWithMessage(late)).rejects.toMatchObject({
    code: 'too-many-sign-ins',
    why: expect.stringContaining('20 s'),
  });
  expect(clock.pending).toBe(0);
  many(MAX_OF_ADDRESS, () => void endOldest('bad'));
  many(MAX_OF_ADDRESS, () => ask('bad'));
  await settle();
  expect(running).toHaveLength(MAX_OF_ADDRESS);
});
