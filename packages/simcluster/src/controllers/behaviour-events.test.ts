import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { ask } from '../../test/support/ask.ts';
import { play, podNamed } from '../../test/support/play.ts';
import { type SimCluster, startSimCluster } from '../start.ts';
import { podStatus } from './objects.ts';

const HOUR_MS = 3_600_000;
const CRASHER = { kind: 'Pod', name: 'crasher', containers: [{ name: 'app', exit: { code: 3 } }] };
const HOMELESS = {
  kind: 'Pod',
  name: 'homeless',
  nodeSelector: { disk: 'nvme' },
  containers: [{ name: 'app' }],
};

function events(sim: Awaited<ReturnType<typeof play>>['sim'], reason: string) {
  return sim.store.list('events').filter((event) => event.reason === reason);
}

describe('the events of a cluster', () => {
  it('count what a kubelet reports again, with the first and the last time', async () => {
    const { sim, clock } = await play({ nodes: [{ name: 'node-1' }], workloads: [CRASHER] });
    await clock.advance(100_000);
    const [backOff] = events(sim, 'BackOff');
    expect(backOff).toMatchObject({
      type: 'Warning',
      source: { component: 'kubelet', host: 'node-1' },
      reportingComponent: 'kubelet',
      reportingInstance: 'node-1',
      eventTime: null,
      involvedObject: { kind: 'Pod', name: 'crasher', fieldPath: 'spec.containers{app}' },
    });
    expect(backOff?.count).toBeGreaterThan(2);
    expect(String(backOff?.firstTimestamp) < String(backOff?.lastTimestamp)).toBe(true);
  });

  it('of a kubelet have the time of its node', async () => {
    const nodes = [{ name: 'node-1', clockSkew: '-90s' }];
    const { sim, clock } = await play({ nodes, workloads: [CRASHER] });
    const createdMs = clock.now();
    await clock.advance(100_000);
    const [started] = events(sim, 'Started');
    const created = Date.parse(started?.metadata.creationTimestamp ?? '');
    expect(Date.parse(String(started?.firstTimestamp)) - created).toBe(-90_000);
    const [run] = podStatus(podNamed(sim, 'crasher')).containerStatuses ?? [];
    expect(run?.lastState.terminated?.finishedAt).toBeDefined();
    expect(Date.parse(String(started?.lastTimestamp))).toBeGreaterThan(
      Date.parse(String(started?.firstTimestamp)),
    );
    expect(Date.parse(String(started?.lastTimestamp))).toBeLessThanOrEqual(
      Date.parse(run?.lastState.terminated?.finishedAt ?? ''),
    );
    // The API server counts the hour by its own clock.
    sim.store.remove('pods', 'default', 'crasher');
    await clock.advance(createdMs + HOUR_MS - clock.now());
    expect(events(sim, 'Started')).toHaveLength(1);
    await clock.advance(100_000);
    expect(events(sim, 'Started')).toEqual([]);
  });

  it('of a kubelet with ever different texts are combined from the tenth on', async () => {
    const workloads = [{ kind: 'Pod', name: 'alone', containers: [{ name: 'app' }] }];
    const { sim, clock } = await play({
      nodes: [{ name: 'node-1' }],
      workloads,
      networks: [{ until: '5m' }],
    });
    await clock.advance(240_000);
    const failures = events(sim, 'FailedCreatePodSandBox');
    const combined = failures.filter(({ message }) => String(message).startsWith('(combined from'));
    expect(failures).toHaveLength(10);
    expect(combined).toHaveLength(1);
    expect(combined[0]?.count).toBeGreaterThan(3);
    expect(new Set(failures.map(({ message }) => message)).size).toBe(10);
    // It has the text of the last one.
    const before = combined[0]?.message;
    await clock.advance(30_000);
    const [after] = events(sim, 'FailedCreatePodSandBox').filter(({ count }) => Number(count) > 1);
    expect(after?.message).not.toBe(before);
    expect(podStatus(podNamed(sim, 'alone')).phase).toBe('Pending');
    await clock.advance(60_000);
    expect(podStatus(podNamed(sim, 'alone')).phase).toBe('Running');
  });

  it('of the scheduler have microseconds, an action and a series, as the recording has', async () => {
    const { sim, clock } = await play({ nodes: [{ name: 'node-1' }], workloads: [CRASHER, HOMELESS] });
    await clock.advance(1_000);
    const [scheduled] = events(sim, 'Scheduled');
    expect(scheduled).toMatchObject({
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      action: 'Binding',
      reportingComponent: 'default-scheduler',
    });
    expect(scheduled).not.toHaveProperty('count');
    const [failed] = events(sim, 'FailedScheduling');
    expect(failed).toMatchObject({ action: 'Scheduling', type: 'Warning' });
    expect(failed).not.toHaveProperty('series');
    // The scheduler retries a pod that fits nowhere every five minutes.
    await clock.advance(300_000);
    expect(events(sim, 'FailedScheduling')).toMatchObject([{ series: { count: 2 } }]);
    // It does not publish the count for half an hour.
    await clock.advance(600_000);
    expect(events(sim, 'FailedScheduling')).toMatchObject([{ series: { count: 2 } }]);
    await clock.advance(1_500_000);
    const [later] = events(sim, 'FailedScheduling');
    expect((later?.series as { count: number } | undefined)?.count).toBeGreaterThan(7);
  });

  it('are gone an hour after the last time that they happened', async () => {
    const { sim, clock } = await play({ nodes: [{ name: 'node-1' }], workloads: [CRASHER] });
    await clock.advance(HOUR_MS - 60_000);
    expect(events(sim, 'Scheduled').length).toBe(1);
    await clock.advance(120_000);
    expect(events(sim, 'Scheduled').length).toBe(0);
    expect(events(sim, 'BackOff').length).toBe(1);
  });

  it('are held back when a kubelet has reported 25 of one pod', async () => {
    const { sim, clock } = await play({ nodes: [{ name: 'node-1' }], workloads: [] });
    const { recordEvent } = await import('./event-recorder.ts');
    sim.store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers: [] },
    });
    const report = () =>
      recordEvent(sim.cluster, podNamed(sim, 'p'), {
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'again',
        component: 'kubelet',
        host: 'node-2',
      });
    for (let n = 0; n < 40; n++) report();
    expect(events(sim, 'Unhealthy')).toMatchObject([{ count: 25 }]);
    await clock.advance(300_000);
    for (let n = 0; n < 5; n++) report();
    expect(events(sim, 'Unhealthy')).toMatchObject([{ count: 26 }]);
  });
});

describe('both groups of the API', () => {
  let cluster: SimCluster;
  beforeAll(async () => {
    cluster = await startSimCluster({
      scenario: { nodes: [{ name: 'node-1' }], workloads: [CRASHER, HOMELESS], backfill: '5m' },
      clock: new FakeClock(),
    });
  });
  afterAll(() => cluster.close());

  interface Page {
    readonly metadata: { readonly continue?: string };
    readonly items: readonly Record<string, unknown>[];
  }

  async function list(path: string): Promise<Page> {
    const { status, body } = await ask(cluster, 'admin', path);
    const { text } = await body;
    expect([path, status, text.slice(0, 300)]).toEqual([path, 200, expect.anything()]);
    return JSON.parse(text) as Page;
  }

  const CORE = '/api/v1/namespaces/default/events';
  const GROUP = '/apis/events.k8s.io/v1/namespaces/default/events';

  it('show the same objects, each with its own names of the fields', async () => {
    const [core, group] = [await list(CORE), await list(GROUP)];
    const uid = ({ metadata }: Record<string, unknown>) => (metadata as { uid: string }).uid;
    expect(group.items.map(uid)).toEqual(core.items.map(uid));
    const failed = group.items.find(({ reason }) => reason === 'FailedScheduling');
    expect(failed).toMatchObject({
      note: expect.stringMatching(/^0\/1 nodes are available: 1 node\(s\) didn't match/),
      regarding: { kind: 'Pod', name: 'homeless' },
      reportingController: 'default-scheduler',
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
    });
    const backOff = group.items.find(({ reason }) => reason === 'BackOff');
    expect(backOff).toMatchObject({ deprecatedCount: expect.any(Number), eventTime: null });
  });

  it('come in pages', async () => {
    const whole = await list(GROUP);
    const seen: unknown[] = [];
    let token: string | undefined = '';
    while (token !== undefined) {
      const page: Page = await list(`${GROUP}?limit=2${token === '' ? '' : `&continue=${token}`}`);
      seen.push(...page.items);
      token = page.metadata.continue;
    }
    expect(seen).toEqual(whole.items);
  });

  it('are chosen by fields of their own group only', async () => {
    const uid = cluster.store.get('pods', 'default', 'crasher')?.metadata.uid ?? '';
    const core = await list(`${CORE}?fieldSelector=involvedObject.uid%3D${uid},type%3DWarning`);
    const group = await list(`${GROUP}?fieldSelector=regarding.uid%3D${uid},type%3DWarning`);
    expect(core.items.map(({ reason }) => reason)).toEqual(['BackOff']);
    expect(group.items.map(({ reason }) => reason)).toEqual(['BackOff']);
    const byController = await list(`${GROUP}?fieldSelector=reportingController%3Ddefault-scheduler`);
    expect(byController.items.map(({ reason }) => reason).toSorted()).toEqual([
      'FailedScheduling',
      'Scheduled',
    ]);
    for (const path of [
      `${GROUP}?fieldSelector=involvedObject.uid%3D1`,
      `${CORE}?fieldSelector=regarding.uid%3D1`,
    ]) {
      const { status, body } = await ask(cluster, 'admin', path);
      expect([status, (await body).text]).toEqual([
        400,
        expect.stringContaining('field label not supported'),
      ]);
    }
  });

  it('are what kubectl shows', async () => {
    const out = async (line: string) => {
      const { stdout, stderr, exitCode } = await kubectl(line.split(' '), cluster);
      expect([line, exitCode, stderr]).toEqual([line, 0, '']);
      return stdout.toString();
    };
    expect(await out('get events --field-selector type=Warning,involvedObject.name=crasher')).toMatch(
      /Warning +BackOff +pod\/crasher +Back-off restarting failed container app in pod crasher_default/,
    );
    expect(await out('events --for pod/homeless')).toMatch(/Warning +FailedScheduling +Pod\/homeless/);
    expect(await out('describe pod homeless')).toMatch(
      /Warning +FailedScheduling .*default-scheduler +0\/1 nodes are available/,
    );
  });
});
