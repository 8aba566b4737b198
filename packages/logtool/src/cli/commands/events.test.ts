import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../../../../../test/support/cli/capture.ts';
import { expectGolden } from '../../../../../test/support/cli/golden.ts';
import { Stop } from '../exit-codes.ts';
import { run } from '../run.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../../../scenarios');

/** Starts a simulated cluster whose time stands still, so that the same events have the same times. */
async function clusterOf(scenario: unknown): Promise<{ cluster: SimCluster; clock: FakeClock }> {
  const clock = new FakeClock();
  const cluster = await startSimCluster({ scenario, clock });
  onTestFinished(() => cluster.close());
  return { cluster, clock };
}

const happening = (name: string) => clusterOf(join(SCENARIOS, 'happenings', `${name}.yaml`));

type Clustered = Awaited<ReturnType<typeof clusterOf>>;

/** Returns a scenario with one workload of one silent container. */
function scenarioOf(workload: object, objects: readonly object[] = []) {
  return {
    seed: 7,
    namespace: 'shop',
    backfill: '10m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-1' }],
    objects,
    workloads: [{ kind: 'Deployment', name: 'web', ...workload }],
  };
}

function command({ cluster, clock }: Clustered, argv: readonly string[]) {
  const made = capture(['events', `--kubeconfig=${cluster.kubeconfig}`, ...argv], { overrides: { clock } });
  const ended = run(made.context);
  const interrupt = () => {
    made.controller.abort(new Stop(130, 'interrupted'));
    return ended;
  };
  onTestFinished(async () => void (await interrupt()));
  return { ...made, ended, interrupt };
}

/** Sorts rows of the same time by their texts: UIDs, which order them, are new in each cluster. */
function inOrderOfText(rows: string): string {
  const [head = '', ...lines] = rows.trimEnd().split('\n');
  const time = (line: string) => line.slice(0, 31);
  const sorted = lines.toSorted((a, b) =>
    time(a) === time(b) ? (a < b ? -1 : 1) : lines.indexOf(a) - lines.indexOf(b),
  );
  return `${[head, ...sorted].join('\n')}\n`;
}

async function expectRows(name: string, clustered: Clustered, argv: readonly string[]) {
  const { ended, stdout, stderr } = command(clustered, argv);
  expect([await ended, stderr()]).toEqual([0, '']);
  expectGolden(`events/${name}.txt`, inOrderOfText(stdout()));
}

interface Row {
  readonly type: string;
  readonly kind: string;
  readonly severity: string;
  readonly text: string;
  readonly reason: string;
  readonly subject: { readonly kind: string; readonly name: string };
}

async function jsonOf(clustered: Clustered, argv: readonly string[]): Promise<readonly Row[]> {
  const { ended, stdout, stderr } = command(clustered, [...argv, '-o', 'json']);
  expect([await ended, stderr()]).toEqual([0, '']);
  return stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

test('a quota that refuses pods: a table, from a time on, of warnings, as JSON', async () => {
  const clustered = await happening('quota-exceeded');
  await expectRows('quota', clustered, ['deployments/web', '--since=21m']);
  const all = await jsonOf(clustered, ['deployments/web']);
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['event']));
  const warnings = await jsonOf(clustered, ['deployments/web', '--types=Warning']);
  expect(warnings).toEqual(all.filter(({ severity }) => severity !== 'normal'));
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.length).toBeLessThan(all.length);
  const early = await jsonOf(clustered, ['deployments/web', '--until=29m30s']);
  expect(early.length).toBeGreaterThan(0);
  expect(early.length).toBeLessThan(all.length);
  expect(early).toEqual(all.slice(0, early.length));
});

test('a workload all of whose pods were refused has its events', async () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'compute', namespace: 'shop' },
    spec: { hard: { 'limits.memory': '128Mi' } },
  };
  const containers = [{ name: 'app', limits: { memory: '256Mi' } }];
  const clustered = await clusterOf(scenarioOf({ replicas: 1, containers }, [quota]));
  const rows = await jsonOf(clustered, ['deployments/web', '--types=Warning']);
  expect(rows.map(({ reason, subject }) => `${reason} ${subject.kind}`)).toContain('FailedCreate ReplicaSet');
  expect(rows.filter(({ subject }) => subject.kind === 'Pod')).toEqual([]);
});

test('a workload without pods has its rollout; a missing one fails, and a wrong command line too', async () => {
  const clustered = await clusterOf(scenarioOf({ replicas: 0, containers: [{ name: 'app' }] }));
  const { ended, stdout, stderr } = command(clustered, ['deployments/web']);
  const why = 'deployments/web in namespace "shop" has no pods: it is scaled to 0\n';
  expect([await ended, stderr()]).toEqual([0, why]);
  expect(stdout()).toMatch(/ Rollout +deployment\/web +revision 1/);
  const missing = command(clustered, ['deployments/wed']);
  expect([await missing.ended, missing.stdout(), missing.stderr()]).toEqual([
    1,
    '',
    expect.stringMatching(/^error: .*wed/),
  ]);
  const early = command(clustered, ['deployments/web', '--until=1h']);
  expect([await early.ended, early.stdout(), early.stderr()]).toEqual([0, '', why]);
  for (const wrong of [['-f', '--until=1m'], ['--types=Bad'], ['--since=yesterdayish'], ['-o', 'csv']]) {
    const refused = command(clustered, ['deployments/web', ...wrong]);
    expect([await refused.ended, refused.stdout(), refused.stderr()]).toEqual([
      2,
      '',
      expect.stringMatching(/^error: /),
    ]);
  }
});

test('a follow prints what comes as it comes, once, and ends with 130 on an interrupt', async () => {
  const clustered = await clusterOf(scenarioOf({ replicas: 1, containers: [{ name: 'app' }] }));
  const { cluster, clock } = clustered;
  const [pod] = cluster.store.list('pods', 'shop');
  const { written, stdout, stderr, interrupt } = command(clustered, ['deployments/web', '-f']);
  await written('Rollout');
  const before = stdout().length;
  await cluster.control.crashContainer({
    namespace: 'shop',
    pod: pod?.metadata.name ?? '',
    container: 'app',
    code: 3,
  });
  const isComplete = written('restarted (1st time)');
  const exited = written('exited 3');
  for (const seen of [exited, isComplete]) await advancing(clock, seen);
  const live = stdout().slice(before);
  expect([await interrupt(), stderr()]).toEqual([130, '']);
  expect(live.match(/ Started | Restarted /g)).toEqual([' Restarted ']);
  expect(live).toMatch(/ Fatal .* exited 3, after 9 m 59 s/);
});

/** Advances the cluster's time until `seen` resolves. */
async function advancing(clock: FakeClock, seen: Promise<void>): Promise<void> {
  let isSeen = false;
  void seen.then(() => {
    isSeen = true;
  });
  while (!isSeen) {
    await clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a follow reports a reboot of the node', async () => {
  const clustered = await clusterOf(scenarioOf({ replicas: 1, containers: [{ name: 'app' }] }));
  const { cluster, clock } = clustered;
  const { written, stdout, interrupt } = command(clustered, ['deployments/web', '-f']);
  await written('Rollout');
  await cluster.act({ action: 'node-down', node: 'node-1' });
  await advancing(clock, written('condition Ready=Unknown'));
  await cluster.act({ action: 'node-up', node: 'node-1' });
  await advancing(clock, written('rebooted (then or later)'));
  await advancing(clock, written('exited 255'));
  expect(stdout()).toContain('tainted node.kubernetes.io/unreachable:');
  expect(await interrupt()).toBe(130);
});

test('reports what an autoscaler did to the workload, and not what another did', async () => {
  const scaler = (name: string, target: string) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, namespace: 'shop' },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target } },
  });
  const containers = [{ name: 'app' }];
  const scenario = scenarioOf({ containers }, [scaler('web', 'web'), scaler('api', 'api')]);
  const { cluster, clock } = await clusterOf({
    ...scenario,
    workloads: [...scenario.workloads, { kind: 'Deployment', name: 'api', containers }],
  });
  for (const name of ['web', 'api']) {
    const scalers = cluster.store.list('horizontalpodautoscalers.autoscaling', 'shop');
    const uid = scalers.find(({ metadata }) => metadata.name === name)?.metadata.uid;
    cluster.store.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.1`, namespace: 'shop' },
      involvedObject: { kind: 'HorizontalPodAutoscaler', namespace: 'shop', name, uid },
      firstTimestamp: '2026-11-21T09:59:00Z',
      lastTimestamp: '2026-11-21T09:59:00Z',
      source: { component: 'horizontal-pod-autoscaler' },
      reason: 'SuccessfulRescale',
      type: 'Normal',
      count: 1,
      message: `New size of ${name}: 2`,
    });
  }
  const rows = await jsonOf({ cluster, clock }, ['deployments/web']);
  expect(rows.flatMap(({ reason, text }) => (reason === 'SuccessfulRescale' ? text : []))).toEqual([
    'New size of web: 2',
  ]);
});

test('a node that booted again: its events and conditions, and the ends and starts of runs, each once', async () => {
  await expectRows('node-rebooted', await happening('node-rebooted'), ['deployments/web']);
});

test('a node that is lost: its conditions and taints, and the pods that leave it', async () => {
  await expectRows('node-lost', await happening('node-lost'), ['deployments/web', '--types=Warning,Normal']);
});

test('reports pressure on a node for the pods on it', async () => {
  const rows = await jsonOf(await happening('pressure-bystander'), ['deployments/orders']);
  expect(rows.flatMap(({ subject, text }) => (subject.kind === 'Node' ? text : []))).toEqual(
    expect.arrayContaining([expect.stringMatching(/MemoryPressure=|NodeHasInsufficientMemory/)]),
  );
});
