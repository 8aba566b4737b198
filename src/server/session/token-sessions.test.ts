import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../domain/clock.ts';
import type { ClosingReason } from '../services.ts';
import { codeOf, startDashboard } from '../testing/start-dashboard.ts';
import { CODE_LIFETIME_MS, LIFETIME_MS, MAX_SESSIONS, tokenSessions } from './token-sessions.ts';

async function enter(dashboard: Awaited<ReturnType<typeof startDashboard>>) {
  const answer = await dashboard.ask(dashboard.entry);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { answer, cookie, token: await dashboard.pageToken({ cookie }) };
}

test('the token of the address is exchanged for a cookie, and leaves the address', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const { answer, cookie } = await enter(dashboard);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^logtool-session-7500=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  expect((await dashboard.ask('/api/v1/info', { headers: { cookie } })).status).toBe(200);
  const deep = await dashboard.ask(`/console${dashboard.entry.slice(1)}&context=here`);
  expect(deep.headers.get('location')).toBe('/console?context=here');
});

describe('the address for once', () => {
  const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const statusOf = async (dashboard: Awaited<ReturnType<typeof startDashboard>>, cookie: string) =>
    (await dashboard.ask('/api/v1/info', { headers: { cookie } })).status;

  test('lets one browser in, and holds nothing of the token that lasts', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    expect(address).toMatch(/^\/\?token=[\w-]{43}$/);
    expect(address).not.toBe(dashboard.entry);
    expect((await dashboard.ask(address, { method: 'HEAD' })).headers.get('set-cookie')).toBeNull();
    const answer = await dashboard.ask(address);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(await statusOf(dashboard, cookieOf(answer))).toBe(200);
  });

  test('is dead after its first use; a second one ends what the first began, streams included', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    const cookie = cookieOf(await dashboard.ask(address));
    const other = await enter(dashboard);
    const headers = { cookie, 'x-logtool-token': await dashboard.pageToken({ cookie }) };
    const stream = await dashboard.ask('/api/v1/contexts/here/workloads', { headers });
    const text = stream.text();
    expect((await dashboard.ask(address)).headers.get('set-cookie')).toBeNull();
    expect(await statusOf(dashboard, cookie)).toBe(401);
    expect(await text).toContain('{"type":"closing","reason":"revoked"}');
    expect((await dashboard.ask(address)).headers.get('set-cookie')).toBeNull();
    expect(await statusOf(dashboard, other.cookie)).toBe(200);
  });

  test('may be loaded again by the browser that it let in', async () => {
    const dashboard = await startDashboard({ auth: 'token' });
    const address = dashboard.entryForOnce();
    const cookie = cookieOf(await dashboard.ask(address));
    expect((await dashboard.ask(address, { headers: { cookie } })).status).toBe(303);
    expect(await statusOf(dashboard, cookie)).toBe(200);
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
  expect(answer.headers.get('location')).toMatch(/^\/attacker\.example\/$/);
});

test('below a path, and behind TLS, the cookie is of there alone', async () => {
  const dashboard = await startDashboard({ auth: 'token', basePath: '/logs' });
  expect(dashboard.entry).toMatch(/^\/logs\/\?token=[\w-]{43}$/);
  const answer = await dashboard.ask(dashboard.entry, { headers: { 'x-forwarded-proto': 'https' } });
  expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/logs; .*; Secure$/);
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
  expect(await dashboard.pageToken({ cookie })).toBe(token);
  expect(Date.parse(expiresAt)).toBe(dashboard.clock.now() + LIFETIME_MS);
});

test('each browser has a page token of its own, which is no good in another', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const [ann, bob] = [await enter(dashboard), await enter(dashboard)];
  const signOut = (cookie: string, token: string) =>
    dashboard.ask('/api/v1/sign-out', { method: 'POST', headers: { cookie, 'x-logtool-token': token } });
  expect(await codeOf(await signOut(ann.cookie, bob.token))).toBe('page-token');
  expect((await signOut(ann.cookie, ann.token)).status).toBe(204);
  expect((await dashboard.ask('/api/v1/info', { headers: { cookie: bob.cookie } })).status).toBe(200);
});

test('after signing out the cookie is dead and taken away', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const { cookie, token } = await enter(dashboard);
  const headers = { cookie, 'x-logtool-token': token };
  const answer = await dashboard.ask('/api/v1/sign-out', { method: 'POST', headers });
  expect(answer.headers.get('set-cookie')).toMatch(/^logtool-session-7500=; .*Max-Age=0/);
  expect(await codeOf(await dashboard.ask('/api/v1/info', { headers }))).toBe('not-signed-in');
});

describe('sessions', () => {
  const request = (cookie = '') => new Request('http://localhost:7500/', { headers: { cookie } });
  function sessionsOf() {
    const clock = new FakeClock();
    const ended: [string, ClosingReason][] = [];
    const onEnd = ({ id }: { readonly id: string }, reason: ClosingReason) => void ended.push([id, reason]);
    const layer = tokenSessions({ clock, accessToken: 'secret', basePath: '', onEnd });
    const begin = async () => {
      const { session, cookies } = await layer.signIn('secret', request());
      return { session, request: request((cookies[0] ?? '').split(';')[0]) };
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
    const { request: own } = await begin();
    const cookie = (own.headers.get('cookie') ?? '').replace('7500', '7501');
    expect(await layer.find(request(cookie))).toBeUndefined();
  });

  test('leave no timer behind', async () => {
    const { clock, layer, begin } = sessionsOf();
    await begin();
    layer.close();
    expect(clock.pending).toBe(0);
  });
});
