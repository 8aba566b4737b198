import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { openClusterOfPeople } from '../../../../../test/support/server/cluster-of-people.ts';
import { goodRequests } from '../../../../../test/support/server/good-requests.ts';
import {
  cookieOf,
  headersOf,
  postSignIn,
  send,
  signIn,
} from '../../../../../test/support/server/signed-in.ts';
import {
  codeOf,
  startDashboard,
  type TestDashboard,
} from '../../../../../test/support/server/start-dashboard.ts';
import { LIFETIME_MS } from './kubernetes-sessions.ts';

const OLD_KEY = 'old-key-old-key-old-key-old-key-old-key';
const NEW_KEY = 'new-key-new-key-new-key-new-key-new-key';
const INFO = { method: 'GET', path: '/info' } as const;
const SIGN_OUT = { method: 'POST', path: '/sign-out' } as const;

const people = openClusterOfPeople();

const full = () => people.tokenOf('full');
const proxied = () => ({ authorization: `Bearer ${full()}` });

/** Starts a separate server with these keys, the first of which seals; without any, with a key of the process. */
async function replica(...keys: readonly string[]): Promise<TestDashboard> {
  const { kubeconfig } = people.cluster;
  if (keys.length === 0) return startDashboard({ auth: 'kubernetes', kubeconfig });
  const sessionKeyFile = join(await folder(), 'keys');
  await writeFile(sessionKeyFile, `# for rotation\n${keys.join('\n')}\n`);
  return startDashboard({ auth: 'kubernetes', kubeconfig, sessionKeyFile });
}

test('who signs in at one replica is signed in at the others, with the same page', async () => {
  const [one, other] = [await replica(OLD_KEY), await replica(OLD_KEY)];
  const who = await signIn(one, full());
  expect(await (await send(other, INFO, who)).json()).toMatchObject({ user: 'full' });
  expect(await other.pageToken(headersOf(who))).toBe(who.pageToken);
  const requests = Object.entries(goodRequests('full', who.pageToken));
  for (const [name, request] of requests.filter(([each]) => !each.includes('sign'))) {
    const answer = await send(other, request, who);
    expect([name, answer.status]).toEqual([name, 200]);
    await answer.body?.cancel();
  }
});

test('a session continues after a restart', async () => {
  const before = await replica(OLD_KEY);
  const who = await signIn(before, full());
  await before.close();
  expect((await send(await replica(OLD_KEY), INFO, who)).status).toBe(200);
});

test('without keys, or with another one, no replica takes the session of another', async () => {
  for (const [one, other] of [
    [await replica(), await replica()],
    [await replica(OLD_KEY), await replica(NEW_KEY)],
    [await replica(OLD_KEY), await replica()],
  ] as const) {
    const answer = await send(other, INFO, await signIn(one, full()));
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'not-signed-in']);
  }
});

test('keys rotate: the first one seals, each of them opens', async () => {
  const [old, second, first] = [
    await replica(OLD_KEY),
    await replica(OLD_KEY, NEW_KEY),
    await replica(NEW_KEY, OLD_KEY),
  ];
  const ofOld = await signIn(old, full());
  const ofFirst = await signIn(first, full());
  expect((await send(first, INFO, ofOld)).status).toBe(200);
  expect((await send(second, INFO, ofFirst)).status).toBe(200);
  expect((await send(old, INFO, ofFirst)).status).toBe(401);
});

test('the page that a proxy leads to one replica is one of the others as well, also while keys rotate', async () => {
  const [old, rotated] = [await replica(OLD_KEY, NEW_KEY), await replica(NEW_KEY, OLD_KEY)];
  const access = goodRequests('full', '')['POST /contexts/{context}/access'];
  if (access === undefined) throw new Error('there is no such request');
  for (const [one, other] of [
    [old, rotated],
    [rotated, old],
  ] as const) {
    const page = { cookie: '', pageToken: await one.pageToken(proxied()) };
    expect((await send(other, access, page, proxied())).status).toBe(200);
  }
  const invented = { cookie: '', pageToken: 'x'.repeat(43) };
  expect(await codeOf(await send(old, access, invented, proxied()))).toBe('page-token');
});

test('a replica does not take back a session that it has ended, though its cookie is kept', async () => {
  const [one, other] = [await replica(OLD_KEY), await replica(OLD_KEY)];
  const who = await signIn(one, full());
  expect((await send(other, SIGN_OUT, who)).status).toBe(204);
  expect((await send(other, INFO, who)).status).toBe(401);
});

test('a session is as short at each replica as at the one that began it', async () => {
  const [one, other] = [await replica(OLD_KEY), await replica(OLD_KEY)];
  const who = await signIn(one, full());
  await other.clock.advance(LIFETIME_MS - 1);
  expect((await send(other, INFO, who)).status).toBe(200);
  await other.clock.advance(1);
  expect((await send(other, INFO, who)).status).toBe(401);
  const late = await replica(OLD_KEY);
  await late.clock.advance(LIFETIME_MS);
  expect((await send(late, INFO, who)).status).toBe(401);
});

test('signing in again at another replica continues the session', async () => {
  const [one, other] = [await replica(OLD_KEY), await replica(OLD_KEY)];
  const who = await signIn(one, full());
  const again = await postSignIn(other, full(), { cookie: who.cookie });
  expect(await again.json()).toMatchObject({ token: who.pageToken });
  expect((await send(one, INFO, { ...who, cookie: cookieOf(again) })).status).toBe(200);
});
