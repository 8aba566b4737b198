import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../../../../../../test/support/cli/capture.ts';
import { parseCommandLine } from '../../flags/find-command.ts';
import { CliError } from '../../messages/cli-error.ts';
import { worded } from '../../messages/worded.ts';
import { planServe } from './plan-serve.ts';
import type { ServePlan } from './serve-plan.ts';

async function planOf(
  argv: readonly string[],
  env: Record<string, string> = {},
  file?: string,
): Promise<ServePlan> {
  const more = file === undefined ? [] : ['--config', await write(file)];
  return planServe(capture([], { env }).context, parseCommandLine(['serve', ...argv, ...more]));
}

async function codeOf(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  try {
    await planOf(argv, env);
    return 'no error';
  } catch (error) {
    if (error instanceof CliError && error.exit === 'usage') return error.code;
    throw error;
  }
}

async function write(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-serve-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'config.yaml');
  await writeFile(path, text);
  return path;
}

test('without flags it is for the machine itself', async () => {
  expect(await planOf([])).toEqual({
    host: 'localhost',
    port: 7500,
    mayMove: true,
    metricsPort: undefined,
    logLevel: 'info',
    skipOpen: false,
    auth: 'none',
    isOpenToOthers: false,
    sessionKeyFile: undefined,
    allowedHosts: [],
    allowedNamespaces: [],
    basePath: '',
    columns: ['timestamp', 'dot'],
    connection: {
      kubeconfig: undefined,
      context: undefined,
      inCluster: false,
      impersonate: undefined,
      bearer: undefined,
      requestTimeoutMs: undefined,
      flags: '',
      asFlags: '',
    },
  });
});

test('flag, then environment, then file', async () => {
  const file = `commands: { serve: { host: 127.0.0.3, port: 1003, skip-open: true } }
dashboard: { columns: [pod, timestamp] }
general: { kubeconfig: /file/config }`;
  const env = { LOGTOOL_HOST: '127.0.0.2', LOGTOOL_PORT: '1002', LOGTOOL_SKIP_OPEN: 'false' };
  const ofFile = await planOf([], {}, file);
  expect(ofFile).toMatchObject({ host: '127.0.0.3', port: 1003, mayMove: false, skipOpen: true });
  expect(ofFile).toMatchObject({ columns: ['pod', 'timestamp'], connection: { kubeconfig: '/file/config' } });
  expect(await planOf([], env, file)).toMatchObject({ host: '127.0.0.2', port: 1002, skipOpen: false });
  const flags = ['--host=127.0.0.1', '-p', '1001', '--skip-open', '--kubeconfig', '/flag/config'];
  expect(await planOf(flags, env, file)).toMatchObject({
    host: '127.0.0.1',
    port: 1001,
    skipOpen: true,
    connection: { kubeconfig: '/flag/config' },
  });
});

test('a file that was written with the defaults chooses no port', async () => {
  expect(await planOf([], {}, 'commands: { serve: { port: 7500 } }')).toMatchObject({
    port: 7500,
    mayMove: true,
  });
  expect(await planOf(['-p7500'])).toMatchObject({ port: 7500, mayMove: false });
  expect(await planOf([], { LOGTOOL_PORT: '7500' })).toMatchObject({ mayMove: false });
});

test('other flags by their variables', async () => {
  const env = {
    LOGTOOL_LOG_LEVEL: 'debug',
    LOGTOOL_AUTH: 'token',
    LOGTOOL_ALLOWED_HOST: 'a.example,b.example:8443',
    LOGTOOL_ALLOWED_NAMESPACES: 'shop,web',
    LOGTOOL_BASE_PATH: '/logs/',
    LOGTOOL_IN_CLUSTER: '1',
  };
  expect(await planOf([], env)).toMatchObject({
    logLevel: 'debug',
    auth: 'token',
    allowedHosts: ['a.example', 'b.example:8443'],
    allowedNamespaces: ['shop', 'web'],
    basePath: '/logs',
    connection: { inCluster: true },
  });
});

test('the context is chosen as it is for other commands: flag, variable, file', async () => {
  const file = 'commands: { logs: { kube-context: blue } }';
  const contextOf = async (...given: Parameters<typeof planOf>) =>
    (await planOf(...given)).connection.context;
  expect(await contextOf([], {}, file)).toBe('blue');
  expect(await contextOf([], { LOGTOOL_KUBE_CONTEXT: 'green' }, file)).toBe('green');
  expect(await contextOf(['--kube-context=red'], { LOGTOOL_KUBE_CONTEXT: 'green' }, file)).toBe('red');
  expect(await contextOf(['--kube-context='], {}, file)).toBeUndefined();
  expect(await codeOf(['--in-cluster', '--kube-context=red'])).toBe('in-cluster-with-kubeconfig');
});

test('metrics have a port of their own', async () => {
  expect(await planOf(['--metrics-port=9464'])).toMatchObject({ metricsPort: 9464 });
  expect(await planOf([], { LOGTOOL_METRICS_PORT: '0' })).toMatchObject({ metricsPort: 0 });
  expect(await codeOf(['--metrics-port=7500'])).toBe('metrics-port-taken');
  expect(await planOf(['--port=0', '--metrics-port=0'])).toMatchObject({ port: 0, metricsPort: 0 });
  expect(await codeOf(['--metrics-port=65536'])).toBe('bad-port');
});

test('session keys belong to the sign-in with Kubernetes tokens', async () => {
  const flag = '--session-key-file=/etc/logtool/keys';
  expect(await planOf(['--auth=kubernetes', flag])).toMatchObject({ sessionKeyFile: '/etc/logtool/keys' });
  expect(await planOf(['--auth=kubernetes'], { LOGTOOL_SESSION_KEY_FILE: '/keys' })).toMatchObject({
    sessionKeyFile: '/keys',
  });
  for (const auth of ['--auth=token', '--auth=none'])
    expect(await codeOf([auth, flag])).toBe('session-key-file-without-kubernetes');
  expect(await codeOf([flag])).toBe('session-key-file-without-kubernetes');
});

test('a list in a flag replaces that of the environment', async () => {
  const env = { LOGTOOL_ALLOWED_NAMESPACES: 'shop', LOGTOOL_ALLOWED_HOST: 'a.example' };
  const argv = ['--allowed-namespaces=web', '--allowed-namespaces=db', '--allowed-host=b.example'];
  expect(await planOf(argv, env)).toMatchObject({
    allowedNamespaces: ['web', 'db'],
    allowedHosts: ['b.example'],
  });
});

test('the default suits the place: in a pod everyone has a token of their own', async () => {
  const nextOf = (argv: readonly string[]) =>
    planOf(argv).then(
      () => 'nothing',
      (error: CliError) => worded(error).next,
    );
  expect(await nextOf(['--host=0.0.0.0'])).toMatch(/^give --auth token;/);
  expect(await nextOf(['--host=0.0.0.0', '--in-cluster'])).toMatch(/^give --auth kubernetes;/);
});

test.each(['0.0.0.0', '::', '192.168.1.7', 'logs.example.com', '128.0.0.1', 'localhost.example.com'])(
  'beyond the machine itself it requires a choice of who may enter: %s',
  async (host) => {
    expect(await codeOf(['--host', host])).toBe('auth-needed');
    expect(await codeOf([], { LOGTOOL_HOST: host })).toBe('auth-needed');
    expect(await planOf(['--host', host, '--auth=token'])).toMatchObject({ host, isOpenToOthers: false });
    expect(await planOf(['--host', host, '--auth=none'])).toMatchObject({ host, isOpenToOthers: true });
  },
);

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '[::1]'])(
  'the machine itself: %s',
  async (host) => {
    expect(await planOf(['--host', host])).toMatchObject({ auth: 'none', isOpenToOthers: false });
  },
);

test.each([
  [['--port=70000'], 'bad-port'],
  [['--port=-1'], 'count-negative'],
  [['--port=x'], 'count-not-integer'],
  [['--host='], 'empty-value'],
  [['--host=a b'], 'bad-host'],
  [['--host=a:80'], 'bad-host'],
  [['--base-path=/a/../b'], 'bad-base-path'],
  [['--base-path=/a//b'], 'bad-base-path'],
  [['--base-path=/a"onload='], 'bad-base-path'],
  [['--allowed-namespaces=Shop'], 'bad-namespace'],
  [['--allowed-namespaces='], 'empty-value'],
  [['--allowed-host=*'], 'bad-allowed-host'],
  [['--in-cluster', '--kubeconfig=x'], 'in-cluster-with-kubeconfig'],
])('%j is a usage error', async (argv, code) => {
  expect(await codeOf(argv)).toBe(code);
});

test('a single slash is no base path; --debug asks for the log', async () => {
  expect(await planOf(['--base-path=/'])).toMatchObject({ basePath: '' });
  expect(await planOf(['--debug'])).toMatchObject({ logLevel: 'debug' });
  expect(await planOf(['--debug', '-l', 'disabled'])).toMatchObject({ logLevel: 'disabled' });
});
