import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { type SimCluster, startSimCluster } from '../start.ts';

/**
 * Runs the real kubectl against a whole simulated cluster: what users type must work, and the output must look as they
 * know it.
 */
let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: join(import.meta.dirname, '../../../../scenarios/minimal.yaml'),
  });
});
afterAll(() => cluster?.close());

async function run(line: string, ...more: readonly string[]) {
  const { stdout, stderr, exitCode } = await kubectl([...line.split(' '), ...more], cluster);
  return { out: stdout.toString(), err: stderr, exitCode };
}

async function out(line: string, ...more: readonly string[]): Promise<string> {
  const result = await run(line, ...more);
  expect(result).toMatchObject({ exitCode: 0 });
  return result.out;
}

function pods(app: string): readonly string[] {
  return cluster.store
    .list('pods', 'default')
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(app));
}

describe('get', () => {
  test('prints the tables that people know', async () => {
    const text = await out('get pods -n default -o wide');
    expect(text).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n/);
    expect(text).toMatch(/^web-\w+-\w+ +2\/2 +Running +0 +\S+ +[\d.]+ +node-[ab] +<none> +<none>$/m);
    expect(await out('get nodes')).toMatch(/^node-a +Ready +<none> +\S+ +v1\.35\.0$/m);
    expect(await out('get deploy,sts -n default')).toMatch(/^deployment\.apps\/web +2\/2 +2 +2 +\S+$/m);
    expect(await out('get ns')).toMatch(/^default +Active +\S+$/m);
    expect(await out('get events -n default')).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/);
  });

  test('prints objects, and selects by labels and fields', async () => {
    const [name] = pods('web');
    const list = JSON.parse(await out('get pods -n default -o json', '-l', 'app notin (none),app=web'));
    expect(list).toMatchObject({ kind: 'List' });
    expect(await out('get pods -n default -o name', '--field-selector', `metadata.name=${name}`)).toBe(
      `pod/${name}\n`,
    );
    expect(await out('get pod -n default -o yaml', name ?? '')).toMatch(/^apiVersion: v1\nkind: Pod\n/);
    const wrong = await run('get pods --field-selector spec.priority=0');
    expect(wrong.err).toContain('field label not supported: spec.priority');
    expect(wrong.exitCode).toBe(1);
  });

  test('names missing objects as a real server does', async () => {
    expect(await run('get pod ghost')).toMatchObject({
      exitCode: 1,
      err: 'Error from server (NotFound): pods "ghost" not found\n',
    });
    expect((await run('get things')).err).toBe('error: the server doesn\'t have a resource type "things"\n');
  });

  test('watches until the object is gone', async () => {
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' } });
    cluster.store.create('configmaps', {
      ...JSON.parse(manifest),
      metadata: { name: 'seen', namespace: 'default' },
    });
    const waiting = run('wait -n default --for=delete configmap/seen --timeout=30s');
    await untilWatched('configmaps');
    cluster.store.remove('configmaps', 'default', 'seen');
    expect(await waiting).toMatchObject({ exitCode: 0, out: 'configmap/seen condition met\n' });
  });
});

/** Waits until a watch of that resource has been requested. */
async function untilWatched(resource: string): Promise<void> {
  const isWatch = (line: string) => line.includes(`/${resource}`) && line.includes('watch=true');
  while (!cluster.requests.some(isWatch)) await new Promise<void>((resolve) => setImmediate(resolve));
}

test('api-resources and describe find their way', async () => {
  expect(await out('api-resources --namespaced=true')).toMatch(
    /^deployments +deploy +apps\/v1 +true +Deployment$/m,
  );
  const [name = ''] = pods('web');
  const text = await out('describe pod -n default', name);
  expect(text).toMatch(/^Controlled By: +ReplicaSet\/web-/m);
  expect(text).toMatch(/^Status: +Running$/m);
  expect(await out('describe deployment web -n default')).toMatch(
    /^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/m,
  );
});

test('auth can-i answers for oneself and for others', async () => {
  expect(await run('auth can-i list nodes --as=reader')).toMatchObject({ out: 'no\n', exitCode: 1 });
  expect(await out('auth can-i get pods --subresource=log -n default --as=reader')).toBe('yes\n');
  expect(await out('auth can-i --list -n default --as=reader')).toMatch(
    /^pods\/log +\[\] +\[\] +\[get list watch\]$/m,
  );
  expect((await run('get nodes --as=reader')).err).toBe(
    'Error from server (Forbidden): nodes is forbidden: User "reader" cannot list resource "nodes" in API group "" at the cluster scope\n',
  );
});

describe('logs', () => {
  test('of a container, with every flag', async () => {
    const [name = ''] = pods('web');
    const log = (...flags: readonly string[]) => out(`logs -n default ${name} -c app`, ...flags);
    const lines = ['GET /healthz 200', 'GET /cart 200', 'GET /checkout 500'];
    expect(await log()).toBe(`${lines.join('\n')}\n`);
    expect(await log('--tail=1')).toBe('GET /checkout 500\n');
    expect(await log('--limit-bytes=5')).toBe('GET /');
    expect(await log('--timestamps', '--tail=1')).toMatch(/^2026-11-21T10:00:02\.250000000Z GET /);
    expect(await log('--since-time=2026-11-21T10:00:01Z')).toBe('GET /cart 200\nGET /checkout 500\n');
    expect(await out(`logs -n default ${name} --all-containers --prefix --tail=1`)).toMatch(
      new RegExp(`^\\[pod/${name}/app\\] GET /checkout 500$`, 'm'),
    );
    expect((await run(`logs -n default ${name} --previous`)).err).toMatch(
      /^Error from server \(BadRequest\): previous terminated container "\w+" in pod "web-\S+" not found\n/m,
    );
    expect((await run(`logs -n default ${name} -c nope`)).err).toBe(
      `error: container nope is not valid for pod ${name}\n`,
    );
  });

  test('of a deployment', async () => {
    expect(await out('logs -n default deployment/web --tail=1')).toContain('GET /checkout 500');
  });
});

test.each(['create -f', 'replace -f', 'apply --server-side --force-conflicts -f'])(
  'what is empty is not kept by %s, as protobuf does not',
  async (command) => {
    const name = `empty-${command.split(' ')[0]}`;
    const metadata = { name, namespace: 'shop', labels: {}, annotations: {} };
    const file = join(cluster.kubeconfig, '..', `${name}.json`);
    const { writeFile } = await import('node:fs/promises');
    if (command.startsWith('replace')) await out(`create configmap ${name} -n shop --from-literal=a=1`);
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} }));
    await out(command, file);
    const stored = cluster.store.get('configmaps', 'shop', name);
    expect(Object.keys(stored ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(Object.keys(stored?.metadata ?? {})).not.toContain('labels');
  },
);

test('scale, label, annotate, patch, apply and delete change the cluster', async () => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'made', namespace: 'shop' },
    data: { a: '1' },
  };
  const file = join(cluster.kubeconfig, '..', 'made.json');
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, JSON.stringify(manifest));
  expect(await out('apply -f', file)).toBe('configmap/made created\n');
  expect(await out('apply -f', file)).toBe('configmap/made unchanged\n');
  expect(await out('label configmap made -n shop tier=web')).toBe('configmap/made labeled\n');
  expect(await out('annotate configmap made -n shop note=x')).toBe('configmap/made annotated\n');
  expect(
    await out(
      'patch configmap made -n shop --type=json',
      '-p',
      '[{"op":"replace","path":"/data/a","value":"2"}]',
    ),
  ).toBe('configmap/made patched\n');
  const stored = cluster.store.get('configmaps', 'shop', 'made');
  expect(stored).toMatchObject({
    data: { a: '2' },
    metadata: { labels: { tier: 'web' }, annotations: { note: 'x' } },
  });
  expect(await out('delete configmap made -n shop')).toMatch(/^configmap "made" deleted/);
  expect(cluster.store.get('configmaps', 'shop', 'made')).toBeUndefined();

  expect(await out('scale statefulset db -n default --replicas=2')).toBe('statefulset.apps/db scaled\n');
  expect(cluster.store.get('statefulsets.apps', 'default', 'db')).toMatchObject({ spec: { replicas: 2 } });
  await out('rollout status statefulset/db -n default --timeout=30s');
  expect(pods('db')).toEqual(['db-0', 'db-1']);
});

test('what kubectl posts as protobuf is understood', async () => {
  expect(await out('create namespace fresh')).toBe('namespace/fresh created\n');
  expect(await out('create configmap made -n fresh --from-literal=a=1 --from-literal=b=')).toBe(
    'configmap/made created\n',
  );
  expect(cluster.store.get('configmaps', 'fresh', 'made')).toMatchObject({
    metadata: { name: 'made', namespace: 'fresh' },
    data: { a: '1', b: '' },
  });
  expect(await out('create secret generic hidden -n fresh --from-literal=key=value')).toBe(
    'secret/hidden created\n',
  );
  expect(cluster.store.get('secrets', 'fresh', 'hidden')).toMatchObject({ data: { key: 'dmFsdWU=' } });
});
