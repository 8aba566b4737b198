import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { askThrough, startEchoServer } from '../../../../test/support/connection/echo-server.ts';
import { base64, folder, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { openConnection } from '../connection/open-connection.ts';
import { FakeClock } from '../values/clock.ts';

const FAR = { server: 'https://127.0.0.1:1' };

async function echoWorld(user: object) {
  const server = await startEchoServer();
  onTestFinished(() => server.close());
  const cluster = { server: server.url, 'certificate-authority-data': base64(server.certificate.cert) };
  return worldOf(cluster, user);
}

test('without a user, and with an empty one, no Authorization is sent', async () => {
  const world = await echoWorld({});
  expect((await askThrough(await world.open())).headers.authorization).toBeUndefined();
});

test('token', async () => {
  const world = await echoWorld({ token: 'abc.def' });
  expect((await askThrough(await world.open())).headers.authorization).toBe('Bearer abc.def');
});

test('basic, in UTF-8', async () => {
  const world = await echoWorld({ username: 'änn', password: 'p:ß' });
  const sent = (await askThrough(await world.open())).headers.authorization ?? '';
  expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString('utf8')).toBe('änn:p:ß');
});

test('reports a token with a line break and does not send it', async () => {
  const world = await worldOf(FAR, { token: 'abc\r\nX-Evil: 1' });
  await expect(world.open()).rejects.toMatchObject({ code: 'bad-credentials' });
});

test('tokenFile wins over token, is beside the kubeconfig, and is read again after a minute', async () => {
  const clock = new FakeClock();
  const directory = await folder();
  await writeFile(join(directory, 'token'), 'first\n');
  const world = await worldOf(FAR, { token: 'inline', tokenFile: 'token' }, { directory, clock });
  const connection = await world.open();
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer first' });
  await writeFile(join(directory, 'token'), 'second\n');
  await clock.advance(59_000);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer first' });
  await clock.advance(1_000);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer second' });
  await rm(join(directory, 'token'));
  await clock.advance(60_000);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer second' });
});

test('tokenFile is read again after a 401, and a retry is worth it when it has changed', async () => {
  const directory = await folder();
  await writeFile(join(directory, 'token'), 'first');
  const connection = await (await worldOf(FAR, { tokenFile: 'token' }, { directory })).open();
  expect(await connection.refresh(undefined, await connection.headers())).toBe(false);
  const sent = await connection.headers();
  await writeFile(join(directory, 'token'), 'second');
  expect(await connection.refresh(undefined, sent)).toBe(true);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer second' });
});

test('a tokenFile that is absent or empty is an error without a token, else the token is used', async () => {
  const world = await worldOf(FAR, { tokenFile: 'absent' });
  await expect(world.open()).rejects.toMatchObject({ code: 'token-file-unreadable' });
  const empty = await worldOf(FAR, { tokenFile: 'empty' });
  await writeFile(join(empty.directory, 'empty'), ' \n');
  await expect(empty.open()).rejects.toMatchObject({ code: 'token-file-unreadable' });
  const both = await worldOf(FAR, { tokenFile: 'absent', token: 'inline' });
  expect(await (await both.open()).headers()).toEqual({ Authorization: 'Bearer inline' });
});

test('a static token is not worth a retry', async () => {
  const connection = await (await worldOf(FAR, { token: 'x' })).open();
  expect(await connection.refresh(undefined, await connection.headers())).toBe(false);
  expect(await connection.refresh()).toBe(false);
});

test('a client certificate and a token go together', async () => {
  const own = selfSigned();
  const world = await echoWorld({
    token: 'abc',
    'client-certificate-data': base64(own.cert),
    'client-key-data': base64(own.key),
  });
  const echo = await askThrough(await world.open());
  expect(echo.headers.authorization).toBe('Bearer abc');
  expect(echo.client).not.toBe('');
});

test('impersonation: user, uid, groups and extra, each value a header of its own', async () => {
  const world = await echoWorld({
    token: 'abc',
    as: 'jörg',
    'as-uid': 'u-1',
    'as-groups': ['dev', 'ops'],
    'as-user-extra': { 'acme.com/scopes%': ['view', 'edit'], reason: ['x'] },
  });
  const { rawHeaders } = await askThrough(await world.open());
  const sent = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 && name.startsWith('Impersonate')
      ? [`${name}: ${Buffer.from(rawHeaders[i + 1] ?? '', 'latin1').toString('utf8')}`]
      : [],
  );
  expect(sent).toEqual([
    'Impersonate-User: jörg',
    'Impersonate-Uid: u-1',
    'Impersonate-Group: dev',
    'Impersonate-Group: ops',
    'Impersonate-Extra-acme.com%2Fscopes%25: view',
    'Impersonate-Extra-acme.com%2Fscopes%25: edit',
    'Impersonate-Extra-reason: x',
  ]);
});

test('groups without a user to impersonate are an error, as for kubectl', async () => {
  await expect((await worldOf(FAR, { 'as-groups': ['x'] })).open()).rejects.toMatchObject({
    code: 'bad-impersonation',
  });
});

test.each(['gcp', 'azure', 'openstack', ''])(
  'reports that the auth-provider %s was removed',
  async (name) => {
    const world = await worldOf(FAR, { 'auth-provider': { name } });
    await expect(world.open()).rejects.toEqual(kubeFailed('auth-provider-removed', { provider: name }));
  },
);

async function serviceAccount(files: Record<string, string>): Promise<string> {
  const directory = await folder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

test('in-cluster: token, authority and namespace of the service account', async () => {
  const server = await startEchoServer();
  onTestFinished(() => server.close());
  const clock = new FakeClock();
  const directory = await serviceAccount({
    token: 'sa-1',
    'ca.crt': server.certificate.cert,
    namespace: 'ops',
  });
  const connection = await openConnection({
    inCluster: true,
    env: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) },
    homeDirectory: directory,
    clock,
    serviceAccountDirectory: directory,
  });
  onTestFinished(() => connection.close());
  expect(connection).toMatchObject({ context: 'in-cluster', namespace: 'ops' });
  expect((await askThrough(connection)).headers.authorization).toBe('Bearer sa-1');
  await writeFile(join(directory, 'token'), 'sa-2');
  await clock.advance(60_000);
  expect((await askThrough(connection)).headers.authorization).toBe('Bearer sa-2');
});

test('in-cluster: an IPv6 host, and a pod without a namespace file', async () => {
  const directory = await serviceAccount({ token: 'x' });
  const connection = await openConnection({
    inCluster: true,
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
    homeDirectory: directory,
    clock: new FakeClock(),
    serviceAccountDirectory: directory,
  });
  expect(connection.server.host).toBe('[fd00::1]');
  expect(connection.namespace).toBe('default');
});

test.each([
  ['no environment', {}, { token: 'x' }],
  ['no token', { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }, {}],
  ['no port', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, { token: 'x' }],
  ['nonsense', { KUBERNETES_SERVICE_HOST: 'a b', KUBERNETES_SERVICE_PORT: 'x' }, { token: 'x' }],
])('in-cluster: %s is in-cluster-missing', async (_, env, files) => {
  const directory = await serviceAccount(files as Record<string, string>);
  const opening = openConnection({
    inCluster: true,
    env,
    homeDirectory: directory,
    clock: new FakeClock(),
    serviceAccountDirectory: directory,
  });
  await expect(opening).rejects.toMatchObject({ code: 'in-cluster-missing' });
});

test('whom to act as replaces whom the kubeconfig impersonates, with a token of its own too', async () => {
  const world = await echoWorld({
    token: 'abc',
    as: 'old',
    'as-uid': '1',
    'as-groups': ['old-group'],
    'as-user-extra': { reason: ['on call'] },
  });
  const impersonate = { user: 'ann', uid: undefined, groups: ['dev', 'ops'] };
  const { headers } = await askThrough(await world.open({ impersonate }));
  expect(headers).toMatchObject({
    authorization: 'Bearer abc',
    'impersonate-user': 'ann',
    'impersonate-group': 'dev, ops',
    'impersonate-extra-reason': 'on call',
  });
  expect(headers['impersonate-uid']).toBeUndefined();
  const withToken = (await askThrough(await world.open({ impersonate, bearer: 'other' }))).headers;
  expect(withToken).toMatchObject({ authorization: 'Bearer other', 'impersonate-user': 'ann' });
  expect(withToken['impersonate-extra-reason']).toBeUndefined();
});
