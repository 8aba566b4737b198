import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, listen } from './node.ts';

type Fetch = Parameters<typeof listen>[0];

async function start(fetch: Fetch, options: Partial<ListenOptions> = {}) {
  const server = await listen(fetch, { host: 'localhost', port: 0, mayMove: false, ...options });
  onTestFinished(() => server.close());
  return server;
}

const ok: Fetch = () => new Response('ok');
const textOf = async (url: string) => (await fetch(url)).text();

/** Listens on a port of 127.0.0.1 like another program. */
async function occupy(port = 0): Promise<number> {
  const other = createServer();
  other.listen({ port, host: '127.0.0.1' });
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return (other.address() as { port: number }).port;
}

async function rawSocket(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

test('localhost is both of its addresses', async () => {
  const { port } = await start(ok);
  expect(await textOf(`http://127.0.0.1:${port}/`)).toBe('ok');
  expect(await textOf(`http://[::1]:${port}/`)).toBe('ok');
});

test('a port that was chosen and is taken is an error', async () => {
  const port = await occupy();
  await expect(start(ok, { port })).rejects.toMatchObject({ code: 'port-taken', exit: 'usage' });
});

test('an implicit port yields to the next free one', async () => {
  const taken = await occupy();
  const { port } = await start(ok, { port: taken, mayMove: true });
  expect(port).toBeGreaterThan(taken);
  expect(await textOf(`http://localhost:${port}/`)).toBe('ok');
});

test('a port that is taken on one of the addresses only is taken', async () => {
  const first = await start(ok, { host: '::1' });
  await expect(start(ok, { port: first.port })).rejects.toMatchObject({ code: 'port-taken' });
  const free = await start(ok, { host: '127.0.0.1', port: first.port });
  expect(await textOf(`http://127.0.0.1:${free.port}/`)).toBe('ok');
});

test('an address that is not of this machine is an error', async () => {
  await expect(start(ok, { host: '203.0.113.7' })).rejects.toMatchObject({ code: 'host-not-here' });
  await expect(start(ok, { host: 'no.such.host.invalid' })).rejects.toMatchObject({ exit: 'usage' });
});

test('a client that goes away in the middle of a stream ends it', async () => {
  let requestSignal: AbortSignal | undefined;
  let onCancel = () => {};
  const canceled = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const { port } = await start((request) => {
    requestSignal = request.signal;
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('first')),
        cancel: () => onCancel(),
      }),
    );
  });
  const socket = await rawSocket(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await canceled;
  if (requestSignal?.aborted === false) await once(requestSignal as unknown as EventTarget, 'abort');
  expect(requestSignal?.aborted).toBe(true);
});

test('a reader that stands still holds its stream back', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let pulled = 0;
  const body = () =>
    new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(chunk);
      },
    });
  const { port } = await start(({ url }) => new Response(url.endsWith('/other') ? 'ok' : body()));
  const socket = await rawSocket(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await once(socket, 'readable');
  // The system's buffers fill up; then the server requests no more, however long it runs.
  for (let turn = 0; turn < 50; turn++) await textOf(`http://127.0.0.1:${port}/other`);
  expect(pulled * chunk.length).toBeLessThan(64 * 1024 * 1024);
  const held = pulled;
  socket.resume();
  while (pulled < held + 100) await once(socket, 'data');
});

test('closing ends what is open, whether or not it ends by itself', async () => {
  const server = await listen(
    () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('first')) })),
    { host: 'localhost', port: 0, mayMove: false },
  );
  const streaming = await rawSocket(server.port, `GET / HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
  const half = await rawSocket(
    server.port,
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n123',
  );
  const idle = await rawSocket(server.port, '');
  const ends = [streaming, half, idle].map((socket) =>
    once(
      socket.on('error', () => {}),
      'close',
    ),
  );
  await once(streaming, 'data');
  for (const socket of [streaming, half, idle]) socket.resume();
  await server.close();
  await Promise.all(ends);
  await expect(textOf(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
});

test('the long address of a download is taken, a longer one refused', async () => {
  const { port } = await start((request) => new Response(String(request.url.length)));
  expect(Number(await textOf(`http://127.0.0.1:${port}/?${'q'.repeat(100_000)}`))).toBeGreaterThan(100_000);
  expect((await fetch(`http://127.0.0.1:${port}/?${'q'.repeat(140_000)}`)).status).toBe(431);
});

test.each([
  'NONSENSE\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET http://attacker.example/ HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET // HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n',
])('refuses a malformed request without internals: %j', async (text) => {
  const { port } = await start(() => new Response('reached', { status: 421 }));
  const socket = await rawSocket(port, text);
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(String(data)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(String(data)).not.toMatch(/\.(?:ts|js|mjs)\b| at /);
});
