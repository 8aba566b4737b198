import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectl, kubectlPath } from '../../../../test/support/oracles/kubectl.ts';
import { type SimCluster, startSimCluster } from '../start.ts';
import type { StoredObject } from '../store/store.ts';

/** Tests the commands of the real kubectl that kubectl.test.ts does not cover, each on its own workloads. */
const SCENARIO = {
  namespace: 'shop',
  namespaces: ['shop'],
  nodes: [{ name: 'node-a' }, { name: 'node-b' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      gracePeriodSeconds: 1,
      containers: [{ name: 'app', lines: ['one', 'two', 'three'] }],
    },
    { kind: 'Deployment', name: 'orphaned', replicas: 1, containers: [{ name: 'app' }] },
    {
      kind: 'Pod',
      name: 'crasher',
      containers: [{ name: 'app', lines: ['attempt'], exit: { after: '1s', code: 3 } }],
    },
    {
      kind: 'CronJob',
      name: 'report',
      schedule: '0 0 1 1 *',
      containers: [{ name: 'app', lines: ['reported'], exit: { after: '1s', code: 0 } }],
    },
    {
      kind: 'Job',
      name: 'migrate',
      containers: [{ name: 'app', lines: ['done'], exit: { after: '1s', code: 0 } }],
    },
  ],
  backfill: '10m',
};

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: SCENARIO });
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

/** Runs a command that does not end without help, and kills it once its output contains the expected text. */
async function until(line: string, wanted: RegExp, act: () => void = () => {}): Promise<string> {
  const child = spawn(await kubectlPath(), line.split(' '), {
    env: { HOME: dirname(cluster.kubeconfig), KUBECONFIG: cluster.kubeconfig },
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (text === '') act();
      text += chunk;
      if (wanted.test(text)) child.kill();
    });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return text;
}

/** Returns a pod that stays: an older one may be terminating. */
function pod(prefix: string): StoredObject {
  const found = cluster.store
    .list('pods', 'shop')
    .find(({ metadata }) => metadata.name.startsWith(prefix) && metadata.deletionTimestamp === undefined);
  if (found === undefined) throw new Error(`no pod ${prefix}`);
  return found;
}

describe('get', () => {
  test('-w prints each change as a line', async () => {
    const metadata = { name: 'earlier', namespace: 'shop' };
    cluster.store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const text = await until('get configmaps -w', /\nmarker +1 +\S+\n/, () => {
      const metadata = { name: 'marker', namespace: 'shop' };
      cluster.store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
    });
    expect(text).toMatch(/^NAME +DATA +AGE\n/);
  });

  test('sorts, and picks out columns and fields', async () => {
    const names = ['node-b', 'node-a'];
    expect(await out('get nodes --sort-by=.metadata.name -o name')).toBe('node/node-a\nnode/node-b\n');
    expect((await out('get nodes -o jsonpath={.items[*].metadata.name}')).split(' ').sort()).toEqual(
      names.sort(),
    );
    expect(await out('get nodes node-a -o custom-columns=N:.metadata.name')).toBe('N\nnode-a\n');
    const running = await out('get pods --field-selector=status.phase=Running,spec.nodeName!=node-a -o name');
    expect(running).not.toBe('');
    expect(await out('get all')).toMatch(/^deployment\.apps\/web +2\/2 /m);
    expect(await out('events --for=pod/crasher')).toContain('BackOff');
  });
});

test('describe shows the most important facts', async () => {
  expect(await out('describe node node-a')).toMatch(/^Non-terminated Pods: +\(\d+ in total\)$/m);
  const crasher = await out('describe pod crasher');
  expect(crasher).toMatch(/^ +Reason: +CrashLoopBackOff$|^ +Exit Code: +3$/m);
  expect(crasher).toMatch(/Back-off restarting failed container app in pod crasher_shop/);
  expect(await out('describe job migrate')).toMatch(
    /^Pods Statuses: +0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed$/m,
  );
  expect(await out('describe deployment web')).toMatch(
    /^NewReplicaSet: +web-\w+ \(2\/2 replicas created\)$/m,
  );
});

describe('logs', () => {
  test('-p prints the run before', async () => {
    expect(await out('logs crasher -p')).toBe('attempt\n');
  });

  test('-f prints what comes next', async () => {
    const { name } = pod('web').metadata;
    const where = { namespace: 'shop', pod: name, container: 'app' };
    const text = await until(`logs -f ${name} --tail=1`, /fresh\n/, () => {
      cluster.writeLog(where, { bytes: Buffer.from('fresh') });
    });
    expect(text).toBe('three\nfresh\n');
  });

  test('of several pods, by selector or --all-pods', async () => {
    const names = cluster.store
      .list('pods', 'shop')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('web-'));
    expect(names.length).toBe(2);
    const text = await out('logs -l app.kubernetes.io/name=web --prefix --limit-bytes=4');
    for (const name of names) expect(text).toContain(`[pod/${name}/app] one\n`);
    const all = await out('logs deployment/web --all-pods --limit-bytes=4');
    for (const name of names) expect(all).toContain(`[pod/${name}/app] one\n`);
    expect((await run('logs -f -l app.kubernetes.io/name=web --max-log-requests=1')).err).toMatch(
      /attempting to follow 2 log streams, but maximum allowed concurrency is 1/,
    );
  });

  test('by age', async () => {
    expect(await out('logs crasher --since=24h')).toBe('attempt\n');
    expect(
      await out('logs deployment/web --since-time=2000-01-01T00:00:00Z --tail=1 --timestamps=false'),
    ).toMatch(/^(three|fresh)\n$/);
    expect((await run('logs crasher --since=1s --since-time=2000-01-01T00:00:00Z')).err).toContain(
      'at most one of `sinceTime` or `sinceSeconds` may be specified',
    );
  });
});

describe('what kubectl makes with commands of its own, which it posts as protobuf, is what it would print', () => {
  test.each([
    'deployment made --image=nginx --replicas=2 --port=80',
    'job made --image=busybox -- echo hi',
    'cronjob made --image=busybox --schedule=0|0|1|1|* --restart=OnFailure -- date',
    'service clusterip made --tcp=80:8080 --tcp=443:https',
    'service nodeport made-too --tcp=80:8080',
    'service externalname made-outside --external-name=example.com',
    'role made --verb=get,list --resource=pods,deployments.apps --resource-name=x',
    'clusterrole made --verb=get --non-resource-url=/healthz',
    'rolebinding made --role=made --user=bob --serviceaccount=shop:default',
    'clusterrolebinding made --clusterrole=made --group=team',
    'quota made --hard=pods=300,requests.cpu=500m',
    'ingress made --class=c --rule=a.example/x*=web:80,tls=secret --rule=b.example/=web:http',
    'poddisruptionbudget made --selector=app=x --min-available=50%',
  ])('%s', async (line) => {
    const args = line.split(' ').map((argument) => argument.replaceAll('|', ' '));
    const separator = args.includes('--') ? args.indexOf('--') : args.length;
    const printed = ['--dry-run=client', '-o', 'json'];
    const dry = await out('create', ...args.slice(0, separator), ...printed, ...args.slice(separator));
    const { status: _status, ...wanted } = withoutNulls(JSON.parse(dry)) as StoredObject;
    await out('create', ...args);
    const kind = `${wanted.kind}/${wanted.metadata.name}`;
    expect(JSON.parse(await out(`get ${kind} -o json`))).toMatchObject(wanted);
    // Delete it: as on any cluster, it would refuse pods without requests, which later tests start.
    if (wanted.kind === 'ResourceQuota') await out(`delete ${kind}`);
  });

  test('create job --from, expose and autoscale', async () => {
    await out('create job once --from=cronjob/report');
    expect(await out('wait --for=condition=complete job/once --timeout=30s')).toBe(
      'job.batch/once condition met\n',
    );
    expect(await out('logs job/once')).toBe('reported\n');
    await out('expose deployment orphaned --port=80 --target-port=http');
    expect(cluster.store.get('services', 'shop', 'orphaned')).toMatchObject({
      spec: { ports: [{ port: 80, targetPort: 'http', protocol: 'TCP' }], type: 'ClusterIP' },
    });
    await out('autoscale deployment orphaned --min=1 --max=3 --cpu=50%');
    expect(cluster.store.get('horizontalpodautoscalers.autoscaling', 'shop', 'orphaned')).toMatchObject({
      spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'orphaned' } },
    });
  });
});

function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (inner === null ? undefined : inner)));
}

test('run, rollout, wait and delete change what runs', async () => {
  expect(await out('run box --image=busybox --restart=Never -- echo hi')).toBe('pod/box created\n');
  await out('wait --for=jsonpath={.status.phase}=Succeeded pod/box --timeout=30s');
  expect((await run('delete pod box --force --grace-period=0')).out).toContain('pod "box" force deleted');
  expect(await out('delete pod crasher --grace-period=1')).toContain('pod "crasher" deleted');
  await out('rollout restart deployment/web');
  expect(await out('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
  expect(await out('rollout history deployment/web')).toMatch(/^2 /m);
  const owner = pod('orphaned-').metadata.name;
  await out('delete deployment orphaned --cascade=orphan');
  expect(pod('orphaned-').metadata.name).toBe(owner);
}, 120_000);

test('discovery and explain', async () => {
  expect(await out('api-versions')).toMatch(/^apps\/v1$/m);
  expect(await out('explain pods')).toMatch(/^KIND: +Pod$/m);
  expect(await out('version')).toMatch(/^Server Version: v1\.35\.0$/m);
  expect(await out('get --raw /healthz')).toBe('ok');
});

test('reports missing objects', async () => {
  const { name } = pod('web').metadata;
  expect(await run(`exec ${name} -- ls`)).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('the simulated cluster runs no programs: it has no exec'),
  });
  expect((await run(`port-forward ${name} 18080:80`)).err).toContain('it has no portforward');
  expect((await run('top pods')).err).toBe('error: Metrics API not available\n');
});

test('every service has an address of its own', async () => {
  const addresses = cluster.store.list('services').map(({ spec }) => spec?.clusterIP);
  const known = addresses.filter((address) => address !== undefined);
  expect(known.length).toBeGreaterThan(2);
  expect(new Set(known).size).toBe(known.length);
});
