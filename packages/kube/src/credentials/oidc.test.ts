import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { startConnectProxy } from '../../../../test/support/connection/proxy-servers.ts';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import type { ClusterConnection } from '../connection/cluster-connection.ts';
import { openConnection } from '../connection/open-connection.ts';
import { FakeClock } from '../values/clock.ts';

function jwt(expiresAtMs: number, name = 'ann'): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encoded({ alg: 'none' })}.${encoded({ sub: name, exp: Math.floor(expiresAtMs / 1000) })}.sig`;
}

interface Asked {
  readonly form: Record<string, string>;
  readonly authorization: string | undefined;
}

/** Starts a real issuer: discovery, and a token endpoint that returns what `answer` returns. */
async function issuer(
  answer: (asked: Asked, count: number) => { status?: number; body: unknown },
  certificate?: { key: string; cert: string },
  host = '127.0.0.1',
) {
  const asked: Asked[] = [];
  let url = '';
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/realm/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: `${url}/realm`, token_endpoint: `${url}/token` }));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.once('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
      asked.push({ form, authorization: request.headers.authorization });
      const { status = 200, body } = answer(asked.at(-1) as Asked, asked.length);
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  };
  const server = certificate === undefined ? createServer(handle) : createTlsServer(certificate, handle);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `${certificate === undefined ? 'http' : 'https'}://${host}:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `${url}/realm`, asked };
}

function yamlConfig(config: Record<string, string>): string {
  const lines = Object.entries(config).map(
    ([key, value]) => `        ${key}: ${JSON.stringify(value)} # of ${key}`,
  );
  return `# my clusters
apiVersion: v1
kind: Config
current-context: here
clusters:
- name: one
  cluster: {server: "https://127.0.0.1:1", future-field: [1, 2]}
contexts:
- name: here
  context: {cluster: one, user: ann}
users:
- name: bob
  user: {token: "0123"}   # not ann
- name: ann
  user:
    auth-provider:
      name: oidc
      config:
${lines.join('\n')}
`;
}

async function openFile(
  file: string,
  clock: FakeClock,
  notices: string[] = [],
  env: Record<string, string> = {},
): Promise<ClusterConnection> {
  const connection = await openConnection({
    kubeconfig: file,
    env,
    homeDirectory: '/nowhere',
    clock,
    interactive: false,
    onNotice: (notice) => notices.push(notice.code),
  });
  onTestFinished(() => connection.close());
  return connection;
}

async function written(text: string, name = 'config'): Promise<string> {
  const file = join(await folder(), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

test('a valid id-token is sent unchanged', async () => {
  const clock = new FakeClock();
  const token = jwt(clock.now() + 60_000);
  const connection = await openFile(await written(yamlConfig({ 'id-token': token })), clock);
  expect(await connection.headers()).toEqual({ Authorization: `Bearer ${token}` });
  await clock.advance(50_000);
  await expect(connection.headers()).rejects.toEqual(
    kubeFailed('oidc-refresh-failed', { issuer: '', why: { code: 'id-token-expired', data: {} } }),
  );
});

test('renews an expired token once for all; writes rotated tokens back, and changes nothing else', async () => {
  const clock = new FakeClock();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url, asked } = await issuer(() => ({ body: { id_token: fresh, refresh_token: 'r2' } }));
  const config = {
    'idp-issuer-url': url,
    'client-id': 'app',
    'client-secret': 's:1',
    'id-token': jwt(clock.now() - 1),
    'refresh-token': 'r1',
  };
  const file = await written(yamlConfig(config));
  await chmod(file, 0o640);
  const connection = await openFile(file, clock);
  const all = await Promise.all([connection.headers(), connection.headers(), connection.headers()]);
  expect(all).toEqual(Array(3).fill({ Authorization: `Bearer ${fresh}` }));
  expect(asked).toEqual([
    {
      form: { grant_type: 'refresh_token', refresh_token: 'r1' },
      authorization: `Basic ${Buffer.from('app:s%3A1').toString('base64')}`,
    },
  ]);
  const before = yamlConfig({ ...config, 'id-token': fresh, 'refresh-token': 'r2' });
  const after = await readFile(file, 'utf8');
  expect(load(after)).toEqual(load(before));
  for (const comment of ['# my clusters', '# not ann', '# of client-id']) expect(after).toContain(comment);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(join(file, '..'))).toEqual(['config']);
  const seen = await kubectl(
    [
      'config',
      'view',
      '--raw',
      '-o',
      'jsonpath={.users[?(@.name=="ann")].user.auth-provider.config.refresh-token}',
    ],
    { kubeconfig: file },
  );
  expect(seen.stdout.toString('utf8')).toBe('r2');
});

test('a JSON kubeconfig stays JSON', async () => {
  const clock = new FakeClock();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh } }));
  const document = load(yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' })) as {
    users: { user: Record<string, { config: Record<string, string> }> }[];
  };
  const file = await written(JSON.stringify(document, null, 4));
  await (await openFile(file, clock)).headers();
  document.users[1]!.user['auth-provider']!.config['id-token'] = fresh;
  expect(await readFile(file, 'utf8')).toBe(JSON.stringify(document, null, 4));
});

test('a kubeconfig that is a link: what it leads to is written, the link stays', async () => {
  const clock = new FakeClock();
  const { url } = await issuer(() => ({
    body: { id_token: jwt(clock.now() + 3_600_000), refresh_token: 'r2' },
  }));
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }),
  );
  const directory = await folder();
  const link = join(directory, 'link');
  await symlink(file, link);
  await (await openFile(link, clock)).headers();
  expect(await readFile(file, 'utf8')).toContain('r2');
  expect(await readdir(directory)).toEqual(['link']);
});

test('an issuer that wants the secret in the body gets it there', async () => {
  const clock = new FakeClock();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url, asked } = await issuer(({ authorization }) =>
    authorization ? { status: 401, body: { error: 'invalid_client' } } : { body: { id_token: fresh } },
  );
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'client-secret': 's', 'refresh-token': 'r1' }),
  );
  expect(await (await openFile(file, clock)).headers()).toEqual({ Authorization: `Bearer ${fresh}` });
  expect(asked[1]?.form).toMatchObject({ client_id: 'app', client_secret: 's', refresh_token: 'r1' });
});

test('trusts an issuer with its own authority only by idp-certificate-authority-data', async () => {
  const clock = new FakeClock();
  const certificate = selfSigned();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh } }), certificate);
  const config = { 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' };
  await expect((await openFile(await written(yamlConfig(config)), clock)).headers()).rejects.toMatchObject({
    code: 'oidc-refresh-failed',
  });
  const data = Buffer.from(certificate.cert).toString('base64');
  const file = await written(yamlConfig({ ...config, 'idp-certificate-authority-data': data }));
  expect(await (await openFile(file, clock)).headers()).toEqual({ Authorization: `Bearer ${fresh}` });
});

test('a 401 renews a token that looks good, once for all that were refused', async () => {
  const clock = new FakeClock();
  const [old, fresh] = [jwt(clock.now() + 600_000), jwt(clock.now() + 900_000)];
  const { url, asked } = await issuer(() => ({ body: { id_token: fresh } }));
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'id-token': old, 'refresh-token': 'r1' }),
  );
  const connection = await openFile(file, clock);
  const [a, b] = [await connection.headers(), await connection.headers()];
  expect(await connection.refresh(undefined, a)).toBe(true);
  expect(await connection.refresh(undefined, b)).toBe(true);
  expect(asked).toHaveLength(1);
  expect(await connection.headers()).toEqual({ Authorization: `Bearer ${fresh}` });
});

test.each([
  [
    'refuses',
    { status: 400, body: { error: 'invalid_grant', error_description: 'Session is over' } },
    { code: 'issuer-answered', data: { status: 400, description: 'Session is over' } },
  ],
  ['gives no id_token', { body: { access_token: 'x' } }, { code: 'no-id-token', data: {} }],
  [
    'answers with a page',
    { status: 502, body: '<html>' },
    { code: 'issuer-answered', data: { status: 502, description: undefined } },
  ],
] as const)('an issuer that %s is oidc-refresh-failed', async (_, answer, why) => {
  const { url } = await issuer(() => answer);
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }),
  );
  await expect((await openFile(file, new FakeClock())).headers()).rejects.toEqual(
    kubeFailed('oidc-refresh-failed', { issuer: url, why }),
  );
});

test('uses tokens that cannot be saved, and reports that', async () => {
  const clock = new FakeClock();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh } }));
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }),
  );
  const notices: string[] = [];
  const connection = await openFile(file, clock, notices);
  // Someone has removed the user meanwhile.
  await writeFile(file, 'users: []\n');
  expect(await connection.headers()).toEqual({ Authorization: `Bearer ${fresh}` });
  expect(notices).toEqual(['oidc-tokens-not-saved']);
  expect(await readFile(file, 'utf8')).toBe('users: []\n');
});

test.each([
  [
    'that an alias gives to another user too are not written',
    (text: string) => text.replace('  user:\n', '  user: &ann\n').concat('- {name: cy, user: *ann}\n'),
    ['oidc-tokens-not-saved'],
  ],
  [
    'that a merge gave are written beside it',
    (text: string) => text.replace('      config:\n', '      config:\n        <<: {id-token: x}\n'),
    [],
  ],
])('tokens %s', async (_, change, expected) => {
  const clock = new FakeClock();
  const fresh = jwt(clock.now() + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh, refresh_token: 'r2' } }));
  const text = change(yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }));
  const file = await written(text);
  const notices: string[] = [];
  expect(await (await openFile(file, clock, notices)).headers()).toEqual({
    Authorization: `Bearer ${fresh}`,
  });
  expect(notices).toEqual(expected);
  const added = `        id-token: ${JSON.stringify(fresh)}\n`;
  const saved = text.replace('"r1"', '"r2"').replace(/(?<=config:\n)/, added);
  expect(await readFile(file, 'utf8')).toBe(expected.length > 0 ? text : saved);
});

test('tokens that another program renewed meanwhile are taken from the file', async () => {
  const clock = new FakeClock();
  const [theirs, last] = [jwt(clock.now() + 600_000), jwt(clock.now() + 3_600_000)];
  const { url, asked } = await issuer(() => ({ body: { id_token: last } }));
  const config = {
    'idp-issuer-url': url,
    'client-id': 'app',
    'id-token': jwt(clock.now() - 1),
    'refresh-token': 'r1',
  };
  const file = await written(yamlConfig(config));
  const connection = await openFile(file, clock);
  await writeFile(file, yamlConfig({ ...config, 'id-token': theirs, 'refresh-token': 'r2' }));
  expect(await connection.headers()).toEqual({ Authorization: `Bearer ${theirs}` });
  expect(asked).toEqual([]);
  await clock.advance(600_000);
  expect(await connection.headers()).toEqual({ Authorization: `Bearer ${last}` });
  expect(asked[0]?.form).toMatchObject({ refresh_token: 'r2' });
});

test('waits for a lock that somebody holds, and skips an abandoned one', async () => {
  const clock = new FakeClock();
  const { url } = await issuer(() => ({
    body: { id_token: jwt(clock.now() + 3_600_000), refresh_token: 'r2' },
  }));
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }),
  );
  await mkdir(`${file}.lock`);
  const headers = (await openFile(file, clock)).headers();
  let done = false;
  headers.finally(() => {
    done = true;
  });
  while (!done) {
    if (clock.pending > 0) await clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await readFile(file, 'utf8')).toContain('r2');
  expect(await readdir(join(file, '..'))).toContain('config.lock');
});

test.each([
  '',
  'x',
  'a.b.c',
  `a.${Buffer.from('[]').toString('base64url')}.c`,
  `a.${Buffer.from('{"exp":"x"}').toString('base64url')}.c`,
])('the id-token %j has no expiry and is not sent', async (token) => {
  const connection = await openFile(await written(yamlConfig({ 'id-token': token })), new FakeClock());
  await expect(connection.headers()).rejects.toMatchObject({ code: 'oidc-refresh-failed' });
});

test('an issuer that only the proxy of the environment knows, with a certificate that the machine trusts', async () => {
  const clock = new FakeClock();
  const certificate = selfSigned({ names: ['login.hidden'] });
  const fresh = jwt(clock.now() + 3_600_000);
  const { url } = await issuer(() => ({ body: { id_token: fresh } }), certificate, 'login.hidden');
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  const machine = await written(certificate.cert, 'machine.pem');
  const file = await written(
    yamlConfig({ 'idp-issuer-url': url, 'client-id': 'app', 'refresh-token': 'r1' }),
  );
  const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: '127.0.0.1', SSL_CERT_FILE: machine };
  expect(await (await openFile(file, clock, [], env)).headers()).toEqual({
    Authorization: `Bearer ${fresh}`,
  });
  expect(proxy.targets).toEqual([new URL(url).host, new URL(url).host]);
});
