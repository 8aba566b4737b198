import { describe, expect, test } from 'vitest';
import { openClusterOfPeople } from '../../../../../test/support/server/cluster-of-people.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import {
  type GoodRequest,
  goodRequests,
  OPEN_OPERATIONS,
  WAITING,
} from '../../../../../test/support/server/good-requests.ts';
import { handlesSettled } from '../../../../../test/support/server/open-handles.ts';
import {
  headersOf,
  postSignIn,
  type SignedIn,
  send,
  signIn,
} from '../../../../../test/support/server/signed-in.ts';
import {
  codeOf,
  startDashboard,
  type TestDashboard,
} from '../../../../../test/support/server/start-dashboard.ts';
import type { ContextList } from '../../contract/cluster.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { WorkloadFrame } from '../../contract/workload.ts';
import { LIFETIME_MS } from './kubernetes-sessions.ts';
import { CHECK_EVERY_MS } from './watch-tokens.ts';

const people = openClusterOfPeople();

/** Starts on a context whose own user, the administrator, must never send a request. */
const start = (options: Parameters<typeof startDashboard>[0] = {}) =>
  startDashboard({ auth: 'kubernetes', kubeconfig: people.cluster.kubeconfig, ...options });

async function documented(dashboard: TestDashboard, who: SignedIn): Promise<readonly string[]> {
  const answer = await send(dashboard, { method: 'GET', path: '/openapi.json' }, who);
  const { paths } = (await answer.json()) as { readonly paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return [...operations, 'GET /openapi.json'];
}

test('the table has every route of the document, so that a new one is not forgotten', async () => {
  const dashboard = await start();
  const who = await signIn(dashboard, people.tokenOf('full'));
  const operations = await documented(dashboard, who);
  const known = [...Object.keys(goodRequests('full', '')), ...OPEN_OPERATIONS];
  expect([...operations].sort()).toEqual(known.sort());
  for (const { method, path } of Object.values(ROUTES))
    expect(operations).toContain(`${method.toUpperCase()} ${path}`);
});

test('answers every request of the table to a signed-in person', async () => {
  const dashboard = await start();
  const who = await signIn(dashboard, people.tokenOf('full'));
  for (const [name, request] of Object.entries(goodRequests('full', who.pageToken))) {
    const answer = await send(dashboard, request, who);
    expect([name, answer.status]).toEqual([name, name === 'POST /sign-out' ? 204 : 200]);
    await answer.body?.cancel();
  }
});

/** Every way to send a request without an active session. */
const INTRUDERS: Readonly<Record<string, (dashboard: TestDashboard, good: SignedIn) => Promise<SignedIn>>> = {
  'no cookie': async (_, good) => ({ ...good, cookie: '' }),
  'a forged cookie': async (_, { cookie, pageToken }) => ({
    cookie: `${cookie.split('=')[0]}=${Buffer.alloc(200, 7).toString('base64url')}`,
    pageToken,
  }),
  'the Kubernetes token itself as a cookie': async (_, { cookie, pageToken }) => ({
    cookie: `${cookie.split('=')[0]}=${people.tokenOf('full')}`,
    pageToken,
  }),
  'a cookie with one bit turned': async (_, { cookie, pageToken }) => {
    const [name = '', value = ''] = cookie.split('=');
    const bytes = Buffer.from(value, 'base64url');
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    return { cookie: `${name}=${bytes.toString('base64url')}`, pageToken };
  },
  'a cookie that was cut': async (_, { cookie, pageToken }) => ({ cookie: cookie.slice(0, -1), pageToken }),
  'the cookie of another server, or of this one before it was started again': async (_, good) => {
    const other = await start();
    return { ...good, cookie: (await signIn(other, people.tokenOf('full'))).cookie };
  },
  'a cookie after signing out': async (dashboard, good) => {
    expect((await send(dashboard, { method: 'POST', path: '/sign-out' }, good)).status).toBe(204);
    return good;
  },
  'a cookie that has expired': async (dashboard, good) => {
    await dashboard.clock.advance(LIFETIME_MS);
    return good;
  },
};

describe.each(Object.keys(INTRUDERS))('%s', (name) => {
  test('is refused by every route and stream', async () => {
    const dashboard = await start();
    const good = await signIn(dashboard, people.tokenOf('full'));
    expect((await send(dashboard, { method: 'GET', path: '/info' }, good)).status).toBe(200);
    const intruder = (await INTRUDERS[name]?.(dashboard, good)) ?? good;
    const seen = people.cluster.requests.length;
    for (const [operation, request] of [
      ...Object.entries(goodRequests('full', good.pageToken)),
      ['waiting', WAITING] as const,
    ]) {
      const answer = await send(dashboard, request, intruder);
      expect([operation, answer.status, await codeOf(answer)]).toEqual([operation, 401, 'not-signed-in']);
    }
    expect(dashboard.streams.count).toBe(0);
    expect(people.cluster.requests.length).toBe(seen);
  });
});

test('the page token of one person is no good with the cookie of another', async () => {
  const dashboard = await start();
  const [ann, bob] = [
    await signIn(dashboard, people.tokenOf('full')),
    await signIn(dashboard, people.tokenOf('no-watch')),
  ];
  const mixed = { cookie: ann.cookie, pageToken: bob.pageToken };
  for (const [name, request] of Object.entries(goodRequests('full', bob.pageToken))) {
    const answer = await send(dashboard, request, mixed);
    expect([name, answer.status, await codeOf(answer)]).toEqual([name, 401, 'not-signed-in']);
  }
});

test('two people at once see what each may, and nothing else', async () => {
  const dashboard = await start();
  const signedIn = {
    full: await signIn(dashboard, people.tokenOf('full')),
    nobody: await signIn(dashboard, people.tokenOf('nobody')),
  };
  const ask = async (user: keyof typeof signedIn) => {
    const { pageToken } = signedIn[user];
    const good: Readonly<Record<string, GoodRequest>> = goodRequests('full', pageToken);
    const get = async (name: string) => send(dashboard, good[name] ?? WAITING, signedIn[user]);
    const workloads = new Frames<WorkloadFrame>(await get('GET /contexts/{context}/workloads'));
    await workloads.until('synced');
    const rows = workloads.seen.flatMap((frame) => ('workloads' in frame ? frame.workloads : []));
    await workloads.close();
    const logs = new Frames<LogFrame>(await get('POST /contexts/{context}/logs'));
    const first = await logs.until(user === 'full' ? 'records' : 'notice');
    await logs.close();
    const download = await get('GET /contexts/{context}/logs/download');
    return {
      namespaces: await (await get('GET /contexts/{context}/namespaces')).json(),
      access: await (await get('POST /contexts/{context}/access')).json(),
      download: [download.status, await download.text()] as const,
      info: await (await get('GET /info')).json(),
      rows: rows.map(({ name }) => name),
      first,
    };
  };
  const [full, nobody] = await Promise.all([ask('full'), ask('nobody')]);
  expect([full.info, nobody.info]).toMatchObject([{ user: 'full' }, { user: 'nobody' }]);
  expect(full.rows).toEqual(expect.arrayContaining(['web', 'db', 'elsewhere']));
  expect(nobody.rows).toEqual([]);
  expect(full.download).toEqual([200, expect.stringContaining('web line')]);
  expect(nobody.download[1]).not.toContain('web line');
  expect(JSON.stringify(nobody)).not.toMatch(/web line|elsewhere/);
  expect(full.access).toEqual({ missing: [] });
  expect((nobody.access as { missing: object[] }).missing.length).toBeGreaterThan(0);
  expect(nobody.namespaces).toMatchObject({ namespaces: [{ denied: { code: 'forbidden' } }] });
});

test('a stream ends as its session does, and says why', async () => {
  const dashboard = await start();
  const open = async (who: SignedIn) => {
    const good: Readonly<Record<string, GoodRequest>> = goodRequests('full', who.pageToken);
    const frames = ['GET /contexts/{context}/workloads', 'POST /contexts/{context}/logs'].map(
      async (name) => {
        const stream = new Frames<LogFrame | WorkloadFrame>(
          await send(dashboard, good[name] ?? WAITING, who),
        );
        await stream.next();
        return stream;
      },
    );
    return Promise.all(frames);
  };
  const reasons = async (streams: readonly Frames<LogFrame | WorkloadFrame>[]) =>
    Promise.all(streams.map(async (stream) => (await stream.rest()).at(-1)));

  const bob = await open(await signIn(dashboard, people.tokenOf('no-watch')));
  const ann = await signIn(dashboard, people.tokenOf('full'));
  const out = await open(ann);
  await send(dashboard, { method: 'POST', path: '/sign-out' }, ann);
  expect(await reasons(out)).toEqual([1, 2].map(() => ({ type: 'closing', reason: 'signed-out' })));
  expect(dashboard.streams.count).toBe(2);
  const expired = reasons(bob);
  await dashboard.clock.advance(LIFETIME_MS);
  expect(await expired).toEqual([1, 2].map(() => ({ type: 'closing', reason: 'expired' })));
  expect(dashboard.streams.count).toBe(0);
  // Nothing continues in the name of a person who disconnected.
  await handlesSettled();
  expect(await people.cluster.control.dropWatches()).toEqual({ dropped: 0 });
});

describe('a token that is revoked', () => {
  const user = 'no-nodes';
  const renew = () => people.renewToken(user);

  test('ends the session and its streams with the first request that the cluster refuses', async () => {
    const dashboard = await start();
    const who = await signIn(dashboard, people.tokenOf(user));
    const good = goodRequests('full', who.pageToken);
    const waiting = send(dashboard, WAITING, who);
    while (dashboard.streams.count === 0) await new Promise((resolve) => setImmediate(resolve));
    await renew();
    const answer = await send(dashboard, { method: 'GET', path: '/contexts/full/namespaces' }, who);
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'token-revoked']);
    await waiting;
    expect(dashboard.streams.count).toBe(0);
    for (const request of Object.values(good)) expect((await send(dashboard, request, who)).status).toBe(401);
    expect(await codeOf(await postSignIn(dashboard, 'no-longer-known'))).toBe('wrong-token');
  });

  test('ends streams that ask for nothing more, within a minute', async () => {
    const dashboard = await start();
    const who = await signIn(dashboard, people.tokenOf(user));
    const { 'POST /contexts/{context}/logs': request = WAITING } = goodRequests('full', who.pageToken);
    const logs = new Frames<LogFrame>(await send(dashboard, request, who));
    await logs.until('records');
    const rest = logs.rest();
    await dashboard.clock.advance(CHECK_EVERY_MS);
    await renew();
    await dashboard.clock.advance(CHECK_EVERY_MS);
    expect((await rest).at(-1)).toEqual({ type: 'closing', reason: 'revoked' });
    expect(dashboard.streams.count).toBe(0);
  });

  test('is distinguished from a cluster that is gone for a while', async () => {
    const dashboard = await start();
    const who = await signIn(dashboard, people.tokenOf(user));
    people.cluster.inject({ kind: 'status', status: 401, match: '/api/v1/namespaces', times: 2 });
    const answer = await send(dashboard, { method: 'GET', path: '/contexts/full/namespaces' }, who);
    people.cluster.clearFaults();
    // Something else answered 401: the cluster still knows the token.
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'unauthorized']);
    expect((await send(dashboard, { method: 'GET', path: '/contexts/full/namespaces' }, who)).status).toBe(
      200,
    );
  });
});

test('a form of another site signs nobody in', async () => {
  const dashboard = await start();
  const body = `{"token":"${people.tokenOf('full')}","x":"="}`;
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''];
  for (const type of types) {
    for (const headers of [
      { origin: 'https://attacker.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
      {},
    ]) {
      const answer = await dashboard.ask('/api/v1/sign-in', {
        method: 'POST',
        body,
        headers: { 'content-type': type, ...headers } as Record<string, string>,
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect([400, 403]).toContain(answer.status);
    }
  }
  expect((await dashboard.ask(`/?token=${people.tokenOf('full')}`)).headers.getSetCookie()).toEqual([]);
});

test('a form of another site cannot act in the name of a signed-in person', async () => {
  const dashboard = await start();
  const who = await signIn(dashboard, people.tokenOf('full'));
  for (const [name, request] of Object.entries(goodRequests('full', who.pageToken))) {
    for (const headers of [
      { origin: 'https://attacker.example' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ]) {
      const answer = await send(dashboard, request, who, headers as Record<string, string>);
      expect([name, answer.status, await codeOf(answer)]).toEqual([name, 403, 'foreign-origin']);
    }
  }
});

test('namespaces that are not allowed stay closed to people who may read them', async () => {
  const dashboard = await start({ allowedNamespaces: ['shop'] });
  const who = await signIn(dashboard, people.tokenOf('full'));
  const seen = people.cluster.requests.length;
  const answer = await send(
    dashboard,
    {
      method: 'POST',
      path: '/contexts/full/logs',
      body: { queries: [{ id: 1, sources: ['other:pods/elsewhere'], selection: { kind: 'all' } }] },
    },
    who,
  );
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'namespace-not-allowed']);
  const list = await send(dashboard, { method: 'GET', path: '/contexts/full/namespaces' }, who);
  expect(await list.json()).toEqual({ namespaces: [{ name: 'shop' }] });
  expect(people.cluster.requests.slice(seen).filter((line) => line.includes('/namespaces/other'))).toEqual(
    [],
  );
});

test("signing in with only another person's cookie ends nothing", async () => {
  const dashboard = await start();
  const first = await signIn(dashboard, people.tokenOf('full'));
  await signIn(dashboard, people.tokenOf('no-watch'), { cookie: first.cookie });
  expect((await send(dashboard, { method: 'GET', path: '/info' }, first)).status).toBe(200);
});

test('signing in again in another tab continues the same session', async () => {
  const dashboard = await start();
  const first = await signIn(dashboard, people.tokenOf('full'));
  const again = await signIn(dashboard, people.tokenOf('full'), { cookie: first.cookie });
  expect(again.pageToken).toBe(first.pageToken);
  const other = await signIn(dashboard, people.tokenOf('no-watch'), headersOf(first));
  expect(other.pageToken).not.toBe(first.pageToken);
  expect((await send(dashboard, { method: 'GET', path: '/info' }, first)).status).toBe(401);
  const { contexts } = (await (
    await send(dashboard, { method: 'GET', path: '/contexts' }, other)
  ).json()) as ContextList;
  expect(contexts.length).toBeGreaterThan(0);
});
