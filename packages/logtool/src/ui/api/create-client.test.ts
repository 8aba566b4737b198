import { expect, test } from 'vitest';
import { ApiError } from '../../contract/client.ts';
import { createClient } from './create-client.ts';
import { Session } from './session.ts';

interface Call {
  readonly url: string;
  readonly method: string | undefined;
  readonly token: string | null;
  readonly body: unknown;
}

/** Makes a client whose server is a function. */
function clientOf(answer: (call: Call) => Response | Promise<Response>, basePath = '') {
  const calls: Call[] = [];
  const send: typeof fetch = async (url, init) => {
    init?.signal?.throwIfAborted();
    const headers = new Headers(init?.headers);
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { url: String(url), method: init?.method, token: headers.get('x-logtool-token'), body };
    calls.push(call);
    return answer(call);
  };
  const session = new Session({ basePath, token: 'old', fetch: send });
  const renew = (used: string) => session.renew(used);
  return { api: createClient({ basePath, token: () => session.token, renew, fetch: send }), session, calls };
}

const refuse = (status: number, error: object) => Response.json({ error }, { status });
const expired = () => refuse(403, { code: 'page-token', data: {} });

test('parameters, query and body go where the route has them, escaped', async () => {
  const { api, calls } = clientOf(() => Response.json({ missing: [] }), '/logs');
  await api.ask('POST /contexts/{context}/access', {
    params: { context: 'a/b c' },
    body: { sources: ['web'] },
  });
  expect(calls[0]).toEqual({
    url: '/logs/api/v1/contexts/a%2Fb%20c/access',
    method: 'POST',
    token: 'old',
    body: { sources: ['web'] },
  });
  expect(api.url('GET /contexts', { query: { check: 'a&b' } })).toBe('/logs/api/v1/contexts?check=a%26b');
});

test('requests a refused page token again once, and resends the request', async () => {
  const { api, calls, session } = clientOf(({ url, token }) => {
    if (url.endsWith('/token')) return Response.json({ token: 'new' });
    return token === 'new' ? Response.json({ version: '1' }) : expired();
  });
  expect(await api.ask('GET /info', {})).toEqual({ version: '1' });
  expect(calls.map(({ url, token }) => [url, token])).toEqual([
    ['/api/v1/info', 'old'],
    ['/api/v1/token', 'old'],
    ['/api/v1/info', 'new'],
  ]);
  expect(session.token).toBe('new');
});

test('requests that are refused together ask for one token', async () => {
  const { api, calls } = clientOf(({ url, token }) => {
    if (url.endsWith('/token')) return Response.json({ token: 'new' });
    return token === 'new' ? Response.json({}) : expired();
  });
  await Promise.all([api.ask('GET /info', {}), api.ask('GET /contexts', {}), api.ask('GET /info', {})]);
  expect(calls.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1);
});

test('a server that keeps refusing is not asked again and again', async () => {
  const { api, calls } = clientOf(({ url }) =>
    url.endsWith('/token') ? Response.json({ token: 'new' }) : expired(),
  );
  await expect(api.ask('GET /info', {})).rejects.toMatchObject({
    status: 403,
    error: { code: 'page-token' },
  });
  expect(calls).toHaveLength(3);
});

test('a right that the cluster refuses has nothing to do with the token', async () => {
  const denied = { verb: 'list', resource: 'pods', check: 'kubectl auth can-i list pods' };
  const { api, calls } = clientOf(() => refuse(403, { code: 'forbidden', data: {}, denied }));
  await expect(
    api.ask('GET /contexts/{context}/namespaces', { params: { context: 'a' } }),
  ).rejects.toMatchObject({
    error: { denied },
  });
  expect(calls).toHaveLength(1);
});

test('reports a session that has ended', async () => {
  const { api, session } = clientOf(() => refuse(401, { code: 'sign-in-required', data: {} }));
  let reported = 0;
  session.subscribe(() => reported++);
  await expect(api.ask('GET /info', {})).rejects.toBeInstanceOf(ApiError);
  expect(session.state).toMatchObject({ state: 'ended', error: { status: 401 } });
  expect(reported).toBe(1);
  session.accept('fresh');
  expect(session.state).toEqual({ state: 'good' });
});

test('words an unreachable server, and answers that are not ours', async () => {
  const gone = clientOf(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(gone.api.ask('GET /info', {})).rejects.toMatchObject({
    status: 0,
    error: { code: 'server-unreachable' },
  });
  const proxy = clientOf(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
  await expect(proxy.api.ask('GET /info', {})).rejects.toMatchObject({
    status: 502,
    error: { code: 'http-refusal', data: { status: 502, statusText: 'Bad Gateway' } },
  });
  const odd = clientOf(() => new Response('{', { headers: { 'content-type': 'application/json' } }));
  await expect(odd.api.ask('GET /info', {})).rejects.toMatchObject({
    status: 0,
    error: { code: 'bad-answer' },
  });
});

test('a signal ends a request with its own reason', async () => {
  const { api } = clientOf(() => Response.json({}));
  await expect(api.ask('GET /info', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
});

test('a stream that breaks is an error, one that ends is none', async () => {
  const frame = new TextEncoder().encode('{"type":"synced"}\n');
  const args = { params: { context: 'a' }, signal: new AbortController().signal };
  const read = async (body: ReadableStream) => {
    const got: unknown[] = [];
    for await (const frames of clientOf(() => new Response(body)).api.stream(
      'GET /contexts/{context}/workloads',
      args,
    ))
      got.push(...frames);
    return got;
  };
  const whole = new ReadableStream({
    start(controller) {
      controller.enqueue(frame);
      controller.close();
    },
  });
  expect(await read(whole)).toEqual([{ type: 'synced' }]);
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('network error'));
    },
  });
  await expect(read(broken)).rejects.toMatchObject({
    status: 0,
    error: { data: { cause: 'network error' } },
  });
});
