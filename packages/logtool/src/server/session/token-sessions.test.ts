import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { describe, expect, test } from 'vitest';
import { enteredBy, headersOf, type SignedIn } from '../../../../../test/support/server/signed-in.ts';
import { codeOf, startDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import type { ClosingReason } from '../services.ts';
import { CODE_LIFETIME_MS, LIFETIME_MS, MAX_SESSIONS, tokenSessions } from './token-sessions.ts';

async function enter(dashboard: Awaited<ReturnType<typeof startDashboard>>) {
  const answer = await dashboard.ask(dashboard.entry);
  return { answer, ...enteredBy(answer) };
}

test('the token of the address is exchanged for a cookie, and leaves the address', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const { answer, ...who } = await enter(dashboard);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    `/#logtool-page-token=${who.pageToken}`,
  ]);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^logtool-session-7500=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  expect((await dashboard.ask('/api/v1/info', { headers: headersOf(who) })).status).toBe(200);
  const deep = await dashboard.ask(`/console${dashboard.entry.slice(1)}&context=here`);
  expect(deep.headers.get('location')).toMatch(/^\/console\?context=here#logtool-page-token=[\w-]{43}$/);
});

describe('the address for once', () => {
  const statusOf = async (dashboard: Awaited<ReturnType<typeof startDashboard>>, who: SignedIn) =>
    (await dashboard.ask('/api/v1/info', { headers: headersOf(who) })).status;

  test('lets one browser in, and holds nothing of the token that lasts', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    expect(address).toMatch(/^\/\?token=[\w-]{43}$/);
    expect(address).not.toBe(dashboard.entry);
    expect((await dashboard.ask(address, { method: 'HEAD' })).headers.get('set-cookie')).toBeNull();
    const answer = await dashboard.ask(address);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/#logtool-page-token=[\w-]{43}$/),
    ]);
    expect(await statusOf(dashboard, enteredBy(answer))).toBe(200);
  });

  test('is dead after its first use; a second one ends what the first began, streams included', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    const first = enteredBy(await dashboard.ask(address));
    const other = await enter(dashboard);
    const stream = await dashboard.ask('/api/v1/contexts/here/workloads', { headers: headersOf(first) });
    const text = stream.text();
    expect((await dashboard.ask(address)).headers.get('set-cookie')).toBeNull();
    expect(await statusOf(dashboard, first)).toBe(401);
    expect(await text).toContain('{"type":"closing","reason":"revoked"}');
    expect((await dashboard.ask(address)).headers.get('set-cookie')).toBeNull();
    expect(await statusOf(dashboard, other)).toBe(200);
  });

  test('may be loaded again by the browser that it let in', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    const who = enteredBy(await dashboard.ask(address));
    const again = await dashboard.ask(address, { headers: { cookie: who.cookie } });
    expect([again.status, enteredBy(again).pageToken]).toEqual([303, who.pageToken]);
    expect(await statusOf(dashboard, who)).toBe(200);
  });

  test('gives the page token again for a minute only, also to who has the cookie', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    const who = enteredBy(await dashboard.ask(address));
    await dashboard.clock.advance(CODE_LIFETIME_MS);
    expect(await statusOf(dashboard, who)).toBe(200);
    const late = await dashboard.ask(address, { headers: { cookie: who.cookie } });
    expect(late.headers.get('location')).toBe('/');
    expect(late.headers.getSetCookie()).toEqual([]);
    expect(await statusOf(dashboard, who)).toBe(401);
  });

  test('is dead after a minute', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    await dashboard.clock.advance(CODE_LIFETIME_MS);
    expect((await dashboard.ask(address)).headers.get('set-cookie')).toBeNull();
  });

  test('is the plain one where there is no token', async () => {
    const dashboard = await startDashboard({ basePath: '/logs' });
    expect(dashboard.entryForOnce()).toBe('/logs/');
  });
});

test('no token in an address leads out of the server', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const answer = await dashboard.ask(`//attacker.example/${dashboard.entry.slice(1)}`);
  expect(answer.headers.get('location')).toMatch(/^\/attacker\.example\/#logtool-page-token=[\w-]{43}$/);
});

test('with TLS the cookie is of this host and base path only', async () => {
  const dashboard = await startDashboard({ auth: 'token', basePath: '/logs' });
  expect(dashboard.entry).toMatch(/^\/logs\/\?token=[\w-]{43}$/);
  const answer = await dashboard.ask(dashboard.entry, { headers: { 'x-forwarded-proto': 'https' } });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-logtool-session~logs-7500=.*; Path=\/; .*; Secure$/,
  );
  const who = enteredBy(answer);
  const statusOf = async (headers: Record<string, string>) =>
    (await dashboard.ask('/logs/api/v1/info', { headers: { ...headersOf(who), ...headers } })).status;
  expect(await statusOf({ 'x-forwarded-proto': 'https' })).toBe(200);
  // Over TLS, the server does not read what plain HTTP or a neighbor could have set.
  const plain = who.cookie.replace('__Host-logtool-session~logs', 'logtool-session');
  expect(await statusOf({ 'x-forwarded-proto': 'https', cookie: plain })).toBe(401);
});

test('below a path, the cookie is sent to there only', async () => {
  const dashboard = await startDashboard({ auth: 'token', basePath: '/logs' });
  const answer = await dashboard.ask(dashboard.entry);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^logtool-session-7500=.*; Path=\/logs; .*SameSite=Strict$/,
  );
});

test('a wrong token gives no cookie', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  for (const token of ['', 'x', dashboard.entry.slice(8, -1)]) {
    const answer = await dashboard.ask(`/?token=${token}`);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
  }
  const typed = await dashboard.ask('/api/v1/sign-in', {
    method: 'POST',
    body: JSON.stringify({ token: 'guess' }),
    headers: { 'content-type': 'application/json' },
  });
  expect([typed.status, await codeOf(typed)]).toEqual([401, 'wrong-token']);
});

test('the token can be typed as well', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const answer = await dashboard.ask('/api/v1/sign-in', {
    method: 'POST',
    body: JSON.stringify({ token: dashboard.entry.slice('/?token='.length) }),
    headers: { 'content-type': 'application/json' },
  });
  const { token, expiresAt } = (await answer.json()) as { token: string; expiresAt: string };
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  expect(await dashboard.pageToken(headersOf({ cookie, pageToken: token }))).toBe(token);
  expect(Date.parse(expiresAt)).toBe(dashboard.clock.now() + LIFETIME_MS);
});

test('each browser has a page token of its own, which is no good in another', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const [ann, bob] = [await enter(dashboard), await enter(dashboard)];
  const signOut = (who: SignedIn) =>
    dashboard.ask('/api/v1/sign-out', { method: 'POST', headers: headersOf(who) });
  expect(await codeOf(await signOut({ ...ann, pageToken: bob.pageToken }))).toBe('not-signed-in');
  expect((await signOut(ann)).status).toBe(204);
  expect((await dashboard.ask('/api/v1/info', { headers: headersOf(bob) })).status).toBe(200);
});

test('after signing out the cookie is dead and taken away', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const headers = headersOf(await enter(dashboard));
  const answer = await dashboard.ask('/api/v1/sign-out', { method: 'POST', headers });
  expect(answer.headers.get('set-cookie')).toMatch(/^logtool-session-7500=; .*Max-Age=0/);
  expect(await codeOf(await dashboard.ask('/api/v1/info', { headers }))).toBe('not-signed-in');
});

describe('sessions', () => {
  const request = (cookie = '', pageToken = '') =>
    new Request('http://localhost:7500/', { headers: headersOf({ cookie, pageToken }) });
  function sessionsOf() {
    const clock = new FakeClock();
    const ended: [string, ClosingReason][] = [];
    const onEnd = ({ id }: { readonly id: string }, reason: ClosingReason) => void ended.push([id, reason]);
    const layer = tokenSessions({ clock, accessToken: 'secret', basePath: '', onEnd });
    const begin = async () => {
      const { session, cookies } = await layer.signIn('secret', request());
      return { session, request: request((cookies[0] ?? '').split(';')[0], session.pageToken) };
    };
    return { clock, ended, layer, begin };
  }

  test('expire, and say so', async () => {
    const { clock, ended, layer, begin } = sessionsOf();
    const { session, request: own } = await begin();
    await clock.advance(LIFETIME_MS - 1);
    expect((await layer.find(own))?.id).toBe(session.id);
    await clock.advance(1);
    expect([await layer.find(own), ended]).toEqual([undefined, [[session.id, 'expired']]]);
  });

  test('are not without number: the oldest makes room', async () => {
    const { ended, layer, begin } = sessionsOf();
    const first = await begin();
    for (let i = 0; i < MAX_SESSIONS; i++) await begin();
    expect([await layer.find(first.request), ended]).toEqual([undefined, [[first.session.id, 'expired']]]);
  });

  test('of another port of the machine are others', async () => {
    const { layer, begin } = sessionsOf();
    const { session, request: own } = await begin();
    const cookie = (own.headers.get('cookie') ?? '').replace('7500', '7501');
    expect(await layer.find(request(cookie, session.pageToken))).toBeUndefined();
  });

  test('leave no timer', async () => {
    const { clock, layer, begin } = sessionsOf();
    await begin();
    layer.close();
    expect(clock.pending).toBe(0);
  });
});
