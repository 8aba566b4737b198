import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askThrough, startEchoServer } from '../../../../test/support/connection/echo-server.ts';
import { base64, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import {
  type ProxyFixture,
  startConnectProxy,
  startSocksProxy,
} from '../../../../test/support/connection/proxy-servers.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import type { CodedError } from '../values/coded-error.ts';

/** Starts a server, and a cluster that names it by a host that only a proxy can reach. */
async function hiddenServer() {
  const certificate = selfSigned({ names: ['api.hidden', '127.0.0.1', 'localhost'] });
  const server = await startEchoServer({ certificate });
  onTestFinished(() => server.close());
  const cluster = {
    server: `https://api.hidden:${server.port}`,
    'certificate-authority-data': base64(certificate.cert),
  };
  return { server, cluster, certificate };
}

async function kept(proxy: Promise<ProxyFixture>): Promise<ProxyFixture> {
  const started = await proxy;
  onTestFinished(() => started.close());
  return started;
}

test('proxy-url http: the server is reached through CONNECT, with user and password', async () => {
  const { server, cluster } = await hiddenServer();
  const proxy = await kept(startConnectProxy());
  const url = `http://ann:p%40ss@127.0.0.1:${proxy.port}`;
  const world = await worldOf({ ...cluster, 'proxy-url': url });
  expect((await askThrough(await world.open())).serverName).toBe('api.hidden');
  expect(proxy.targets).toEqual([`api.hidden:${server.port}`]);
  expect(proxy.logins).toEqual(['ann:p@ss']);
});

test('proxy-url https: TLS to the proxy, and TLS to the server inside it', async () => {
  const { server, cluster, certificate } = await hiddenServer();
  const proxy = await kept(startConnectProxy({ certificate }));
  const world = await worldOf({ ...cluster, 'proxy-url': `https://localhost:${proxy.port}` });
  expect((await askThrough(await world.open())).serverName).toBe('api.hidden');
  expect(proxy.targets).toEqual([`api.hidden:${server.port}`]);
});

test('proxy-url https: refuses a proxy with an untrusted certificate', async () => {
  const { cluster } = await hiddenServer();
  const proxy = await kept(startConnectProxy({ certificate: selfSigned() }));
  const world = await worldOf({ ...cluster, 'proxy-url': `https://localhost:${proxy.port}` });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'proxy-refused' });
  expect(proxy.targets).toEqual([]);
});

test.each(['socks5', 'socks5h'])('proxy-url %s: the proxy resolves the name', async (scheme) => {
  const { server, cluster } = await hiddenServer();
  const proxy = await kept(startSocksProxy());
  const world = await worldOf({ ...cluster, 'proxy-url': `${scheme}://127.0.0.1:${proxy.port}` });
  expect((await askThrough(await world.open())).serverName).toBe('api.hidden');
  expect(proxy.targets).toEqual([`api.hidden:${server.port}`]);
});

test('proxy-url socks5: user and password', async () => {
  const { cluster } = await hiddenServer();
  const proxy = await kept(startSocksProxy({ login: 'ann:secret' }));
  const right = await worldOf({ ...cluster, 'proxy-url': `socks5://ann:secret@127.0.0.1:${proxy.port}` });
  expect((await askThrough(await right.open())).method).toBe('GET');
  const wrong = await worldOf({ ...cluster, 'proxy-url': `socks5://ann:other@127.0.0.1:${proxy.port}` });
  await expect(askThrough(await wrong.open())).rejects.toMatchObject({
    code: 'proxy-refused',
    data: { why: { code: 'socks-login-refused', data: {} } },
  });
  const none = await worldOf({ ...cluster, 'proxy-url': `socks5://127.0.0.1:${proxy.port}` });
  await expect(askThrough(await none.open())).rejects.toMatchObject({ code: 'proxy-refused' });
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['[2001:db8::7]', '20010db8000000000000000000000007'],
])('proxy-url socks5: the address %s is sent as an address', async (host, seen) => {
  const { server, cluster } = await hiddenServer();
  const proxy = await kept(startSocksProxy({ to: server.port }));
  const world = await worldOf({
    ...cluster,
    server: `https://${host}:${server.port}`,
    'tls-server-name': 'api.hidden',
    'proxy-url': `socks5://127.0.0.1:${proxy.port}`,
  });
  expect((await askThrough(await world.open())).serverName).toBe('api.hidden');
  expect(proxy.targets).toEqual([`${seen}:${server.port}`]);
});

test('reports a refusal of a SOCKS5 proxy with its reply', async () => {
  const { cluster } = await hiddenServer();
  const proxy = await kept(startSocksProxy({ reply: 2 }));
  const world = await worldOf({ ...cluster, 'proxy-url': `socks5://127.0.0.1:${proxy.port}` });
  await expect(askThrough(await world.open())).rejects.toMatchObject({
    code: 'proxy-refused',
    data: { why: { code: 'socks-reply', data: { reply: 2 } } },
  });
});

test('reports a refusal of an HTTP proxy with its status', async () => {
  const { cluster } = await hiddenServer();
  const proxy = await kept(startConnectProxy({ status: '407 Proxy Authentication Required' }));
  const world = await worldOf({ ...cluster, 'proxy-url': `http://ann:x@127.0.0.1:${proxy.port}` });
  const error = await askThrough(await world.open()).catch((caught: CodedError) => caught);
  expect(error).toMatchObject({
    code: 'proxy-refused',
    data: { why: { code: 'proxy-answered', data: { status: '407 Proxy Authentication Required' } } },
  });
  expect(JSON.stringify((error as CodedError).data)).not.toContain('ann:x');
});

test.each(['http', 'https', 'socks5'])('a missing %s proxy is proxy-refused', async (scheme) => {
  const { cluster } = await hiddenServer();
  const gone = await startConnectProxy();
  await gone.close();
  const world = await worldOf({ ...cluster, 'proxy-url': `${scheme}://127.0.0.1:${gone.port}` });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'proxy-refused' });
});

test.each([
  ['http', 'it is not for you\r\n\r\n'],
  ['http', 'x'.repeat(20_000)],
  ['http', ''],
  ['socks5', 'HTTP/1.1 400 Bad\r\n\r\n'],
  ['socks5', '\x05'],
  ['socks5', ''],
])('a %s proxy that answers nonsense is proxy-refused', async (scheme, answer) => {
  const odd = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void odd.close());
  const { port } = odd.address() as import('node:net').AddressInfo;
  const { cluster } = await hiddenServer();
  const world = await worldOf({ ...cluster, 'proxy-url': `${scheme}://127.0.0.1:${port}` });
  await expect(askThrough(await world.open())).rejects.toMatchObject({ code: 'proxy-refused' });
});

test.each(['http', 'socks5'])('a plain http server is reached through a %s tunnel too', async (scheme) => {
  const server = await startEchoServer({ tls: false });
  onTestFinished(() => server.close());
  const proxy = await kept(scheme === 'http' ? startConnectProxy() : startSocksProxy());
  const world = await worldOf({ server: `http://api.hidden:${server.port}` });
  const connection = await world.open({ env: { HTTP_PROXY: `${scheme}://127.0.0.1:${proxy.port}` } });
  expect((await askThrough(connection)).headers.host).toBe(`api.hidden:${server.port}`);
  expect(proxy.targets).toEqual([`api.hidden:${server.port}`]);
});

test('HTTPS_PROXY leads to the proxy, NO_PROXY past it, proxy-url before both', async () => {
  const { server, cluster } = await hiddenServer();
  const [first, second] = [await kept(startConnectProxy()), await kept(startConnectProxy())];
  const env = { HTTPS_PROXY: `127.0.0.1:${first.port}` };
  const world = await worldOf(cluster);
  await askThrough(await world.open({ env }));
  expect(first.targets).toEqual([`api.hidden:${server.port}`]);
  const past = await world.open({ env: { ...env, NO_PROXY: '.hidden' } });
  await expect(askThrough(past)).rejects.toMatchObject({
    code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  });
  const named = await worldOf({ ...cluster, 'proxy-url': `http://127.0.0.1:${second.port}` });
  await askThrough(await named.open({ env: { ...env, NO_PROXY: '*' } }));
  expect(second.targets).toHaveLength(1);
  expect(first.targets).toHaveLength(1);
});

test.each(['ftp://h:1', 'h:1', 'http://', 'http://[x'])('proxy-url %s is an error', async (text) => {
  const world = await worldOf({ server: 'https://host', 'proxy-url': text });
  await expect(world.open()).rejects.toMatchObject({ code: 'bad-proxy-url' });
});
