import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { dump, load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { expectGolden } from '../../support/cli/golden.ts';

interface Kubeconfig {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  'current-context': string;
}

let cluster: SimCluster;
let folder = '';
/** Nothing listens on the port of tcpmux. */
const closedPort = 1;

beforeAll(async () => {
  [cluster, folder] = await Promise.all([
    startSimCluster({ scenario: 'scenarios/minimal.yaml' }),
    mkdtemp(join(tmpdir(), 'logtool-connect-')),
  ]);
});
afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a changed copy of the cluster's kubeconfig; its user and cluster are the current ones. */
async function kubeconfig(
  name: string,
  change: (user: Record<string, unknown>, of: Record<string, unknown>) => void,
) {
  const config = load(await readFile(cluster.kubeconfig, 'utf8')) as Kubeconfig;
  const context = config.contexts.find((each) => each.name === config['current-context'])?.context;
  const user = config.users.find((each) => each.name === context?.user)?.user;
  const of = config.clusters.find((each) => each.name === context?.cluster)?.cluster;
  if (user === undefined || of === undefined) throw new Error('the kubeconfig has no current user');
  change(user, of);
  const path = join(folder, `${name}.yaml`);
  await writeFile(path, dump(config));
  return path;
}

async function errorOf(path: string, ...argv: string[]): Promise<{ code: number; stderr: string }> {
  const world = capture(['logs', 'hello', '--kubeconfig', path, ...argv], {
    overrides: { clock: systemClock },
    env: { PATH: '/usr/bin:/bin' },
  });
  const code = await run(world.context);
  expect(world.stdout()).toBe('');
  const stderr = world
    .stderr()
    .replaceAll(`${folder}/`, '')
    .replaceAll(cluster.server, 'SERVER')
    .replaceAll(`127.0.0.1:${closedPort}`, 'CLOSED');
  return { code, stderr };
}

const without = (user: Record<string, unknown>) => {
  for (const key of Object.keys(user)) delete user[key];
};
const exec = (command: string, ...args: string[]) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command, args },
});

const cases: readonly (readonly [
  string,
  (user: Record<string, unknown>, of: Record<string, unknown>) => void,
])[] = [
  [
    'unreachable',
    (_user, of) => {
      of.server = `https://127.0.0.1:${closedPort}`;
    },
  ],
  ['tls', (_user, of) => delete of['certificate-authority-data'] && delete of['certificate-authority']],
  [
    'unauthorized',
    (user) => {
      without(user);
      user.token = 'expired-token';
    },
  ],
  [
    'plugin-missing',
    (user) => {
      without(user);
      Object.assign(user, exec('no-such-plugin-of-anybody'));
    },
  ],
  [
    'plugin-fails',
    (user) => {
      without(user);
      Object.assign(user, exec('sh', '-c', 'echo "your session has expired, run: login" >&2; exit 3'));
    },
  ],
];

test.each(cases)('%s', async (name, change) => {
  const { code, stderr } = await errorOf(await kubeconfig(name, change));
  expect(code).toBe(1);
  expectGolden(`connection-errors/${name}.txt`, stderr);
});

test('kubeconfig-not-found', async () => {
  const { code, stderr } = await errorOf(join(folder, 'none.yaml'));
  expect(code).not.toBe(0);
  expectGolden('connection-errors/kubeconfig-not-found.txt', stderr);
});

test('kubeconfig-invalid', async () => {
  const path = join(folder, 'invalid.yaml');
  await writeFile(path, 'apiVersion: v1\nkind: Config\nclusters: [\n');
  const { code, stderr } = await errorOf(path);
  expect(code).not.toBe(0);
  expectGolden('connection-errors/kubeconfig-invalid.txt', stderr);
});

test('--debug shows the requests and the stack, and no secret', async () => {
  const path = await kubeconfig('debug', (user) => {
    without(user);
    user.token = 'very-secret-token';
  });
  const { stderr } = await errorOf(path, '--debug');
  expect(stderr).toMatch(/^debug: GET SERVER\/\S+ 401 \d+ms$/m);
  expect(stderr).not.toContain('very-secret-token');
});
