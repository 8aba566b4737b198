import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, onTestFinished, test } from 'vitest';
import { onPage } from '../../../../../test/support/on-page.ts';
import {
  cookieOf,
  headersOf,
  postSignIn,
  send,
  signIn,
} from '../../../../../test/support/server/signed-in.ts';
import { codeOf, startDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import {
  type Handler,
  sendJson,
  startScriptedServer,
} from '../../../../../test/support/tls-server/scripted-server.ts';
import { ErrorBody } from '../../contract/error.ts';
import { kubernetesSessions, LIFETIME_MS, REFUSED_MS, SharedQuestion } from './kubernetes-sessions.ts';
import { MAX_SESSIONS_OF_ONE } from './session-registry.ts';

const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const status = (code: number, message = '') => ({ kind: 'Status', code, message });

/** An API server that knows `ann-token` and `bob-token`. */
const knowsTwo: Handler = (request, response) => {
  const user = /^Bearer (ann|bob)-token$/.exec(request.headers.authorization ?? '')?.[1];
  if (user === undefined) sendJson(response, 401, status(401, 'Unauthorized'));
  else if (request.url === SELF) sendJson(response, 201, { status: { userInfo: { username: user } } });
  else sendJson(response, 200, { metadata: { resourceVersion: '1' }, items: [] });
};

async function clusterOf(handler: Handler, name = 'here') {
  const server = await startScriptedServer(handler);
  onTestFinished(() => server.close());
  const context = { name, server: server.url.href, token: 'own-account', ca: server.certificate.cert };
  return { server, context };
}

async function start(handler: Handler = knowsTwo) {
  const { server, context } = await clusterOf(handler);
  return { server, dashboard: await startDashboard({ auth: 'kubernetes', contexts: [context] }) };
}

const INFO = { method: 'GET', path: '/info' } as const;
const NAMESPACES = { method: 'GET', path: '/contexts/here/namespaces' } as const;
const proxied = (token: string) => ({ authorization: `Bearer ${token}` });
const noCookie = { cookie: '', pageToken: '' };

test('the cookie is encrypted, bound to this browser, and ends with the session', async () => {
  const { dashboard } = await start();
  const lines = (await postSignIn(dashboard, ' ann-token\n')).headers.getSetCookie();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^logtool-session-7500=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const value = /=([\w-]+);/.exec(lines[0] ?? '')?.[1] ?? '';
  expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain('ann');
  const again = (await postSignIn(dashboard, 'ann-token')).headers.getSetCookie();
  expect(again[0]).not.toBe(lines[0]);
  const tls = await postSignIn(dashboard, 'ann-token', { 'x-forwarded-proto': 'https' });
  expect(tls.headers.getSetCookie()[0]).toMatch(/^__Host-logtool-session-7500=.*; Path=\/; .*; Secure$/);
});

test('a token too long for one cookie is kept in several, which go when it is replaced', async () => {
  const long = `ey.${'x'.repeat(12_000)}.z`;
  const { dashboard, server } = await start((request, response) =>
    sendJson(response, 201, {
      status: { userInfo: { username: request.headers.authorization?.slice(7, 20) } },
    }),
  );
  const who = await signIn(dashboard, long);
  expect(who.cookie.split('; ').map((pair) => pair.split('=')[0])).toEqual(
    ['', '.1', '.2', '.3', '.4'].map((suffix) => `logtool-session-7500${suffix}`),
  );
  for (const pair of who.cookie.split('; ')) expect(pair.length).toBeLessThan(4_000);
  expect((await send(dashboard, INFO, who)).status).toBe(200);
  const { cookie } = who;
  expect(
    (await send(dashboard, INFO, { ...who, cookie: cookie.split('; ').slice(1).join('; ') })).status,
  ).toBe(401);
  const short = await postSignIn(dashboard, 'short', { cookie });
  expect(short.headers.getSetCookie().filter((line) => line.includes('Max-Age=0'))).toHaveLength(4);
  expect(server.headers.map(({ authorization }) => authorization)).toContain(`Bearer ${long}`);
});

test.each(['', ' ', 'a b', 'two\nlines', 'ü', '"quoted"', 'x'.repeat(20_000)])(
  'shows an invalid token to no cluster: %j',
  async (token) => {
    const { dashboard, server } = await start();
    const expected = token.length > 17_000 ? [413] : [400, 401];
    expect(expected).toContain((await postSignIn(dashboard, token)).status);
    expect(server.requests).toEqual([]);
  },
);

test('a token that the cluster does not know is refused in words', async () => {
  const { dashboard } = await start();
  const answer = await postSignIn(dashboard, 'unknown');
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  const { error } = ErrorBody.parse(await answer.json());
  expect(onPage(error)).toMatchObject({
    code: 'wrong-token',
    what: 'the cluster does not accept this token',
    next: expect.any(String),
  });
});

test('reports a cluster that does not answer, and does not blame the token', async () => {
  const dashboard = await startDashboard({ auth: 'kubernetes' });
  const answer = await postSignIn(dashboard, 'ann-token');
  expect(answer.status).toBe(502);
  const { error } = ErrorBody.parse(await answer.json());
  expect(onPage(error).why).toContain('refused');
});

test.each([
  ['a cluster without the review of oneself', 404, 'pods is fine', 200],
  ['one that forbids it', 403, 'User "ann" cannot create', 200],
])('%s takes a token all the same', async (_, code, message, expected) => {
  const { dashboard } = await start((request, response) =>
    request.url === SELF
      ? sendJson(response, code, status(code, message))
      : sendJson(response, 201, { status: { allowed: false } }),
  );
  expect((await postSignIn(dashboard, 'ann-token')).status).toBe(expected);
});

test.each([
  ['names nobody', 201, { status: { userInfo: { username: 'system:anonymous' } } }],
  ['does not review oneself and knows nobody', 404, status(404)],
])('a cluster that %s has recognized nobody', async (_, code, body) => {
  const { dashboard } = await start((request, response) =>
    request.url === SELF
      ? sendJson(response, code, body)
      : sendJson(
          response,
          403,
          status(403, 'selfsubjectaccessreviews is forbidden: User "system:anonymous" cannot'),
        ),
  );
  const answer = await postSignIn(dashboard, 'ann-token');
  expect([answer.status, await codeOf(answer)]).toEqual([401, 'wrong-token']);
});

test('the account of the server itself is never used', async () => {
  const { dashboard, server } = await start();
  const who = await signIn(dashboard, 'ann-token');
  for (const path of ['/contexts', '/contexts?check=here', '/contexts/here/namespaces'])
    await (await send(dashboard, { method: 'GET', path }, who)).text();
  await dashboard.ask('/');
  expect(new Set(server.headers.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer ann-token']),
  );
});

test('a token is sent to the cluster that knows it and to no other of the kubeconfig', async () => {
  const [home, foreign] = [await clusterOf(knowsTwo), await clusterOf(knowsTwo, 'foreign')];
  const dashboard = await startDashboard({ auth: 'kubernetes', contexts: [home.context, foreign.context] });
  const who = await signIn(dashboard, 'ann-token');
  const list = (await (
    await send(dashboard, { method: 'GET', path: '/contexts?check=foreign' }, who)
  ).json()) as {
    contexts: { name: string }[];
  };
  expect(list.contexts.map(({ name }) => name)).toEqual(['here']);
  const answer = await send(dashboard, { method: 'GET', path: '/contexts/foreign/namespaces' }, who);
  expect([answer.status, await codeOf(answer)]).toEqual([404, 'context-not-found']);
  expect(foreign.server.connections).toBe(0);
});

test('an authenticating proxy passes tokens on: each is a session of its own', async () => {
  const { dashboard, server } = await start();
  const answers = await Promise.all(
    ['ann-token', 'ann-token', 'bob-token', 'unknown'].map((token) =>
      send(dashboard, INFO, noCookie, proxied(token)),
    ),
  );
  expect(answers.map(({ status: code }) => code)).toEqual([200, 200, 200, 401]);
  expect(await answers[2]?.json()).toMatchObject({ user: 'bob' });
  expect(server.requests).toHaveLength(3);
  expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
});

test('what a proxy passes on goes before a cookie, and a refused one does not fall back on it', async () => {
  const { dashboard } = await start();
  const ann = await signIn(dashboard, 'ann-token');
  expect(await (await send(dashboard, INFO, ann, proxied('bob-token'))).json()).toMatchObject({
    user: 'bob',
  });
  expect((await send(dashboard, INFO, ann, proxied('unknown'))).status).toBe(401);
  expect(await (await send(dashboard, INFO, ann, { authorization: 'Basic eDp5' })).json()).toMatchObject({
    user: 'ann',
  });
});

test('signing out ends what a proxy passes on as well', async () => {
  const { dashboard } = await start();
  const token = await dashboard.pageToken(proxied('ann-token'));
  const page = { cookie: '', pageToken: token };
  expect(
    (await send(dashboard, { method: 'POST', path: '/sign-out' }, page, proxied('ann-token'))).status,
  ).toBe(204);
  expect((await send(dashboard, INFO, page, proxied('ann-token'))).status).toBe(401);
  expect((await send(dashboard, INFO, page, proxied('bob-token'))).status).toBe(200);
});

test('a token that the cluster does not know is not asked about again and again', async () => {
  const { dashboard, server } = await start();
  for (let i = 0; i < 5; i++) await send(dashboard, INFO, noCookie, proxied('unknown'));
  expect(server.requests).toHaveLength(1);
  await dashboard.clock.advance(REFUSED_MS);
  await send(dashboard, INFO, noCookie, proxied('unknown'));
  expect(server.requests).toHaveLength(2);
});

test('without sign-in, and with the token of the address, no proxy signs anybody in', async () => {
  const { context, server } = await clusterOf(knowsTwo);
  const dashboard = await startDashboard({ auth: 'token', contexts: [context] });
  expect((await send(dashboard, INFO, noCookie, proxied('ann-token'))).status).toBe(401);
  expect(server.requests).toEqual([]);
});

test('the page is given out though the cluster cannot say whose it is; it says so when asked', async () => {
  const dashboard = await startDashboard({ auth: 'kubernetes' });
  expect(await codeOf(await dashboard.ask('/', { headers: proxied('ann-token') }))).toBe('page-not-built');
  expect((await send(dashboard, NAMESPACES, noCookie, proxied('ann-token'))).status).toBe(502);
});

function jwt(claims: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.signature`;
}

test.each([
  ['an hour', 3_600, 3_600],
  ['a week', 604_800, LIFETIME_MS / 1_000],
  ['a moment ago', -5, 60],
])('a session lasts no longer than its token says: %s', async (_, inSeconds, expected) => {
  const clock = new FakeClock();
  const ended: string[] = [];
  const layer = kubernetesSessions({
    clock,
    basePath: '',
    check: async () => ({ user: 'ann', server: 'https://x' }),
    onEnd: (_session, reason) => void ended.push(reason),
  });
  const token = jwt({ exp: Math.floor(clock.now() / 1_000) + inSeconds });
  const { session, cookies } = await layer.signIn(token, new Request('http://localhost:7500/'));
  expect(session.expiresAtMs).toBe(clock.now() + expected * 1_000);
  const cookie = cookieOf(new Response(null, { headers: cookies.map((line) => ['set-cookie', line]) }));
  const headers = headersOf({ cookie, pageToken: session.pageToken });
  const request = new Request('http://localhost:7500/', { headers });
  expect((await layer.find(request))?.bearer).toBe(token);
  await clock.advance(expected * 1_000);
  expect([await layer.find(request), ended, clock.pending]).toEqual([undefined, ['expired'], 0]);
});

test('one person cannot put out others, nor fill the memory', async () => {
  const clock = new FakeClock();
  const ended: string[] = [];
  const layer = kubernetesSessions({
    clock,
    basePath: '',
    check: async (token) => ({ user: token, server: 'https://x' }),
    onEnd: ({ id }) => void ended.push(id),
  });
  const enter = (user: string) => layer.signIn(user, new Request('http://localhost:7500/'));
  await enter('bob');
  const { session: first } = await enter('ann');
  for (let i = 0; i < MAX_SESSIONS_OF_ONE; i++) await enter('ann');
  expect(ended).toEqual([first.id]);
  layer.close();
  expect(clock.pending).toBe(0);
});

test('a cluster that cannot be asked has taken no token back', async () => {
  let failure: CodedError | undefined;
  const layer = kubernetesSessions({
    clock: new FakeClock(),
    basePath: '',
    check: async () => {
      if (failure !== undefined) throw failure;
      return { user: 'ann', server: 'https://x' };
    },
    onEnd: () => {},
  });
  const { session } = await layer.signIn('ann', new Request('http://localhost:7500/'));
  failure = new CodedError('unreachable', {});
  expect(await layer.stillGood(session)).toBe(true);
  failure = new CodedError('wrong-token', {});
  expect(await layer.stillGood(session)).toBe(false);
});

test('a token of a proxy is not checked after its last request has gone', async () => {
  const asked: (AbortSignal | undefined)[] = [];
  const layer = kubernetesSessions({
    clock: new FakeClock(),
    basePath: '',
    check: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        asked.push(signal);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    onEnd: () => {},
  });
  const find = () => {
    const gone = new AbortController();
    const init = { headers: proxied('ann-token'), signal: gone.signal };
    const found = layer.find(new Request('http://localhost:7500/', init));
    found.catch(() => undefined);
    return { gone, found };
  };
  const [first, second] = [find(), find()];
  expect(asked).toHaveLength(1);
  first.gone.abort(new Error('gone'));
  expect(asked[0]?.aborted).toBe(false);
  second.gone.abort(new Error('gone'));
  expect(asked[0]?.aborted).toBe(true);
  await expect(second.found).rejects.toThrow('gone');
  find();
  expect(asked.map((signal) => signal?.aborted)).toEqual([true, false]);
});

function ask() {
  const over: string[] = [];
  const question = new SharedQuestion<string>(
    (gone) => new Promise((_, reject) => gone.addEventListener('abort', () => reject(gone.reason))),
    () => over.push('over'),
  );
  return { question, over };
}

test('a question continues until the last request that waits for it has gone', async () => {
  const { question, over } = ask();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [question.join(first.signal), question.join(second.signal)];
  first.abort(new Error('first is gone'));
  expect(over).toEqual([]);
  second.abort(new Error('second is gone'));
  expect(over).toEqual(['over']);
  for (const answer of answers) await expect(answer).rejects.toThrow('second is gone');
});

test('a request that is gone before it asks keeps no question', async () => {
  const { question, over } = ask();
  await expect(question.join(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(over.length).toBeGreaterThan(0);
});

test('all who wait get the one answer', async () => {
  const question = new SharedQuestion(
    async () => 'ann',
    () => undefined,
  );
  const { signal } = new AbortController();
  expect(await Promise.all([question.join(signal), question.join(signal)])).toEqual(['ann', 'ann']);
});
