import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { askThrough, startEchoServer } from '../../../../test/support/connection/echo-server.ts';
import { base64, folder, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { FakeClock } from '../values/clock.ts';
import { CodedError } from '../values/coded-error.ts';
import type { KubeNotice } from '../values/failures.ts';

const V1 = 'client.authentication.k8s.io/v1';
const V1BETA1 = 'client.authentication.k8s.io/v1beta1';

/** Makes a folder with a real plugin: a Node program that counts its runs in `runs` and then runs `body`. */
async function plugin(body: string): Promise<string> {
  const directory = await folder();
  const file = join(directory, 'plugin');
  const program = `#!${process.execPath}
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(join(directory, 'runs'))}, 'x');
const run = fs.readFileSync(${JSON.stringify(join(directory, 'runs'))}).length;
const answer = (status, version = '${V1}') => process.stdout.write(JSON.stringify({ kind: 'ExecCredential', apiVersion: version, status }));
${body}
`;
  await writeFile(file, program);
  await chmod(file, 0o755);
  return directory;
}

async function runsIn(directory: string): Promise<number> {
  return (await readFile(join(directory, 'runs'))).length;
}

async function worldWith(
  directory: string,
  exec: object = {},
  cluster: object = {},
  clock = new FakeClock(),
) {
  const user = { exec: { apiVersion: V1, command: './plugin', interactiveMode: 'Never', ...exec } };
  return worldOf({ server: 'https://127.0.0.1:1', ...cluster }, user, { directory, clock });
}

test('the token of a plugin beside the kubeconfig is sent, and kept without an expiry', async () => {
  const directory = await plugin(`answer({ token: 't' + run })`);
  const connection = await (await worldWith(directory)).open();
  expect(existsSync(join(directory, 'runs'))).toBe(false);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t1' });
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t1' });
  expect(await runsIn(directory)).toBe(1);
});

test('finds a plugin in PATH', async () => {
  const directory = await plugin(`answer({ token: 'found' })`);
  const connection = await (await worldWith(directory, { command: 'plugin' })).open({
    env: { PATH: directory },
  });
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer found' });
});

test('an answer is kept until its expirationTimestamp', async () => {
  const clock = new FakeClock();
  const expiry = new Date(clock.now() + 60_000).toISOString();
  const directory = await plugin(`answer({ token: 't' + run, expirationTimestamp: '${expiry}' })`);
  const connection = await (await worldWith(directory, {}, {}, clock)).open();
  await connection.headers();
  await clock.advance(59_999);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t1' });
  await clock.advance(1);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t2' });
});

test('many requests at once run the plugin once; many refusals at once refresh once', async () => {
  const directory = await plugin(`setTimeout(() => answer({ token: 't' + run }), 50)`);
  const connection = await (await worldWith(directory)).open();
  const sent = await Promise.all(Array.from({ length: 5 }, () => connection.headers()));
  expect(await runsIn(directory)).toBe(1);
  const worth = await Promise.all(sent.map((headers) => connection.refresh(undefined, headers)));
  expect(worth).toEqual([true, true, true, true, true]);
  expect(await connection.refresh(undefined, sent[0])).toBe(true);
  expect(await runsIn(directory)).toBe(2);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer t2' });
});

test.each([
  [V1, 'Never', true, false],
  [V1, 'IfAvailable', true, true],
  [V1, 'IfAvailable', false, false],
  [V1BETA1, undefined, false, false],
  [V1, 'Always', true, true],
])(
  '%s, interactiveMode %s, terminal %s: passes interactive %s',
  async (apiVersion, interactiveMode, terminal, reported) => {
    const directory = await plugin(
      `answer({ token: Buffer.from(process.env.KUBERNETES_EXEC_INFO).toString('hex') }, '${apiVersion}')`,
    );
    const world = await worldWith(directory, { apiVersion, interactiveMode });
    const headers = await (await world.open({ interactive: terminal })).headers();
    const info = Buffer.from(String(headers.Authorization).slice(7), 'hex').toString('utf8');
    expect(JSON.parse(info)).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: reported } });
  },
);

test('interactiveMode Always without a terminal is an error; v1 without interactiveMode too', async () => {
  const directory = await plugin(`answer({ token: 'x' })`);
  await expect((await worldWith(directory, { interactiveMode: 'Always' })).open()).rejects.toMatchObject({
    code: 'exec-plugin-failed',
  });
  await expect((await worldWith(directory, { interactiveMode: undefined })).open()).rejects.toMatchObject({
    code: 'kubeconfig-invalid',
  });
});

test('provideClusterInfo, env and args reach the plugin', async () => {
  const directory = await plugin(
    `const { KUBERNETES_EXEC_INFO, EXTRA, OUTER } = process.env;
     const seen = JSON.stringify([JSON.parse(KUBERNETES_EXEC_INFO).spec.cluster, EXTRA, OUTER, process.argv.slice(2)]);
     answer({ token: Buffer.from(seen).toString('hex') })`,
  );
  const ca = selfSigned().cert;
  const world = await worldWith(
    directory,
    { provideClusterInfo: true, env: [{ name: 'EXTRA', value: 'e' }], args: ['get', 'token x'] },
    {
      server: 'https://host/k8s',
      'certificate-authority-data': base64(ca),
      'tls-server-name': 'sni',
      'proxy-url': 'http://p:1',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } }],
    },
  );
  const headers = await (await world.open({ env: { PATH: '/bin', OUTER: 'o' } })).headers();
  expect(JSON.parse(Buffer.from(String(headers.Authorization).slice(7), 'hex').toString('utf8'))).toEqual([
    {
      server: 'https://host/k8s',
      'certificate-authority-data': base64(ca),
      'tls-server-name': 'sni',
      'proxy-url': 'http://p:1',
      config: { audience: 'me' },
    },
    'e',
    'o',
    ['get', 'token x'],
  ]);
});

test('client certificates of a plugin are shown to the server, each rotation on sockets of its own', async () => {
  const server = await startEchoServer();
  onTestFinished(() => server.close());
  const pairs = [selfSigned(), selfSigned()];
  const directory = await plugin(
    `const pair = ${JSON.stringify(pairs)}[run - 1]; answer({ clientCertificateData: pair.cert, clientKeyData: pair.key })`,
  );
  const world = await worldWith(
    directory,
    {},
    { server: server.url, 'certificate-authority-data': base64(server.certificate.cert) },
  );
  const connection = await world.open();
  const print = (index: number) => new X509Certificate(pairs[index]?.cert ?? '').fingerprint256;
  expect((await askThrough(connection)).client).toBe(print(0));
  const first = connection.agent();
  expect(await connection.refresh(undefined, await connection.headers())).toBe(true);
  expect((await askThrough(connection)).client).toBe(print(1));
  expect(connection.agent()).not.toBe(first);
});

test('a plugin that is missing: installHint, else PATH', async () => {
  const directory = await folder();
  const hinted = await worldWith(directory, { command: 'no-such-plugin', installHint: 'brew install it\n' });
  await expect((await hinted.open()).headers()).rejects.toEqual(
    kubeFailed('exec-plugin-missing', {
      plugin: 'no-such-plugin',
      path: process.env.PATH ?? '',
      installHint: 'brew install it',
    }),
  );
  const bare = await worldWith(directory, { command: 'no-such-plugin' });
  await expect((await bare.open({ env: { PATH: '/nowhere' } })).headers()).rejects.toEqual(
    kubeFailed('exec-plugin-missing', { plugin: 'no-such-plugin', path: '/nowhere', installHint: '' }),
  );
  const path = await worldWith(directory, { command: './absent' });
  await expect((await path.open()).headers()).rejects.toEqual(
    kubeFailed('exec-plugin-missing', {
      plugin: './absent',
      file: join(directory, 'absent'),
      installHint: '',
    }),
  );
});

test('a failing plugin: its exit code and its output', async () => {
  const directory = await plugin(
    `process.stderr.write('token has expired, log in\\n'); process.exitCode = 3;`,
  );
  await expect((await (await worldWith(directory)).open()).headers()).rejects.toEqual(
    kubeFailed('exec-plugin-failed', {
      problem: 'run',
      plugin: './plugin',
      command: './plugin',
      why: { end: 'exit', exitCode: 3, printed: 'token has expired, log in' },
    }),
  );
});

test('the next caller after a moment runs a failed plugin again', async () => {
  const clock = new FakeClock();
  const directory = await plugin(`if (run === 1) process.exitCode = 1; else answer({ token: 'ok' })`);
  const connection = await (await worldWith(directory, {}, {}, clock)).open();
  await expect(connection.headers()).rejects.toMatchObject({ code: 'exec-plugin-failed' });
  await clock.advance(2_999);
  await expect(connection.headers()).rejects.toMatchObject({ code: 'exec-plugin-failed' });
  expect(await runsIn(directory)).toBe(1);
  await clock.advance(1);
  expect(await connection.headers()).toEqual({ Authorization: 'Bearer ok' });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'process.stdout.write("{secret")'],
  ['a list', 'process.stdout.write("[]")'],
  ['another version', `answer({ token: 'x' }, '${V1BETA1}')`],
  ['no status', 'answer(undefined)'],
  ['an empty status', 'answer({})'],
  ['a certificate without its key', 'answer({ clientCertificateData: "x" })'],
  ['a token that is a number', 'answer({ token: 5 })'],
  ['a token with a line break', 'answer({ token: "a\\nb" })'],
  ['an expiry that is no time', 'answer({ token: "x", expirationTimestamp: "soon" })'],
  ['a certificate that is none', 'answer({ clientCertificateData: "x", clientKeyData: "y" })'],
  ['too much', 'process.stdout.write(Buffer.alloc(11 * 1024 * 1024, 32))'],
])('a plugin that answers %s is an error that shows no secret', async (_, body) => {
  const directory = await plugin(body);
  const error = await (await (await worldWith(directory)).open())
    .headers()
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof CodedError)) throw error;
  expect(error.code).toMatch(/^(exec-plugin-failed|bad-.*)$/);
  expect(JSON.stringify(error.data)).not.toContain('secret');
});

test('a plugin that hangs is ended by the abort, with its children', async () => {
  const directory = await plugin(
    `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
     fs.writeFileSync(__dirname + '/pids.tmp', process.pid + ' ' + child.pid);
     fs.renameSync(__dirname + '/pids.tmp', __dirname + '/pids');
     setInterval(() => {}, 1000);`,
  );
  const connection = await (await worldWith(directory)).open();
  const ending = new AbortController();
  const outcome = expect(connection.headers(ending.signal)).rejects.toThrow('enough');
  const pids = join(directory, 'pids');
  while (!existsSync(pids)) await new Promise((resolve) => setImmediate(resolve));
  ending.abort(new Error('enough'));
  await outcome;
  for (const pid of (await readFile(pids, 'utf8')).split(' ')) {
    while (await isRunning(Number(pid))) await new Promise((resolve) => setImmediate(resolve));
  }
});

test('one that leaves does not end the run for the others', async () => {
  const directory = await plugin(`setTimeout(() => answer({ token: 't' + run }), 100)`);
  const connection = await (await worldWith(directory)).open();
  const ending = new AbortController();
  const left = expect(connection.headers(ending.signal)).rejects.toThrow('left');
  const stays = connection.headers();
  ending.abort(new Error('left'));
  await left;
  expect(await stays).toEqual({ Authorization: 'Bearer t1' });
  expect(await runsIn(directory)).toBe(1);
});

test.each([
  { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
  { command: '' },
  { args: 'x' },
  { env: [{ value: 'x' }] },
  { interactiveMode: 'Sometimes' },
])('exec %o is kubeconfig-invalid', async (exec) => {
  const directory = await folder();
  await expect((await worldWith(directory, exec)).open()).rejects.toMatchObject({
    code: 'kubeconfig-invalid',
  });
});

/** Counts a zombie that nobody has waited for yet as ended. */
async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return state !== undefined && !/\) [ZX]/.test(state);
}

test('a plugin beside a client certificate is not run, as for kubectl', async () => {
  const directory = await plugin(`answer({ token: 't' })`);
  const own = selfSigned();
  const user = {
    'client-certificate-data': base64(own.cert),
    'client-key-data': base64(own.key),
    exec: { apiVersion: V1, command: './plugin', interactiveMode: 'Never' },
  };
  const world = await worldOf({ server: 'https://127.0.0.1:1' }, user, { directory });
  expect(await (await world.open()).headers()).toEqual({});
  expect(existsSync(join(directory, 'runs'))).toBe(false);
});

test('a plugin that takes long and says nothing is named', async () => {
  const directory = await plugin('setInterval(() => {}, 1000);');
  const clock = new FakeClock();
  const notices: KubeNotice[] = [];
  const connection = await (await worldWith(directory, {}, {}, clock)).open({
    onNotice: (notice) => notices.push(notice),
  });
  const ending = new AbortController();
  const outcome = expect(connection.headers(ending.signal)).rejects.toThrow('enough');
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(2000);
  expect(notices).toEqual([{ code: 'exec-plugin-slow', data: { plugin: './plugin' } }]);
  ending.abort(new Error('enough'));
  await outcome;
});

test('what a plugin that takes long says is shown as it comes', async () => {
  const directory = await plugin(`
process.stderr.write('log in there\\n');
process.on('SIGUSR1', () => process.stderr.write('still waiting\\n'));
setInterval(() => {}, 1000);
fs.writeFileSync(__dirname + '/pid', String(process.pid));`);
  const clock = new FakeClock();
  const shown: string[] = [];
  const connection = await (await worldWith(directory, {}, {}, clock)).open({
    onPluginOutput: (bytes) => shown.push(Buffer.from(bytes).toString()),
  });
  const ending = new AbortController();
  const outcome = expect(connection.headers(ending.signal)).rejects.toThrow('enough');
  await vi.waitUntil(() => existsSync(join(directory, 'pid')), { timeout: 60_000 });
  expect(shown).toEqual([]);
  await clock.advance(2000);
  await vi.waitUntil(() => shown.length === 1, { timeout: 60_000 });
  process.kill(Number(await readFile(join(directory, 'pid'), 'utf8')), 'SIGUSR1');
  await vi.waitUntil(() => shown.length === 2, { timeout: 60_000 });
  expect(shown).toEqual(['log in there\n', 'still waiting\n']);
  ending.abort(new Error('enough'));
  await outcome;
});
