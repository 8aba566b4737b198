import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import {
  askThrough,
  type EchoServer,
  startEchoServer,
} from '../../../../test/support/connection/echo-server.ts';
import { base64, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { loadKubeconfig } from '../config/load.ts';
import { FakeClock } from '../values/clock.ts';
import { CodedError } from '../values/coded-error.ts';

async function server(options: Parameters<typeof startEchoServer>[0] = {}): Promise<EchoServer> {
  const started = await startEchoServer(options);
  onTestFinished(() => started.close());
  return started;
}

test('the context names server, namespace and user', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({
    server: `${url}/k8s/c-1`,
    'certificate-authority-data': base64(certificate.cert),
  });
  const connection = await world.open();
  expect(connection).toMatchObject({ context: 'here', namespace: 'shop', user: 'ann' });
  expect(connection.server.href).toBe(`${url}/k8s/c-1`);
  expect((await askThrough(connection)).path).toBe('/version');
});

test('certificate-authority is a path beside the kubeconfig', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority': 'ca.pem' });
  await writeFile(join(world.directory, 'ca.pem'), certificate.cert);
  expect((await askThrough(await world.open())).method).toBe('GET');
});

test('certificate-authority-data wins over certificate-authority', async () => {
  const { url, certificate } = await server();
  const ca = {
    'certificate-authority': 'absent.pem',
    'certificate-authority-data': base64(certificate.cert),
  };
  expect((await askThrough(await (await worldOf({ server: url, ...ca })).open())).method).toBe('GET');
});

test('a server that its authority does not know is refused', async () => {
  const { url } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(selfSigned().cert) });
  await expect(askThrough(await world.open())).rejects.toMatchObject({
    code: expect.stringMatching(/CERT|SIGN/),
  });
});

test('without an authority the public ones decide', async () => {
  const { url } = await server();
  const world = await worldOf({ server: url });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('an authority that the machine trusts is trusted where the cluster names none', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url });
  const list = join(world.directory, 'machine.pem');
  await writeFile(list, certificate.cert);
  const connection = await world.open({ env: { SSL_CERT_FILE: list } });
  expect((await askThrough(connection)).method).toBe('GET');
  const extra = await world.open({ env: { NODE_EXTRA_CA_CERTS: list, SSL_CERT_FILE: '/absent' } });
  expect((await askThrough(extra)).method).toBe('GET');
});

test("a cluster with an authority of its own does not trust the machine's", async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(selfSigned().cert) });
  const list = join(world.directory, 'machine.pem');
  await writeFile(list, certificate.cert);
  const connection = await world.open({ env: { SSL_CERT_FILE: list } });
  await expect(askThrough(connection)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('insecure-skip-tls-verify takes any certificate', async () => {
  const { url } = await server();
  const world = await worldOf({ server: url, 'insecure-skip-tls-verify': true });
  expect((await askThrough(await world.open())).method).toBe('GET');
});

test('insecure-skip-tls-verify beside an authority is an error, as for kubectl', async () => {
  const ca = base64(selfSigned().cert);
  const world = await worldOf({
    server: 'https://h',
    'insecure-skip-tls-verify': true,
    'certificate-authority-data': ca,
  });
  await expect(world.open()).rejects.toMatchObject({ code: 'insecure-with-authority' });
});

test('tls-server-name is the name that is sent and checked', async () => {
  const certificate = selfSigned({ names: ['api.inside'] });
  const { url } = await server({ certificate });
  const cluster = { server: url, 'certificate-authority-data': base64(certificate.cert) };
  await expect(askThrough(await (await worldOf(cluster)).open())).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  const named = await worldOf({ ...cluster, 'tls-server-name': 'api.inside' });
  expect((await askThrough(await named.open())).serverName).toBe('api.inside');
});

test('a plain http server is reached without TLS', async () => {
  const { url } = await server({ tls: false });
  expect((await askThrough(await (await worldOf({ server: url })).open())).serverName).toBe('');
});

test('a server without a scheme is https where TLS is configured, else http', async () => {
  const plain = await worldOf({ server: 'host:8080' });
  expect((await plain.open()).server.href).toBe('http://host:8080/');
  const secure = await worldOf({ server: 'host:6443', 'insecure-skip-tls-verify': true });
  expect((await secure.open()).server.href).toBe('https://host:6443/');
});

test('requests one after the other share a socket', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(certificate.cert) });
  const connection = await world.open();
  const first = await askThrough(connection);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await askThrough(connection)).port).toBe(first.port);
});

test('further sockets resume the TLS session of the first, but never that of another certificate', async () => {
  const { url, certificate } = await server();
  const ca = { server: url, 'certificate-authority-data': base64(certificate.cert) };
  const [ann, bob] = [selfSigned(), selfSigned()];
  const open = async ({ cert, key }: typeof ann) =>
    (await worldOf(ca, { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) })).open();
  const ofAnn = await open(ann);
  expect((await askThrough(ofAnn)).isResumed).toBe(false);
  const together = await Promise.all([1, 2, 3].map(() => askThrough(ofAnn)));
  expect(new Set(together.map(({ port }) => port)).size).toBe(3);
  expect(together.filter(({ isResumed }) => isResumed).length).toBeGreaterThanOrEqual(2);
  const own = new X509Certificate(ann.cert).fingerprint256;
  expect(together.map(({ client }) => client)).toEqual([own, own, own]);
  expect(await askThrough(await open(bob))).toMatchObject({
    isResumed: false,
    client: new X509Certificate(bob.cert).fingerprint256,
  });
});

test.each(['data', 'files'])('a client certificate as %s is shown to the server', async (form) => {
  const { url, certificate } = await server();
  const own = selfSigned();
  const user =
    form === 'data'
      ? { 'client-certificate-data': base64(own.cert), 'client-key-data': base64(own.key) }
      : { 'client-certificate': 'me.crt', 'client-key': 'me.key' };
  const cluster = { server: url, 'certificate-authority-data': base64(certificate.cert) };
  const world = await worldOf(cluster, user);
  await writeFile(join(world.directory, 'me.crt'), own.cert);
  await writeFile(join(world.directory, 'me.key'), own.key);
  const echo = await askThrough(await world.open());
  expect(echo.client).toBe(new X509Certificate(own.cert).fingerprint256);
});

test('a client certificate file that was renewed is used after a 401', async () => {
  const { url, certificate } = await server();
  const [old, renewed] = [selfSigned(), selfSigned()];
  const world = await worldOf(
    { server: url, 'certificate-authority-data': base64(certificate.cert) },
    { 'client-certificate': 'me.crt', 'client-key': 'me.key' },
  );
  const write = async (pair: typeof old) => {
    await writeFile(join(world.directory, 'me.crt'), pair.cert);
    await writeFile(join(world.directory, 'me.key'), pair.key);
  };
  await write(old);
  const connection = await world.open();
  expect((await askThrough(connection)).client).toBe(new X509Certificate(old.cert).fingerprint256);
  expect(await connection.refresh(undefined, await connection.headers())).toBe(false);
  await write(renewed);
  expect(await connection.refresh(undefined, await connection.headers())).toBe(true);
  expect((await askThrough(connection)).client).toBe(new X509Certificate(renewed.cert).fingerprint256);
});

test.each([
  ['an authority without a certificate', { 'certificate-authority-data': base64('hello') }, {}],
  ['an authority that is no base64', { 'certificate-authority-data': '***' }, {}],
  ['an authority whose file is absent', { 'certificate-authority': 'absent.pem' }, {}],
  ['a certificate without its key', {}, { 'client-certificate-data': base64(selfSigned().cert) }],
  [
    'a key of another certificate',
    {},
    {
      'client-certificate-data': base64(selfSigned().cert),
      'client-key-data': base64(selfSigned().key),
    },
  ],
])('reports %s when it reads the kubeconfig', async (_, cluster, user) => {
  const world = await worldOf({ server: 'https://host', ...cluster }, user);
  await expect(world.open()).rejects.toMatchObject({ code: 'bad-certificate-data', name: 'CodedError' });
});

test('connect gives a socket with the protocol that both sides speak', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(certificate.cert) });
  const connection = await world.open();
  const socket = await connection.connect(['h2', 'http/1.1']);
  onTestFinished(() => void socket.destroy());
  expect(socket).toBeInstanceOf(TLSSocket);
  expect((socket as TLSSocket).alpnProtocol).toBe('http/1.1');
});

test('a server that never answers the TLS greeting ends with a time-out after 10 s', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const clock = new FakeClock();
  const world = await worldOf({ server: `https://127.0.0.1:${port}` }, {}, { clock });
  const connecting = (await world.open()).connect(['h2']);
  const outcome = expect(connecting).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await new Promise<void>((resolve) => silent.once('connection', () => resolve()));
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(10_000);
  // The TCP step may have ended just before. In that case the TLS step's own 10 s run now.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  if (clock.pending > 0) await clock.advance(10_000);
  await outcome;
});

test('an abort ends connecting with its reason', async () => {
  const world = await worldOf({ server: 'https://192.0.2.1' });
  const connection = await world.open();
  const ending = new AbortController();
  const connecting = connection.connect(['h2'], ending.signal);
  ending.abort(new Error('enough'));
  await expect(connecting).rejects.toThrow('enough');
});

test('a connection that the server resets in mid-body is an error of the request', async () => {
  const certificate = selfSigned();
  const resetting = createTlsServer(certificate, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => {
        for (const raw of raws) raw.resetAndDestroy();
      });
    });
  });
  const raws = new Set<Socket>();
  resetting.on('connection', (socket: Socket) => raws.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void resetting.close());
  const { port } = resetting.address() as AddressInfo;
  const world = await worldOf({
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': base64(certificate.cert),
  });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a refused port is the error of the system', async () => {
  const started = await startEchoServer();
  await started.close();
  const world = await worldOf({ server: started.url });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a client certificate file that was renewed is used within a minute, once both files are new', async () => {
  const { url, certificate } = await server();
  const [old, renewed] = [selfSigned(), selfSigned()];
  const clock = new FakeClock();
  const world = await worldOf(
    { server: url, 'certificate-authority-data': base64(certificate.cert) },
    { 'client-certificate': 'me.crt', 'client-key': 'me.key' },
    { clock },
  );
  const write = (file: string, text: string) => writeFile(join(world.directory, file), text);
  await write('me.crt', old.cert);
  await write('me.key', old.key);
  const connection = await world.open();
  const shown = async () => (await askThrough(connection)).client;
  await write('me.crt', renewed.cert);
  await clock.advance(60_000);
  expect(await shown()).toBe(new X509Certificate(old.cert).fingerprint256);
  await write('me.key', renewed.key);
  expect(await shown()).toBe(new X509Certificate(old.cert).fingerprint256);
  await clock.advance(60_000);
  expect(await shown()).toBe(new X509Certificate(renewed.cert).fingerprint256);
});

test('user and password of the server URL are sent where the user has nothing else', async () => {
  const { url, certificate } = await server();
  const cluster = {
    server: url.replace('https://', 'https://ann:p%40ss@'),
    'certificate-authority-data': base64(certificate.cert),
  };
  const bare = await askThrough(await (await worldOf(cluster)).open());
  expect(bare.headers.authorization).toBe(`Basic ${base64('ann:p@ss')}`);
  const token = await askThrough(await (await worldOf(cluster, { token: 't' })).open());
  expect(token.headers.authorization).toBe('Bearer t');
});

test('a given bearer token replaces all credentials of the kubeconfig, including impersonation', async () => {
  const { url, certificate } = await server();
  const cluster = { server: url, 'certificate-authority-data': base64(certificate.cert) };
  const world = await worldOf(cluster, { token: 'of the file', as: 'root', username: 'ann', password: 'pw' });
  const connection = await world.open({ bearer: 'of-the-person' });
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer of-the-person' });
  expect(connection.user).toBe('');
  expect(await connection.refresh()).toBe(false);
  const broken = await worldOf(cluster, { exec: { command: '/nowhere/plugin' }, 'client-key': 'absent.pem' });
  expect(await (await broken.open({ bearer: 'x' })).headers()).toEqual({ Authorization: 'Bearer x' });
});

test('a bearer token that is no header is refused', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(certificate.cert) });
  await expect(world.open({ bearer: 'a\r\nX-Evil: 1' })).rejects.toBeInstanceOf(CodedError);
});

test('a kubeconfig that is already loaded is not loaded again', async () => {
  const { url, certificate } = await server();
  const world = await worldOf({ server: url, 'certificate-authority-data': base64(certificate.cert) });
  const loaded = await loadKubeconfig({ files: [world.file], from: 'explicit' });
  await writeFile(world.file, 'broken: [');
  expect((await world.open({ loaded })).server.href).toBe(`${url}/`);
});
