import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Capture, capture } from '../../../../../test/support/cli/capture.ts';
import { run } from '../run.ts';

let cluster: SimCluster;
let folder = '';
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  folder = await mkdtemp(join(tmpdir(), 'logtool-complete-'));
});
afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Much sooner than a stalled request would time out. */
const SOON = { timeout: 20_000 };

function ask(
  args: readonly string[],
  options: { readonly own?: SimCluster; readonly clock?: FakeClock } = {},
) {
  const env = { KUBECONFIG: (options.own ?? cluster).kubeconfig, XDG_CACHE_HOME: folder };
  const overrides = options.clock === undefined ? {} : { clock: options.clock };
  return capture(['__complete', ...args], { env, home: folder, overrides });
}

/** Returns the offered values, without descriptions, and the directive. */
async function offered(args: readonly string[], asked: Capture = ask(args)): Promise<readonly string[]> {
  expect(await run(asked.context)).toBe(0);
  expect(asked.stderr()).toBe('');
  return asked
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\t.*/, ''));
}

async function ownCluster(): Promise<SimCluster> {
  const own = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  onTestFinished(() => own.close());
  return own;
}

test.each<[readonly string[], readonly string[]]>([
  [
    ['logs', '--previous='],
    ['--previous=auto', '--previous=no', '--previous=only', ':4'],
  ],
  [['logs', '--previous', '--columns=timestamp,dot', '--prev'], [':4']],
  [
    ['logs', '--highlight=x', '--highl'],
    ['--highlight', ':4'],
  ],
  [
    ['logs', '--level=info,warn,e'],
    ['--level=info,warn,error', ':6'],
  ],
  [
    ['demo', '--no-b'],
    ['--no-browser', ':4'],
  ],
  [
    ['logs', 'deployments/'],
    ['deployments/web', ':4'],
  ],
  [
    ['logs', 'Deployments.v1.apps/'],
    ['Deployments.v1.apps/web', ':4'],
  ],
  [
    ['logs', 'deployments/web/'],
    ['deployments/web/app', 'deployments/web/proxy', ':4'],
  ],
  [
    ['logs', 'services/web/'],
    ['services/web/app', 'services/web/proxy', ':4'],
  ],
  [['logs', 'pods/none/'], [':4']],
  [['logs', 'nothings/'], [':4']],
  [['logs', 'a/b/c/d'], [':4']],
  [['logs', '*:pods/'], [':4']],
  [['logs', '-n', 'none', 'pods/'], [':4']],
  [
    ['logs', '--zone='],
    ['--zone=eu-west-1a', '--zone=eu-west-1b', ':6'],
  ],
  [['logs', '--kube-context', 'none', 'deployments/'], [':4']],
  [['logs', '--kubeconfig', '/none', '--kube-context', ''], [':4']],
  [
    ['serve', '--allowed-namespaces', 'default,sh'],
    ['default,shop', ':6'],
  ],
  [
    ['logs', '--config'],
    ['--config', ':4'],
  ],
  [['logs', '--config', ''], [':0']],
  [
    ['logs', '--timezone', 'Europe/Berl'],
    ['Europe/Berlin', ':4'],
  ],
  [
    ['config', 'init', '--format', ''],
    ['yaml', 'json', 'toml', ':4'],
  ],
])('%j', async (args, expected) => {
  expect(await offered(args)).toEqual(expected);
});

const NAME = 'app.kubernetes.io/name';
test.each<[string, readonly string[]]>([
  ['app.', [`${NAME}=`, ':6']],
  [`${NAME}=w`, [`${NAME}=web`, ':4']],
  [`${NAME}==w`, [`${NAME}==web`, ':4']],
  [`tier=x,app.`, [`tier=x,${NAME}=`, ':6']],
  [`tier=x,${NAME}=w`, [`tier=x,${NAME}=web`, ':4']],
  [`none=`, [':4']],
  // Shells quote blanks and parentheses; kubectl would insert them into the line unquoted.
  [`${NAME} in (a,w`, [':4']],
  [`!app`, [':4']],
])('the selector %s continues with labels that pods have', async (typed, expected) => {
  expect(await offered(['logs', '-l', typed])).toEqual(expected);
  const glued = expected.map((value) => (value.startsWith(':') ? value : `--selector=${value}`));
  expect(await offered(['logs', `--selector=${typed}`])).toEqual(glued);
});

test.each([
  ['zsh', `'${NAME} in (a,w`, `${NAME} in (a,web`],
  ['zsh', String.raw`\!app.`, `!${NAME}`],
  ['zsh', `'tier!=x,${NAME}!=w`, `tier!=x,${NAME}!=web`],
  ['bash', `'${NAME} notin (w`, `${NAME} notin (web`],
])('%s completes %s inside its quotes', async (shell, typed, completed) => {
  const env = { KUBECONFIG: cluster.kubeconfig, XDG_CACHE_HOME: folder };
  const asked = capture([`__complete:${shell}`, 'logs', '-l', typed], { env, home: folder });
  expect(await offered([], asked)).toContain(completed);
});

test('fish hands over its words without having put variables in', async () => {
  const env = { KUBECONFIG: cluster.kubeconfig, XDG_CACHE_HOME: folder, NS: 'default', BIT: 'defaul' };
  for (const namespace of ['$NS', '{$BIT}t', '$NONE']) {
    const asked = capture(['__complete:fish', 'logs', '-n', namespace, 'pods/'], { env, home: folder });
    expect((await offered([], asked)).length > 1).toBe(namespace !== '$NONE');
  }
});

test("offers the cluster's custom kinds to a user who has begun to type one", async () => {
  const own = await startSimCluster({ scenario: 'scenarios/shop.yaml' });
  onTestFinished(() => own.close());
  const asked = (last: string) => offered([], ask(['logs', '-n', 'shop', last], { own }));
  expect(await asked('roll')).toEqual(['rollouts.argoproj.io/', ':6']);
  expect(await asked('shop:roll')).toEqual(['shop:rollouts.argoproj.io/', ':6']);
  expect(await asked('')).not.toContain('rollouts.argoproj.io/');
  expect(await asked('rollouts.argoproj.io/rec')).toEqual(['rollouts.argoproj.io/recommender', ':4']);
});

test('versions of the chart are those of the index that was loaded last', async () => {
  const cache = join(folder, 'charts');
  await mkdir(cache);
  const version = (number: string) =>
    `  - { apiVersion: v2, name: logtool, version: ${number}, created: "2026-11-0${number[0]}T00:00:00Z", urls: [x.tgz] }\n`;
  await writeFile(
    join(cache, 'logtool-index.yaml'),
    `apiVersion: v1\nentries:\n  logtool:\n${version('1.2.0')}${version('2.0.1')}${version('2.1.0')}`,
  );
  const asked = (...args: string[]) =>
    capture(['__complete', 'cluster', ...args], { env: { HELM_REPOSITORY_CACHE: cache }, home: folder });
  expect(await offered([], asked('install', '--version', ''))).toEqual(['2.1.0', '2.0.1', '1.2.0', ':4']);
  expect(await offered([], asked('upgrade', '--version=2'))).toEqual([
    '--version=2.1.0',
    '--version=2.0.1',
    ':4',
  ]);
  await rm(cache, { recursive: true });
  expect(await offered([], asked('install', '--version', ''))).toEqual([':4']);
});

test('releases and their revisions are those that Helm has labeled', async () => {
  const own = await ownCluster();
  const asked = (...args: string[]) => offered(args, ask(args, { own }));
  const api = ['--name', 'logs-a', '--namespace', 'shop'];
  expect(await asked('cluster', 'status', '--namespace=shop', '--name', '')).toEqual([':4']);
  for (const version of ['1', '2']) {
    own.store.create('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: `sh.helm.release.v1.logs-a.v${version}`,
        namespace: 'shop',
        labels: { owner: 'helm', name: 'logs-a', version, status: 'deployed' },
      },
    });
  }
  await rm(join(folder, 'logtool'), { recursive: true, force: true });
  expect(await asked('cluster', 'status', '--namespace=shop', '--name', '')).toEqual(['logs-a', ':4']);
  expect(await asked('cluster', 'rollback', ...api, '--revision', '')).toEqual(['1', '2', ':4']);
});

test('a cluster that does not answer costs only its own suggestions', async () => {
  const own = await ownCluster();
  const clock = new FakeClock(Date.now());
  // Answered a moment earlier, and kept.
  await offered([], ask(['logs', '--namespace', ''], { own, clock }));
  own.inject({ kind: 'stall', match: '/pods', afterBytes: 0 });
  const asked = ask(['logs', ''], { own, clock });
  const answer = offered([], asked);
  await vi.waitUntil(() => own.faultsHit > 0, { timeout: 60_000 });
  await clock.advance(1000);
  await vi.waitUntil(() => asked.stdout() !== '', SOON);
  const answered = await answer;
  expect(answered).toEqual(expect.arrayContaining(['deployments/', 'shop:']));
  expect(answered).not.toContain('hello');
});

test('whose credentials take long can wait longer', async () => {
  const own = await ownCluster();
  own.inject({ kind: 'stall', match: '/pods', afterBytes: 0 });
  const clock = new FakeClock(Date.now());
  const env = { KUBECONFIG: own.kubeconfig, LOGTOOL_COMPLETION_TIMEOUT: '5' };
  const asked = capture(['__complete', 'logs', 'pods/'], { env, home: folder, overrides: { clock } });
  const answer = run(asked.context);
  await vi.waitUntil(() => own.faultsHit > 0, { timeout: 60_000 });
  await clock.advance(4999);
  expect(asked.stdout()).toBe('');
  await clock.advance(100);
  await vi.waitUntil(() => asked.stdout() !== '', SOON);
  expect(await answer).toBe(0);
  expect(asked.stdout()).toBe(':4\n');
});

test('reports errors only with LOGTOOL_DEBUG', async () => {
  const config = join(folder, 'broken');
  await writeFile(config, 'contexts: {');
  const args = ['__complete', 'logs', '--kubeconfig', config, 'web'];
  for (const debug of ['', '1']) {
    const asked = capture(args, { env: { LOGTOOL_DEBUG: debug }, home: folder });
    expect(await run(asked.context)).toBe(0);
    expect(asked.stdout()).toBe(':4\n');
    expect(asked.stderr() === '').toBe(debug === '');
  }
});

test('hostile names of a cluster are neither shown nor handed over to run', async () => {
  const own = await ownCluster();
  const names = ['ok', '$(touch ran)', 'a\nb', 'a\x1b[31m', ':4', '__proto__', '\u202ex'];
  const items = names.map((name, at) => ({ metadata: { name, uid: `${at}`, resourceVersion: '1' } }));
  const list = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', metadata: {}, items };
  own.inject({ kind: 'status', match: '/pods', status: 200, text: JSON.stringify(list) });
  expect(await offered([], ask(['logs', 'pods/'], { own }))).toEqual([
    'pods/ok',
    'pods/:4',
    'pods/__proto__',
    ':4',
  ]);
});
