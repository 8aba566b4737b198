import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { KubeError } from '../errors.ts';

const WHERE = { namespace: 'shop', pod: 'web-1' };
const TEXT = '2026-11-21T10:00:00.123456789Z naïve ✓ line\n';

/** Writes bytes to the socket, below HTTP. */
function raw(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.socket?.write(bytes, () => resolve()));
}

/** Builds an HTTP/1.1 answer in the form in which API servers send a log: chunked, one chunk per entry. */
function chunkedAnswer(...chunks: string[]): Buffer {
  const head = 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  const body = chunks.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`).join('');
  return Buffer.from(`${head}${body}0\r\n\r\n`);
}

async function read(body: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
  return { bytes: Buffer.concat(chunks), error: undefined };
}

test('sends the given query unchanged, and leaves unset parameters out', async () => {
  const { client, server } = await startClient((_, response) => response.end());
  await client.log({
    ...WHERE,
    container: 'app',
    follow: true,
    previous: false,
    timestamps: true,
    tailLines: 0,
    limitBytes: 10,
    sinceTime: { seconds: 1_795_255_200, nanos: 5 },
  });
  const url = new URL(server.requests[0]?.replace('GET ', '') ?? '', server.url);
  expect(url.pathname).toBe('/api/v1/namespaces/shop/pods/web-1/log');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    container: 'app',
    follow: 'true',
    timestamps: 'true',
    tailLines: '0',
    limitBytes: '10',
    sinceTime: '2026-11-21T10:00:00.000000005Z',
  });
  expect(server.headers[0]?.['accept-encoding']).toBe('identity');
});

test('asks another group with its own parameters', async () => {
  const { client, server } = await startClient((_, response) => response.end());
  const from = { group: 'example.dev', version: 'v1', parameters: { run: '3' } };
  await client.log({ ...WHERE, container: 'app', from });
  const url = new URL(server.requests[0]?.replace('GET ', '') ?? '', server.url);
  expect(url.pathname).toBe('/apis/example.dev/v1/namespaces/shop/pods/web-1/log');
  expect(Object.fromEntries(url.searchParams)).toEqual({ container: 'app', run: '3' });
});

test('a body that came whole ends, whatever the edges of its chunks', async () => {
  const answer = chunkedAnswer(TEXT, TEXT);
  const { client, server } = await startClient(() => {});
  for (let cut = 1; cut < answer.length; cut++) {
    server.handle(async (_, response) => {
      await raw(response, answer.subarray(0, cut));
      setImmediate(() => void raw(response, answer.subarray(cut)));
    });
    const { body } = await client.log(WHERE);
    expect(await read(body), `cut at byte ${cut}`).toEqual({
      bytes: Buffer.from(TEXT + TEXT),
      error: undefined,
    });
  }
});

test('distinguishes a reset at any byte of the body from the end of the body', async () => {
  const answer = chunkedAnswer(TEXT);
  const headLength = answer.indexOf('\r\n\r\n') + 4;
  const { client, server } = await startClient(() => {});
  for (let cut = headLength; cut < answer.length; cut++) {
    server.handle(async (_, response) => {
      await raw(response, answer.subarray(0, cut));
      response.socket?.destroy();
    });
    const { body } = await client.log(WHERE);
    const { bytes, error } = await read(body);
    expect(error, `cut at byte ${cut}`).toBeInstanceOf(KubeError);
    expect(error).toMatchObject({
      kind: 'connection',
      request: { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'shop', name: 'web-1' },
    });
    expect(bytes).toEqual(Buffer.from(TEXT).subarray(0, bytes.length));
  }
});

test('an orderly shutdown of the socket in mid-body is a cut as well', async () => {
  const answer = chunkedAnswer(TEXT);
  const { client } = await startClient(async (_, response) => {
    await raw(response, answer.subarray(0, answer.length - 20));
    response.socket?.end();
  });
  const { body } = await client.log(WHERE);
  expect((await read(body)).error).toMatchObject({ kind: 'connection' });
});

test('a pod without a node has no body', async () => {
  const { client } = await startClient((_, response) => response.writeHead(204).end());
  const { status, body } = await client.log(WHERE);
  expect(status).toBe(204);
  expect(await read(body)).toEqual({ bytes: Buffer.alloc(0), error: undefined });
});

test('an error of the server is thrown with its words', async () => {
  const message = 'container "app" in pod "web-1" is waiting to start: ContainerCreating';
  const { client } = await startClient((_, response) =>
    sendStatus(response, 400, { reason: 'BadRequest', message }),
  );
  await expect(client.log(WHERE)).rejects.toMatchObject({
    kind: 'bad-request',
    status: 400,
    reason: 'BadRequest',
    message,
  });
});

test('a slow reader pauses the server, and gets every byte in the end', async () => {
  const total = 64 * 1024 * 1024;
  const block = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  let drained: (() => void) | undefined;
  const blocked = new Promise<void>((resolve) => {
    drained = resolve;
  });
  const { client } = await startClient((_, response) => {
    const send = () => {
      while (sent < total) {
        sent += block.length;
        if (!response.write(block)) {
          response.once('drain', send);
          // If the bytes stay unread for many turns of the loop, the back-pressure has arrived.
          const before = sent;
          let turns = 0;
          const checkDrained = () =>
            sent === before && turns++ < 50 ? setImmediate(checkDrained) : turns >= 50 && drained?.();
          return checkDrained();
        }
      }
      response.end();
    };
    send();
  });
  const { body } = await client.log(WHERE);
  const reader = body[Symbol.asyncIterator]();
  const first = await reader.next();
  await blocked;
  expect(sent).toBeLessThan(total / 2);
  let received = first.value?.length ?? 0;
  for (let next = await reader.next(); !next.done; next = await reader.next()) received += next.value.length;
  expect(received).toBe(total);
});

test('leaving the loop early closes the stream', async () => {
  let closed: (() => void) | undefined;
  const serverSawClose = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const { client } = await startClient((_, response) => {
    response.on('close', () => closed?.());
    response.write(TEXT);
  });
  const { body } = await client.log({ ...WHERE, follow: true });
  for await (const chunk of body) {
    expect(Buffer.from(chunk).toString()).toBe(TEXT);
    break;
  }
  await serverSawClose;
});

test('an abort ends a silent stream at once, with its own reason', async () => {
  const { client } = await startClient((_, response) => response.flushHeaders());
  const controller = new AbortController();
  const { body } = await client.log({ ...WHERE, follow: true }, { signal: controller.signal });
  const reading = read(body);
  const reason = new Error('enough');
  controller.abort(reason);
  expect((await reading).error).toBe(reason);
});

test('an abort before the answer ends the request at once', async () => {
  const { client, server } = await startClient(() => {});
  const controller = new AbortController();
  const asking = client.log(WHERE, { signal: controller.signal });
  await server.waitForRequests(1);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(asking).rejects.toBe(reason);
  await expect(client.log(WHERE, { signal: controller.signal })).rejects.toBe(reason);
  expect(server.requests.length).toBe(1);
});

test('a complete body leaves its socket to the next request', async () => {
  const { client, server } = await startClient((_, response) => response.end(TEXT));
  for (let i = 0; i < 3; i++) await read((await client.log(WHERE)).body);
  expect(server.connections).toBe(1);
});

test('a stream may be silent for as long as it likes', async () => {
  let speak = () => {};
  const { client, clock } = await startClient(
    (_, response) => {
      response.flushHeaders();
      speak = () => response.end(TEXT);
    },
    { answerTimeoutMs: 1, connectTimeoutMs: 5_000 },
  );
  const { body } = await client.log({ ...WHERE, follow: true });
  const reading = read(body);
  // Longer than any limit on answers, by either clock.
  await clock.advance(24 * 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  speak();
  expect(await reading).toEqual({ bytes: Buffer.from(TEXT), error: undefined });
});
