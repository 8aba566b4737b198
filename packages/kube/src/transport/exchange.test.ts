import { createServer as createHttpServer, Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { connectTo } from '../../../../test/support/tls-server/scripted-server.ts';
import { PODS } from '../builtin-resources.ts';
import { createKubeClient } from '../create-client.ts';
import { FakeClock } from '../values/clock.ts';

const WEB = { namespace: 'shop', name: 'web' };
const DAY_MS = 86_400_000;

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function clientOf(url: string, ca: string, connectTimeoutMs?: number) {
  const agent = new Agent({ keepAlive: true, ca });
  const connection = connectTo(
    { url: new URL(url), certificate: { key: '', cert: ca } },
    { agent: () => agent },
  );
  onTestFinished(() => agent.destroy());
  return createKubeClient(connection, {
    clock: new FakeClock(),
    userAgent: 'logtool/test',
    connectTimeoutMs,
  });
}

async function tlsServer(certificate: ReturnType<typeof selfSigned>): Promise<number> {
  const server = createTlsServer(certificate);
  server.on('tlsClientError', () => {});
  return listen(server);
}

test('a handshake that never ends is given up', async () => {
  const port = await listen(createServer(() => {}));
  const client = clientOf(`https://127.0.0.1:${port}`, selfSigned().cert, 30);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'connection',
    code: 'ETIMEDOUT',
    problem: { code: 'no-connection-to', data: { host: `127.0.0.1:${port}`, limitMs: 30 } },
  });
});

test('a port where nothing listens is refused at once', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const client = clientOf(`https://127.0.0.1:${port}`, selfSigned().cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'connection', code: 'ECONNREFUSED' });
});

test('an unknown name is an error of the connection', async () => {
  const client = clientOf('https://cluster.invalid:6443', selfSigned().cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'connection',
    code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
  });
});

test('an unknown authority is an error of TLS', async () => {
  const port = await tlsServer(selfSigned());
  const client = clientOf(`https://127.0.0.1:${port}`, selfSigned().cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'tls',
    code: expect.stringMatching(/SELF_SIGNED|SIGNATURE|UNABLE_TO/),
  });
});

test('a certificate for another name is an error of TLS', async () => {
  const certificate = selfSigned({ names: ['other.example.com'] });
  const port = await tlsServer(certificate);
  const client = clientOf(`https://127.0.0.1:${port}`, certificate.cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'tls',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test('an expired certificate is an error of TLS', async () => {
  const certificate = selfSigned({
    notBefore: new Date(Date.now() - 2 * DAY_MS),
    notAfter: new Date(Date.now() - DAY_MS),
  });
  const port = await tlsServer(certificate);
  const client = clientOf(`https://127.0.0.1:${port}`, certificate.cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'tls', code: 'CERT_HAS_EXPIRED' });
});

test('a server that does not speak TLS is an error of TLS', async () => {
  const port = await listen(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  const client = clientOf(`https://127.0.0.1:${port}`, selfSigned().cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'tls' });
});

test('something that is no HTTP is an error of the protocol', async () => {
  const certificate = selfSigned();
  const server = createTlsServer(certificate, (socket) => {
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH_9.0\r\n');
  });
  const port = await listen(server);
  const client = clientOf(`https://127.0.0.1:${port}`, certificate.cert);
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'protocol' });
});

test('a server without TLS is spoken to over plain HTTP, as kubectl proxy offers it', async () => {
  const server = createHttpServer((request, response) => {
    response.end(JSON.stringify({ metadata: { name: 'web', namespace: request.url } }));
  });
  const url = new URL(`http://127.0.0.1:${await listen(server)}`);
  const agent = new HttpAgent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const connection = connectTo({ url, certificate: selfSigned() }, { agent: () => agent });
  const client = createKubeClient(connection, { clock: new FakeClock(), userAgent: 'logtool/test' });
  const object = await client.get(PODS, WEB);
  expect(object.metadata.namespace).toBe('/api/v1/namespaces/shop/pods/web');
});
