import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { type HelmCluster, startHelmCluster } from '../../support/helm/cluster.ts';
import { TINY, writeChart } from '../../support/helm/tiny-chart.ts';

const ENFORCE = 'pod-security.kubernetes.io/enforce';
let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster({
    nodes: [{ name: 'node-1' }, { name: 'node-2' }],
    startDelays: 'none',
    namespaces: ['default'],
  });
});
afterAll(() => cluster.close());

async function logtool(...argv: readonly string[]) {
  const world = capture(['cluster', ...argv, '--kubeconfig', cluster.sim.kubeconfig], {
    home: cluster.home,
    env: { LOGTOOL_REPO_OFFLINE: 'true' },
    overrides: { clock: systemClock },
  });
  const code = await run(world.context);
  return { code, out: world.stdout(), err: world.stderr() };
}
const kindsIn = (manifest: string) => [...manifest.matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind);
const on = (name: string) => ['--name', name, '-n', name];

function createNamespace(name: string, level?: string): void {
  const labels = level === undefined ? {} : { [ENFORCE]: level };
  cluster.sim.store.create('namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
}

describe('--agent', () => {
  test('installs the agents and their API, and --no-agent of an upgrade removes them, as the values do', async () => {
    const { out } = await logtool('install', '--dry-run', '--agent');
    const { out: byValue } = await logtool('install', '--dry-run', '--set=agent.enabled=true');
    expect(kindsIn(out)).toContain('DaemonSet');
    expect(kindsIn(out)).toEqual(kindsIn(byValue));
    createNamespace('turns');
    expect(await logtool('install', ...on('turns'), '--no-wait')).toMatchObject({ code: 0 });
    const agents = () => cluster.sim.store.get('daemonsets.apps', 'turns', 'turns-logtool-agent');
    expect(agents()).toBeUndefined();
    expect(await logtool('upgrade', ...on('turns'), '--no-wait', '--agent')).toMatchObject({ code: 0 });
    expect(agents()).toBeDefined();
    // The values of the release keep them.
    expect(await logtool('upgrade', ...on('turns'), '--no-wait')).toMatchObject({ code: 0 });
    expect(agents()).toBeDefined();
    expect(await logtool('upgrade', ...on('turns'), '--no-wait', '--no-agent')).toMatchObject({ code: 0 });
    expect(agents()).toBeUndefined();
    await logtool('uninstall', ...on('turns'));
  });

  test('is refused beside a value that says the same or the contrary, and with another chart', async () => {
    const twice = await logtool('install', '--dry-run', '--agent', '--set=agent.enabled=false');
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.err).toContain('--agent and --set agent.enabled exclude each other');
    const folder = await writeChart(`${cluster.home}/tiny`, TINY);
    const other = await logtool('install', '--dry-run', '--agent', '--chart', folder);
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toContain('--agent does not work with the chart tiny');
  });
});

describe.each(['baseline', 'restricted'])('in a namespace that enforces the level %s', (level) => {
  test('an installation with agents changes nothing and names the label, unless the check is skipped', async () => {
    createNamespace(level, level);
    const install = ['install', ...on(level), '--no-wait', '--agent'];
    const { code, err } = await logtool(...install);
    expect(code).toBe(1);
    expect(err).toContain(
      `the namespace ${level} does not admit the pods of DaemonSet "${level}-logtool-agent"; logtool changed nothing`,
    );
    expect(err).toContain(`label namespace ${level} ${ENFORCE}=privileged --overwrite`);
    expect(cluster.sim.store.get('daemonsets.apps', level, `${level}-logtool-agent`)).toBeUndefined();
    expect(await logtool('install', ...on(level), '--no-wait')).toMatchObject({ code: 0 });
    expect(await logtool('upgrade', ...on(level), '--no-wait', '--agent')).toMatchObject({ code: 1 });
    const skipped = await logtool('upgrade', ...on(level), '--no-wait', '--agent', '--skip-preflight');
    expect(skipped).toMatchObject({ code: 0 });
    await logtool('uninstall', ...on(level));
  });
});

describe('a release with agents', () => {
  beforeAll(async () => {
    createNamespace('logs', 'privileged');
    expect(await logtool('install', ...on('logs'), '--no-wait', '--agent')).toMatchObject({ code: 0 });
  });

  test('has a status that says which nodes have one, and what to do while the API server does not reach their API', async () => {
    const status = () => logtool('status', ...on('logs'));
    await expect
      .poll(async () => (await status()).out)
      .toContain('AGENTS:       ready on 0 of 2 nodes; not on node-1, node-2\n');
    // The agents wait for it, and in this cluster nothing runs that fills it.
    cluster.sim.store.update('configmaps', 'logs', 'logs-logtool-api-ca', (configMap) => {
      configMap.data = { 'ca.crt': 'authorities' };
      return undefined;
    });
    await expect
      .poll(async () => (await status()).out, { timeout: 90_000 })
      .toContain('AGENTS:       ready on 2 of 2 nodes\n');
    const { out } = await status();
    expect(out).toContain('AGENT API:    2 of 2 replicas ready\n');
    expect(out).toContain('CERTIFICATES: the API has made none yet\n');
    expect(out).toMatch(/^API GROUP: +the API server does not reach it: .*cannot delete any namespace/m);
    expect(out).toContain('kubectl delete apiservice v1alpha1.logtool.dev');
    const { agents } = JSON.parse((await logtool('status', ...on('logs'), '-o', 'json')).out);
    expect(agents).toMatchObject({ agents: { ready: 2, wanted: 2, without: [] }, api: { ready: 2 } });
  });

  test('loses its APIService first', async () => {
    const { out } = await logtool('uninstall', ...on('logs'), '--dry-run');
    expect(out.split('\n')[0]).toBe('would delete APIService "v1alpha1.logtool.dev"');
    const { err } = await logtool('uninstall', ...on('logs'));
    expect(err.split('\n')[0]).toBe('deleted APIService "v1alpha1.logtool.dev"');
  });
});
