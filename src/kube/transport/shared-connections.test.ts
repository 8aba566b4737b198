import type { ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type AnyHandler, startHttp2Server, streamOf } from '../../../test/connection/http2-server.ts';
import { base64, worldOf } from '../../../test/connection/kubeconfig-folder.ts';
import { startConnectProxy } from '../../../test/connection/proxy-servers.ts';
import { FakeClock } from '../../domain/clock.ts';
import type { ClusterConnection } from '../connection/cluster-connection.ts';
import { createKubeClient } from '../create-client.ts';
import { PING_TIMEOUT_MS, SILENCE_MS } from './http2-link.ts';

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_INTERNAL_ERROR } =
  constants;
/** As many as have a connection each. */
const FEW = 4;

interface Place {
  readonly settings?: { readonly maxConcurrentStreams: number };
  readonly cluster?: object;
  readonly env?: Record<string, string>;
  /** Something between client and server: from its port to one that leads there. */
  readonly through?: (port: number) => Promise<number>;
  readonly change?: (connection: ClusterConnection) => ClusterConnection;
}

/** A client of a server that speaks both; logs of pods whose name begins with `busy` are held open. */
async function start(handler: AnyHandler, { settings, cluster, env, through, change }: Place = {}) {
  const held: ServerResponse[] = [];
  const server = await startHttp2Server(
    (request, response) => {
      if (!request.url?.includes('/busy-')) return handler(request, response);
      held.push(response);
      response.writeHead(200);
      response.write('line\n');
    },
    settings === undefined ? {} : { settings },
  );
  const clock = new FakeClock();
  const world = await worldOf(
    {
      server: through === undefined ? server.url : `https://127.0.0.1:${await through(server.port)}`,
      'certificate-authority-data': base64(server.certificate.cert),
      ...cluster,
    },
    {},
    { clock },
  );
  const opened = await world.open({ env: env ?? {} });
  const connection = change?.(opened) ?? opened;
  const client = createKubeClient(connection, { clock, userAgent: 'logtool/test', random: () => 1 });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const log = (pod: string, signal?: AbortSignal) => client.log({ namespace: 'shop', pod }, { signal });
  const logs = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => log(`${name}-${index}`)));
  /** From here on requests go over HTTP/2. */
  const busy = () => logs(FEW, 'busy');
  return { server, client, clock, connection, held, log, logs, busy };
}

/** Passes bytes on until it holds them back. */
async function startRelay() {
  const sockets = new Set<Socket>();
  let target = 0;
  const relay = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    for (const one of [socket, onward]) {
      sockets.add(one);
      one
        .on('error', () => {})
        .once('close', () => {
          for (const other of [socket, onward]) other.destroy();
        });
    }
    socket.pipe(onward);
    onward.pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    to: async (port: number) => {
      target = port;
      return (relay.address() as AddressInfo).port;
    },
    hold() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

async function textOf(log: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Writes as fast as it is taken, without end. */
function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const chunk = Buffer.alloc(Math.min(left, 32 * 1024), 'x');
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

const sayHello: AnyHandler = (_request, response) => response.end('hello\n');

test('few logs have a connection each, and many share one', async () => {
  const { server, logs } = await start(sayHello);
  for (const log of await logs(FEW, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(0);
  for (const log of await logs(60, 'api')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(1);
  expect(server.requests.filter((line) => line.startsWith('2.0'))).toHaveLength(60 - FEW);
});

test('a server without HTTP/2 is asked for it once, and read as ever', async () => {
  const { server, logs, connection } = await start(sayHello, {
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
  const { server, logs } = await start(sayHello, { env: { DISABLE_HTTP2: 'true' } });
  for (const log of await logs(20, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(0);
});

test('a server that agrees to HTTP/2 and breaks off before a word of it is read over HTTP/1.1', async () => {
  const { server, log, busy } = await start(sayHello);
  await busy();
  server.server.prependListener('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') socket.destroy();
  });
  for (let tries = 0; tries < 2; tries++)
    await expect(log(`web-${tries}`)).rejects.toMatchObject({ kind: 'connection' });
  expect(await textOf(await log('web-2'))).toBe('hello\n');
});

test('a server that says goodbye to every connection before it answers is read over HTTP/1.1', async () => {
  const { server, log, busy } = await start(sayHello);
  await busy();
  server.server.prependListener('session', (session) => session.destroy());
  expect(await textOf(await log('web'))).toBe('hello\n');
  const tried = server.sessions.length;
  expect(await textOf(await log('api'))).toBe('hello\n');
  expect(server.sessions).toHaveLength(tried);
});

test('a request that may not go over HTTP/2 is sent again over HTTP/1.1', async () => {
  const { server, log, busy } = await start((request, response) => {
    if (request.httpVersion === '1.1') response.end('hello\n');
    else streamOf(response).close(NGHTTP2_HTTP_1_1_REQUIRED);
  });
  await busy();
  expect(await textOf(await log('web'))).toBe('hello\n');
  expect(await textOf(await log('api'))).toBe('hello\n');
  expect(server.requests.filter((line) => line.startsWith('2.0'))).toHaveLength(1);
});

test('where a server allows few streams, the others get connections of their own', async () => {
  const { server, logs, busy, held } = await start(sayHello, { settings: { maxConcurrentStreams: 10 } });
  await busy();
  await logs(45, 'busy-more');
  expect(held).toHaveLength(FEW + 45);
  const live = server.sessions.filter((session) => !session.closed);
  expect(live.length).toBeLessThanOrEqual(5 + 1);
});

test('each of many logs can be read to its end while nobody reads the others', async () => {
  const bytes = 300_000;
  const { log, logs, busy, server } = await start((_request, response) => pour(response, bytes));
  await busy();
  // From its first answer on it is known how many streams the server takes.
  await textOf(await log('web'));
  // More than the window of their connection holds.
  const opened = await logs(150, 'web');
  for (const log of opened.reverse()) expect((await textOf(log)).length).toBe(bytes);
  expect(server.sessions).toHaveLength(1);
});

test('a log that is left resets its stream alone', async () => {
  const { server, log, busy } = await start((_request, response) => pour(response, 1_000_000));
  await busy();
  const leaving = new AbortController();
  const [left, stays] = [await log('left', leaving.signal), await log('stays')];
  const codes: (number | undefined)[] = [];
  const streams: ServerHttp2Stream[] = [];
  server.server.on('stream', (stream: ServerHttp2Stream) => streams.push(stream));
  const other = await log('other');
  streams[0]?.once('close', () => codes.push(streams[0]?.rstCode));
  for await (const _chunk of other.body) break;
  leaving.abort(new Error('enough'));
  await expect(textOf(left)).rejects.toThrow('enough');
  expect((await textOf(stays)).length).toBe(1_000_000);
  expect(codes).toEqual([NGHTTP2_CANCEL]);
  expect(server.sessions).toHaveLength(1);
  expect(server.sessions[0]?.destroyed).toBe(false);
});

test('an abort before the answer ends the request with its reason', async () => {
  const { server, log, busy } = await start(() => {});
  await busy();
  const leaving = new AbortController();
  const waiting = log('web', leaving.signal);
  await server.until(() => server.requests.length === FEW + 1);
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(server.sessions[0]?.destroyed).toBe(false);
});

test('a server that says goodbye finishes what runs, and what comes next finds a new connection', async () => {
  const answers: ServerResponse[] = [];
  const { server, log, busy } = await start((_request, response) => {
    answers.push(response);
    response.write('first\n');
  });
  await busy();
  const running = await log('web');
  server.sessions[0]?.goaway(0);
  // Heard: the client answers what was sent behind it.
  await new Promise<void>((resolve) => server.sessions[0]?.ping(() => resolve()));
  const next = await log('api');
  expect(server.sessions).toHaveLength(2);
  for (const answer of answers) answer.end('second\n');
  expect(await textOf(running)).toBe('first\nsecond\n');
  expect(await textOf(next)).toBe('first\nsecond\n');
});

test('what a server did not begin with before its goodbye is sent again', async () => {
  let asked = 0;
  const { server, log, busy } = await start((_request, response) => {
    if (++asked !== 2) return void response.end('hello\n');
    const { session, id = 0 } = streamOf(response);
    session?.goaway(0, id - 2);
  });
  await busy();
  await textOf(await log('api'));
  expect(await textOf(await log('web'))).toBe('hello\n');
  expect(server.requests.slice(FEW).map((line) => line.slice(0, 3))).toEqual(['2.0', '2.0', '2.0']);
  expect(server.sessions).toHaveLength(2);
});

test('a stream that was refused is asked for again at once', async () => {
  let refused = 0;
  const { log, busy } = await start((_request, response) => {
    if (refused++ < 3) streamOf(response).close(constants.NGHTTP2_REFUSED_STREAM);
    else response.end('hello\n');
  });
  await busy();
  expect(await textOf(await log('web'))).toBe('hello\n');
});

test.each([
  ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR],
  ['ENHANCE_YOUR_CALM', NGHTTP2_ENHANCE_YOUR_CALM],
  ['CANCEL', NGHTTP2_CANCEL],
])('a reset before the answer is a connection that broke: %s', async (name, code) => {
  const { server, log, busy } = await start((_request, response) => streamOf(response).close(code));
  await busy();
  await expect(log('web')).rejects.toMatchObject({
    kind: 'connection',
    code: 'ECONNRESET',
    message: `the server gave the request up before an answer: ${name}`,
    request: { resource: 'pods', name: 'web' },
  });
  expect(server.sessions[0]?.destroyed).toBe(false);
});

test.each([
  ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR],
  ['CANCEL', NGHTTP2_CANCEL],
])('a reset in the middle of a log is a cut: %s', async (_name, code) => {
  const answers: ServerResponse[] = [];
  const { log, busy } = await start((_request, response) => {
    answers.push(response);
    response.write('first\n');
  });
  await busy();
  const { body } = await log('web');
  const chunks = body[Symbol.asyncIterator]();
  expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('first\n');
  for (const answer of answers) streamOf(answer).close(code);
  await expect(chunks.next()).rejects.toMatchObject({
    kind: 'connection',
    code: 'ECONNRESET',
    message: 'the connection was cut in the middle of the answer',
  });
});

test('a connection that is reset ends all its logs, and the next ones get another', async () => {
  const { server, logs, busy, log } = await start((request, response) => {
    if (request.url?.includes('/again')) response.end('hello\n');
    else response.write('first\n');
  });
  await busy();
  const opened = await logs(20, 'web');
  const bodies = opened.map((one) => one.body[Symbol.asyncIterator]());
  for (const body of bodies) await body.next();
  server.cutAll();
  for (const body of bodies) await expect(body.next()).rejects.toMatchObject({ kind: 'connection' });
  await Promise.all(Array.from({ length: FEW }, (_, index) => log(`busy-again-${index}`)));
  expect(await textOf(await log('again'))).toBe('hello\n');
});

test('a request that meets a connection that ended meanwhile is sent again', async () => {
  let cut = false;
  const { server, log, busy } = await start((request, response) => {
    if (request.httpVersion === '2.0' && cut) {
      cut = false;
      return void streamOf(response).session?.destroy();
    }
    response.end('hello\n');
  });
  await busy();
  expect(await textOf(await log('web'))).toBe('hello\n');
  cut = true;
  expect(await textOf(await log('api'))).toBe('hello\n');
  expect(server.sessions).toHaveLength(2);
});

test('a connection that falls silent is asked for a sign of life, and given up without one', async () => {
  const relay = await startRelay();
  const { server, logs, busy, clock } = await start((_request, response) => response.write('first\n'), {
    through: relay.to,
  });
  await busy();
  const opened = await logs(3, 'web');
  const bodies = opened.map((one) => one.body[Symbol.asyncIterator]());
  for (const body of bodies) await body.next();
  const [session] = server.sessions;
  // Since the last look there were answers.
  await clock.advance(SILENCE_MS);
  for (let round = 0; round < 3; round++) {
    const asked = new Promise<void>((resolve) => session?.once('ping', () => resolve()));
    await clock.advance(SILENCE_MS);
    await asked;
    // The client has read the answer to its own once it answers this one.
    await new Promise<void>((resolve) => session?.ping(() => resolve()));
    await clock.advance(PING_TIMEOUT_MS);
    expect(session?.destroyed).toBe(false);
  }
  // As a cable that is pulled: nothing comes through any more, and nobody says so.
  relay.hold();
  const gone = { kind: 'connection', code: 'ETIMEDOUT', message: 'no answer to a ping within 15 s' };
  const failures = bodies.map((body) => expect(body.next()).rejects.toMatchObject(gone));
  await clock.advance(SILENCE_MS);
  await clock.advance(PING_TIMEOUT_MS);
  await Promise.all(failures);
});

test('through a proxy many logs take one tunnel', async () => {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  const { logs, server } = await start(sayHello, {
    cluster: { 'proxy-url': `http://127.0.0.1:${proxy.port}` },
  });
  for (const log of await logs(40, 'web')) expect(await textOf(log)).toBe('hello\n');
  expect(server.sessions).toHaveLength(1);
  expect(proxy.targets).toHaveLength(FEW + 1);
});

test('a server that cannot be reached is told as over HTTP/1.1, once for all that wait', async () => {
  let asked = 0;
  const { log, busy } = await start(sayHello, {
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

test('answers other than a log are understood as over HTTP/1.1', async () => {
  const { log, busy } = await start((request, response) => {
    const pod = /pods\/([^/]+)\/log/.exec(request.url ?? '')?.[1];
    const status = (code: number, reason: string) =>
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason });
    if (pod === 'none') return void response.writeHead(204).end();
    if (pod === 'secret') return void response.writeHead(403).end(status(403, 'Forbidden'));
    if (pod === 'moved') return void response.writeHead(302, { location: 'https://elsewhere/' }).end();
    response.writeHead(503, { 'retry-after': '7' }).end(status(503, 'ServiceUnavailable'));
  });
  await busy();
  expect(await log('none')).toMatchObject({ status: 204 });
  await expect(log('secret')).rejects.toMatchObject({ kind: 'forbidden', message: 'Forbidden' });
  await expect(log('moved')).rejects.toMatchObject({ message: 'the server redirects to https://elsewhere/' });
  await expect(log('down')).rejects.toMatchObject({ kind: 'server', retryAfterMs: 7000 });
});

test('refused credentials are renewed, and a token that no header can hold is told as such', async () => {
  let token = 'old';
  const { log, busy } = await start(
    (request, response) => {
      if (request.headers.authorization === 'Bearer new') response.end('hello\n');
      else response.writeHead(401).end();
    },
    {
      change: (whole) => ({
        ...whole,
        headers: async () => ({ Authorization: `Bearer ${token}` }),
        refresh: async () => {
          token = 'new';
          return true;
        },
      }),
    },
  );
  await busy();
  expect(await textOf(await log('web'))).toBe('hello\n');
  token = 'a\nb';
  await expect(log('web')).rejects.toMatchObject({ kind: 'credentials' });
});

test('after a new client certificate logs go over a new connection, and those that run go on', async () => {
  const answers: ServerResponse[] = [];
  let agent: ReturnType<ClusterConnection['agent']> | undefined;
  const { server, log, busy } = await start(
    (_request, response) => {
      answers.push(response);
      response.write('first\n');
    },
    { change: (whole) => ({ ...whole, agent: () => agent ?? whole.agent() }) },
  );
  await busy();
  const running = await log('web');
  const { Agent } = await import('node:https');
  agent = new Agent({ ca: server.certificate.cert });
  const next = await log('api');
  expect(server.sessions).toHaveLength(2);
  for (const answer of answers) answer.end();
  expect(await textOf(running)).toBe('first\n');
  expect(await textOf(next)).toBe('first\n');
  await server.until(() => server.sessions[0]?.destroyed === true);
  expect(server.sessions[1]?.destroyed).toBe(false);
});
