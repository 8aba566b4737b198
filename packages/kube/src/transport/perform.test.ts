import { expect, test } from 'vitest';
import { sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { passTime, startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';

const WEB = { namespace: 'shop', name: 'web' };
const POD = { metadata: { ...WEB, uid: 'u', resourceVersion: '7' } };

test.each([500, 502, 503, 504])(
  'a get that is answered %i is repeated with growing waits',
  async (status) => {
    const times: number[] = [];
    const { client, clock, server } = await startClient((_, response) => {
      times.push(clock.now());
      if (times.length < 4) sendStatus(response, status, { message: 'etcd has no leader' });
      else sendJson(response, 200, POD);
    });
    await passTime(clock, client.get(PODS, WEB), 50);
    const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(waits).toEqual([250, 500, 1000]);
    expect(server.requests.length).toBe(4);
  },
);

test('a failure that stays is thrown after five tries, with the words of the server', async () => {
  const { client, clock, server } = await startClient((_, response) =>
    sendStatus(response, 503, { reason: 'ServiceUnavailable', message: 'apiserver is shutting down' }),
  );
  await expect(passTime(clock, client.get(PODS, WEB))).rejects.toMatchObject({
    kind: 'server',
    status: 503,
    reason: 'ServiceUnavailable',
    message: 'apiserver is shutting down',
    request: { verb: 'get', resource: 'pods', ...WEB },
  });
  expect(server.requests.length).toBe(5);
});

test.each([
  ['seconds', () => '3'],
  ['a date', (nowMs: number) => new Date(nowMs + 3000).toUTCString()],
])('Retry-After in %s is kept', async (_, header) => {
  const times: number[] = [];
  const { client, clock } = await startClient((_, response) => {
    times.push(clock.now());
    if (times.length > 1) return sendJson(response, 200, POD);
    sendStatus(response, 429, { reason: 'TooManyRequests' }, { 'retry-after': header(clock.now()) });
  });
  await passTime(clock, client.get(PODS, WEB), 50);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(3000);
});

test('a server that asks for a long wait is not waited for', async () => {
  const { client, server } = await startClient((_, response) =>
    sendStatus(response, 429, { message: 'slow down' }, { 'retry-after': '3600' }),
  );
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'too-many-requests',
    retryAfterMs: 3_600_000,
  });
  expect(server.requests.length).toBe(1);
});

test.each([400, 403, 404, 409, 410, 422, 501])('%i is final', async (status) => {
  const { client, server } = await startClient((_, response) => sendStatus(response, status));
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ status });
  expect(server.requests.length).toBe(1);
});

test('a write is not repeated after a failure, since it may have happened', async () => {
  const { client, server } = await startClient((_, response) => sendStatus(response, 500));
  await expect(client.create(PODS, 'shop', POD)).rejects.toMatchObject({ kind: 'server' });
  expect(server.requests.length).toBe(1);
  server.handle((_, response) => response.socket?.destroy());
  await expect(client.delete(PODS, WEB)).rejects.toMatchObject({ kind: 'connection' });
  expect(server.requests.length).toBe(2);
});

test('a write that the server refused as too many is repeated', async () => {
  const { client, clock, server } = await startClient((_, response) =>
    server.requests.length < 2 ? sendStatus(response, 429) : sendJson(response, 201, POD),
  );
  await passTime(clock, client.create(PODS, 'shop', POD));
  expect(server.requests).toEqual(Array(2).fill('POST /api/v1/namespaces/shop/pods'));
});

test('an answer that is cut at any byte is asked for again', async () => {
  const text = JSON.stringify(POD);
  const { client, clock, server } = await startClient(() => {});
  for (let cut = 0; cut < text.length; cut += 7) {
    const before = server.requests.length;
    server.handle((_, response) => {
      if (server.requests.length > before + 1) return sendJson(response, 200, POD);
      response.writeHead(200, { 'content-length': text.length, 'content-type': 'application/json' });
      response.write(text.slice(0, cut), () => response.socket?.destroy());
      if (cut === 0) response.flushHeaders();
    });
    const object = await passTime(clock, client.get(PODS, WEB));
    expect(object.metadata.name, `cut at byte ${cut}`).toBe('web');
  }
});

test('a kept socket that the server has closed meanwhile is replaced without a failure', async () => {
  const { client, server } = await startClient((request, response) => {
    // Answers only the first request of each connection, like a server that restarts between two requests.
    if (seen.has(request.socket)) request.socket.destroy();
    else sendJson(response, 200, POD);
    seen.add(request.socket);
  });
  const seen = new Set<unknown>();
  for (let i = 0; i < 3; i++) await client.get(PODS, WEB);
  expect(server.connections).toBe(3);
});

test('an answer that never begins is given up', async () => {
  const { client } = await startClient(() => {}, { answerTimeoutMs: 30 });
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'connection', code: 'ERR_NO_ANSWER' });
});

test('an answer that stops in the middle is given up', async () => {
  const { client } = await startClient(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"metadata":');
    },
    { answerTimeoutMs: 30 },
  );
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'connection', code: 'ERR_NO_ANSWER' });
});

test('an abort ends the wait between two tries', async () => {
  const controller = new AbortController();
  const { client, clock } = await startClient((_, response) => sendStatus(response, 503));
  const asking = client.get(PODS, WEB, { signal: controller.signal });
  asking.catch(() => {});
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(asking).rejects.toBe(reason);
  expect(clock.pending).toBe(0);
});
