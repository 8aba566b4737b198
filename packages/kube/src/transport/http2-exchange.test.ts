import type { ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { expect, test } from 'vitest';
import { streamOf } from '../../../../test/support/connection/http2-server.ts';
import { pour, SOME, startLogServer, textOf } from '../../../../test/support/connection/log-server.ts';

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR } = constants;

test('abandoning a log resets only its stream', async () => {
  const { server, log, busy } = await startLogServer((_request, response) => pour(response, 1_000_000));
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
  const { server, log, busy } = await startLogServer(() => {});
  await busy();
  const leaving = new AbortController();
  const waiting = log('web', leaving.signal);
  await server.until(() => server.requests.length === SOME + 1);
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(server.sessions[0]?.destroyed).toBe(false);
});

test('a stream that was refused is asked for again at once', async () => {
  let refused = 0;
  const { log, busy } = await startLogServer((_request, response) => {
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
  const { server, log, busy } = await startLogServer((_request, response) => streamOf(response).close(code));
  await busy();
  await expect(log('web')).rejects.toMatchObject({
    kind: 'connection',
    code: 'ECONNRESET',
    problem: { code: 'request-given-up', data: { reset: name } },
    request: { resource: 'pods', name: 'web' },
  });
  expect(server.sessions[0]?.destroyed).toBe(false);
});

test.each([
  ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR],
  ['CANCEL', NGHTTP2_CANCEL],
])('a reset in the middle of a log is a cut: %s', async (_name, code) => {
  const answers: ServerResponse[] = [];
  const { log, busy } = await startLogServer((_request, response) => {
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
    problem: { code: 'connection-cut', data: {} },
  });
});

test('a request that meets a connection that ended meanwhile is sent again', async () => {
  let cut = false;
  const { server, log, busy } = await startLogServer((request, response) => {
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

test('answers other than a log are understood as over HTTP/1.1', async () => {
  const { log, busy } = await startLogServer((request, response) => {
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
  await expect(log('moved')).rejects.toMatchObject({
    problem: { code: 'redirect', data: { status: 302, location: 'https://elsewhere/' } },
  });
  await expect(log('down')).rejects.toMatchObject({ kind: 'server', retryAfterMs: 7000 });
});

test('renews refused credentials, and reports a token that no header can hold', async () => {
  let token = 'old';
  const { log, busy } = await startLogServer(
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
