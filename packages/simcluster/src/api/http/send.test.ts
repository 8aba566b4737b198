import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { send } from './send.ts';

async function* lines(): AsyncGenerator<string> {
  for (;;) yield 'line\n';
}

test('an answer over HTTP/2 whose client is gone before its body begins ends', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const asked = new Promise<[Http2ServerRequest, Http2ServerResponse]>((resolve) =>
    server.once('request', (request, response) => resolve([request, response])),
  );
  const stream = client.request({ ':path': '/log' });
  const [request, response] = await asked;
  const left = new Promise<void>((resolve) => response.once('close', () => resolve()));
  stream.close();
  await left;
  const reply = { status: 200, headers: { 'content-type': 'text/plain' }, body: lines() };
  await send(request, response, reply, new AbortController().signal);
  expect(response.stream.destroyed).toBe(true);
});
