import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { Agent, get } from 'node:https';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { streamOf } from '../../../../test/support/connection/http2-server.ts';
import { SOME, sayHello, startLogServer, textOf } from '../../../../test/support/connection/log-server.ts';
import { startConnectProxy } from '../../../../test/support/connection/proxy-servers.ts';
import { startRelay } from '../../../../test/support/connection/relay.ts';
import type { ClusterConnection } from '../connection/cluster-connection.ts';

test('few logs have a connection each, and many share one', async () => {
  const { server, logs } = await startLogServer(sayHello);
  for (const log of await logs(SOME, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(0);
  for (const log of await logs(60, 'api')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(1);
  expect(server.requests.filter((line) => line.startsWith('2.0'))).toHaveLength(60 - SOME);
});

test('a server without HTTP/2 is asked for it once, and then read as usual', async () => {
  const { server, logs, connection } = await startLogServer(sayHello, {
    change: (whole) => ({ ...whole, connect: (_alpn, signal) => offered(whole, signal) }),
  });
  let asked = 0;
  function offered(whole: ClusterConnection, signal: AbortSignal | undefined) {
    asked++;
    return whole.connect(['http/1.1'], signal);
  }
  for (let round = 0; round < 2; round++)
    for (const log of await logs(20, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(connection.http2).toBe(true);
  expect(asked).toBe(1);
  expect(server.requests.every((line) => line.startsWith('1.1'))).toBe(true);
});

test('DISABLE_HTTP2 switches it off', async () => {
  const { server, logs } = await startLogServer(sayHello, { env: { DISABLE_HTTP2: 'true' } });
  for (const log of await logs(20, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(0);
});

test('a server that agrees to HTTP/2 and breaks off before a word of it is read over HTTP/1.1', async () => {
  const { server, log, busy } = await startLogServer(sayHello);
  await busy();
  server.server.prependListener('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') socket.destroy();
  });
  for (let tries = 0; tries < 2; tries++)
    await expect(log(`web-${tries}`)).rejects.toMatchObject({ kind: 'connection' });
  expect(await textOf(await log('web-2'))).toBe('hello\n');
});

test('a server that says goodbye to every connection before it answers is read over HTTP/1.1', async () => {
  const { server, log, busy } = await startLogServer(sayHello);
  await busy();
  server.server.prependListener('session', (session) => session.destroy());
  expect(await textOf(await log('web'))).toBe('hello\n');
  const tried = server.sessions.length;
  expect(await textOf(await log('api'))).toBe('hello\n');
  expect(server.sessions).toHaveLength(tried);
});

test('a request that may not go over HTTP/2 is sent again over HTTP/1.1', async () => {
  const { server, log, busy } = await startLogServer((request, response) => {
    if (request.httpVersion === '1.1') response.end('hello\n');
    else streamOf(response).close(constants.NGHTTP2_HTTP_1_1_REQUIRED);
  });
  await busy();
  expect(await textOf(await log('web'))).toBe('hello\n');
  expect(await textOf(await log('api'))).toBe('hello\n');
  expect(server.requests.filter((line) => line.startsWith('2.0'))).toHaveLength(1);
});

test('where a server allows few streams, the others get connections of their own', async () => {
  const { server, logs, busy, held } = await startLogServer(sayHello, {
    settings: { maxConcurrentStreams: 10 },
  });
  await busy();
  await logs(45, 'busy-more');
  expect(held).toHaveLength(SOME + 45);
  const live = server.sessions.filter((session) => !session.closed);
  expect(live.length).toBeLessThanOrEqual(5 + 1);
});

test('through a proxy many logs take one tunnel', async () => {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  const { logs, server } = await startLogServer(sayHello, {
    cluster: { 'proxy-url': `http://127.0.0.1:${proxy.port}` },
  });
  for (const log of await logs(40, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(1);
  expect(proxy.targets).toHaveLength(SOME + 1);
});

test('reports an unreachable server as over HTTP/1.1, once for all that wait', async () => {
  let asked = 0;
  const { log, busy } = await startLogServer(sayHello, {
    change: (whole) => ({
      ...whole,
      connect: () => {
        asked++;
        return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      },
    }),
  });
  await busy();
  const tries = await Promise.allSettled(['a', 'b', 'c'].map((pod) => log(pod)));
  for (const one of tries)
    expect(one).toMatchObject({ reason: { kind: 'connection', code: 'ECONNREFUSED' } });
  expect(asked).toBe(1);
});

test('after a new client certificate logs use a new connection, and running ones continue', async () => {
  const answers: ServerResponse[] = [];
  let agent: ReturnType<ClusterConnection['agent']> | undefined;
  const { server, log, busy } = await startLogServer(
    (_request, response) => {
      answers.push(response);
      response.write('first\n');
    },
    { change: (whole) => ({ ...whole, agent: () => agent ?? whole.agent() }) },
  );
  await busy();
  const running = await log('web');
  agent = new Agent({ ca: server.certificate.cert });
  const next = await log('api');
  expect(server.sessions).toHaveLength(2);
  for (const answer of answers) answer.end();
  expect(await textOf(running)).toBe('first\n');
  expect(await textOf(next)).toBe('first\n');
  await server.until(() => server.sessions[0]?.destroyed === true);
  expect(server.sessions[1]?.destroyed).toBe(false);
});

test('a log is asked for when the server has noticed which ones were given up, or does not answer for a second', async () => {
  const relay = await startRelay();
  const { server, log, logs, busy, clock } = await startLogServer(
    (_request, response) => response.write('first\n'),
    { through: relay.to, settings: { maxConcurrentStreams: 2 } },
  );
  await busy();
  const [first] = await logs(2, 'web');
  relay.hold();
  await first?.body[Symbol.asyncIterator]().return?.();
  // One takes the free place, and the other needs its own connection.
  for (const name of ['api', 'db']) void log(name).catch(() => undefined);
  await server.until(() => server.sessions.length === 2);
  await new Promise<void>((resolve) => server.sessions[1]?.ping(() => resolve()));
  const isAsked = () => server.requests.some((line) => line.includes('/db/'));
  expect(isAsked()).toBe(false);
  await clock.advance(1_000);
  await server.until(isAsked);
});

test('closing a client while its connection is being made leaves none open', async () => {
  const [isConnected, connected] = gate();
  const [held, goOn] = gate();
  let socket: Socket | undefined;
  const { log, busy, client, server } = await startLogServer(sayHello, {
    change: (whole) => ({
      ...whole,
      connect: async (alpn, signal) => {
        socket = await whole.connect(alpn, signal);
        connected();
        await held;
        return socket;
      },
    }),
  });
  await busy();
  const waiting = expect(log('web')).rejects.toMatchObject({
    problem: { code: 'connection-closed', data: {} },
  });
  await isConnected;
  client.close();
  goOn();
  await waiting;
  expect(socket?.destroyed).toBe(true);
  expect(server.requests).toHaveLength(SOME);
});

test('a log with its own connection is also requested after that', async () => {
  const relay = await startRelay();
  const { server, log, busy, clock } = await startLogServer(
    (_request, response) => response.write('first\n'),
    { through: relay.to },
  );
  const open = [...(await busy()), await log('web')];
  relay.hold();
  await Promise.all(open.map(({ body }) => body[Symbol.asyncIterator]().return?.()));
  const asked = log('db');
  // Enough time for a request that does not wait.
  for (let round = 0; round < 3; round++) await fetchUnsafe(server.url);
  expect(server.requests.at(-1)).toContain('GET /');
  expect(server.requests.some((line) => line.includes('/db/'))).toBe(false);
  await clock.advance(1_000);
  await asked;
  expect(server.requests.at(-1)).toMatch(/^1\.1 .*\/db\//);
});

test('requests given up while the first shared connection is made count as well', async () => {
  let pings = 0;
  const pingsBefore: number[] = [];
  const [begun, begin] = gate();
  const [made, make] = gate();
  const { server, log, busy } = await startLogServer(
    (_request, response) => {
      pingsBefore.push(pings);
      response.end('hello\n');
    },
    {
      change: (whole) => ({
        ...whole,
        connect: (alpn, signal) => {
          begin();
          return made.then(() => whole.connect(alpn, signal));
        },
      }),
    },
  );
  server.server.on('session', (session) => session.on('ping', () => pings++));
  const [first] = await busy();
  const asked = log('web');
  await begun;
  await first?.body[Symbol.asyncIterator]().return?.();
  make();
  expect(await textOf(await asked)).toBe('hello\n');
  expect(pingsBefore).toEqual([1]);
});

function gate(): [Promise<void>, () => void] {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

/** Makes a request of another client. */
function fetchUnsafe(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.destroy();
      resolve();
    }).on('error', reject);
  });
}
