import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSessions } from './open-sessions.ts';

const ask = (token?: string) =>
  new Request('http://localhost:7500/', token === undefined ? {} : { headers: { 'x-logtool-token': token } });

test('each page is a session of its own, for as long as it carries its token', async () => {
  const sessions = openSessions();
  const [one, other] = await Promise.all([sessions.find(ask()), sessions.find(ask())]);
  expect(one?.pageToken).not.toBe(other?.pageToken);
  const seen = await Promise.all([one, one, other].map((page) => sessions.find(ask(page?.pageToken))));
  expect(seen.map((session) => session?.pageToken)).toEqual([one, one, other].map((page) => page?.pageToken));
  expect(seen[0]?.id).toBe(seen[1]?.id);
  expect(seen[0]?.id).not.toBe(seen[2]?.id);
});

test('the address of a download carries the session too', async () => {
  const sessions = openSessions();
  const token = (await sessions.find(ask()))?.pageToken ?? '';
  const found = await sessions.find(new Request(`http://localhost:7500/download?token=${token}`));
  expect(found).toEqual(await sessions.find(ask(token)));
});

test('a token that this server has not issued has no person', async () => {
  const sessions = openSessions();
  const nobody = (await sessions.find(ask()))?.id;
  const good = (await sessions.find(ask()))?.pageToken ?? '';
  const elsewhere = (await openSessions().find(ask()))?.pageToken ?? '';
  const guesses = ['', 'x', elsewhere, randomBytes(32).toString('base64url'), `${good}A`, good.slice(0, 21)];
  for (const guess of guesses) {
    const session = await sessions.find(ask(guess));
    expect(session?.id).toBe(nobody);
    expect(session?.pageToken).not.toBe(guess);
  }
});
