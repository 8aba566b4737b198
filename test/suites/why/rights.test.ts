import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

/** A workload that crashes, and users without some permissions. */
const SCENARIO = {
  seed: 7,
  backfill: '8m',
  namespace: 'shop',
  namespaces: ['shop'],
  nodes: [{ name: 'node-1' }],
  users: [
    { name: 'full', namespace: 'shop', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    {
      name: 'pods-only',
      namespace: 'shop',
      rules: [
        { namespace: 'shop', resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] },
        { namespace: 'shop', apiGroups: ['apps'], resources: ['*'], verbs: ['get', 'list'] },
      ],
    },
    {
      name: 'no-logs',
      namespace: 'shop',
      rules: [
        { namespace: 'shop', resources: ['pods', 'events'], verbs: ['get', 'list', 'watch'] },
        { namespace: 'shop', apiGroups: ['apps', 'events.k8s.io'], resources: ['*'], verbs: ['get', 'list'] },
      ],
    },
    {
      name: 'one-namespace',
      namespace: 'shop',
      rules: [
        {
          namespace: 'shop',
          apiGroups: ['', 'apps', 'events.k8s.io'],
          resources: ['*'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
    {
      name: 'no-pods',
      namespace: 'shop',
      rules: [
        { namespace: 'shop', resources: ['events'], verbs: ['get', 'list', 'watch'] },
        { namespace: 'shop', apiGroups: ['apps', 'events.k8s.io'], resources: ['*'], verbs: ['get', 'list'] },
      ],
    },
    { name: 'nobody', namespace: 'shop' },
  ],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      containers: [{ name: 'app', lines: ['starting', 'ERROR no database'], exit: { code: 3 } }],
    },
  ],
};

async function asUser(user: string, scenario: unknown = SCENARIO) {
  const world = await openWhy(scenario);
  try {
    const ran = await world.why('deployments/web', '--kube-context', user, '-o', 'json');
    return { ...ran, json: ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as WhyJson) };
  } finally {
    await world.close();
  }
}

test('without events and nodes the exit still gives a verdict, with what the rest leaves open', async () => {
  const { code, json, stderr } = await asUser('pods-only');
  expect(code).toBe(0);
  expect(json?.verdicts.map((verdict) => verdict.code)).toEqual(['crashed']);
  expect(json?.doubts.map((doubt) => doubt.code)).toEqual(['events-unreadable', 'nodes-unreadable']);
  expect(stderr).toContain('you lack permission to list events in namespace shop');
});

test('a role in one namespace has the events of the pods: only those of nodes are missing', async () => {
  const { code, json, stderr } = await asUser('one-namespace');
  expect(code).toBe(0);
  expect(json?.verdicts.map((verdict) => verdict.code)).toEqual(['crashed']);
  expect(json?.verdicts[0]?.doubts.map((doubt) => doubt.code)).not.toContain('kubelet-unread');
  expect(json?.doubts.map((doubt) => doubt.code)).toEqual(['node-events-unreadable', 'nodes-unreadable']);
  expect(stderr).toContain('you lack permission to list events in namespace default');
});

test('without permission to get logs the verdict stands, and reports its missing lines', async () => {
  const { code, json } = await asUser('no-logs');
  expect(code).toBe(0);
  expect(json?.verdicts.map((verdict) => verdict.code)).toEqual(['crashed']);
  expect(json?.verdicts[0]?.lines).toBeUndefined();
  expect(json?.verdicts[0]?.doubts.map((doubt) => doubt.code)).toContain('lines-unreadable');
});

test('without any right nothing is judged', async () => {
  const { code, stdout, stderr } = await asUser('nobody');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('you lack permission to');
});

test('a source that does not exist is a failure', async () => {
  const world = await openWhy(SCENARIO);
  try {
    const { code, stdout, stderr } = await world.why('deployments/nothing');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('nothing');
  } finally {
    await world.close();
  }
});

test('pods that are not ready for a reason without permission to read it are unexplained, with exit code 3', async () => {
  const probe = { httpGet: { path: '/ready', port: 8080 } };
  const world = await openWhy({
    ...SCENARIO,
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        replicas: 1,
        containers: [
          {
            name: 'app',
            lines: ['starting'],
            spec: { readinessProbe: probe },
            probes: [{ probe: 'readiness', answer: 503 }],
          },
        ],
      },
    ],
  });
  try {
    const unread = await world.why('deployments/web', '--kube-context', 'pods-only');
    expect(unread.code).toBe(3);
    expect(unread.stdout).toMatch(
      /web-\S+ is not ready \(Running, created \d+ m( \d+ s)? ago\), and nothing that logtool read explains why/,
    );
    expect(unread.stdout).toContain('logtool could not read events');
    const read = await world.why('deployments/web', '-o', 'json');
    expect({ code: read.code, first: (JSON.parse(read.stdout) as WhyJson).verdicts[0]?.code }).toEqual({
      code: 0,
      first: 'probe-failing',
    });
  } finally {
    await world.close();
  }
});

test('without permission to list pods, what the events show is not called over, and no pod is counted', async () => {
  const { code, stderr, json } = await asUser('no-pods');
  expect(code).toBe(1);
  expect(stderr).toContain('you lack permission to list pods in namespace shop');
  expect(json?.verdicts.map(({ isOver }) => isOver)).not.toContain(true);
  expect(json?.verdicts.length).toBeGreaterThan(0);
  expect(json).toMatchObject({ outcome: 'explained', pods: { isUnread: true, wanted: 2 } });
  expect(json?.doubts.map((doubt) => doubt.code)).toContain('pods-unreadable');
});

test('without permission to list pods, a workload without trouble is neither healthy nor unexplained', async () => {
  const [web] = SCENARIO.workloads;
  const workloads = [{ ...web, containers: [{ name: 'app', lines: ['starting'] }] }];
  const { code, stdout, stderr } = await asUser('no-pods', { ...SCENARIO, workloads });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('you lack permission to list pods in namespace shop');
});

test('without permission to read nodes, the events of pods report that their node was lost, with the doubt', async () => {
  const world = await openWhy({
    ...SCENARIO,
    workloads: [{ kind: 'Deployment', name: 'web', replicas: 1, containers: [{ name: 'app' }] }],
    timeline: [{ at: '-4m', action: 'kubelet-down', node: 'node-1' }],
  });
  const { code, stdout } = await world.why('deployments/web', '--kube-context', 'one-namespace');
  await world.close();
  expect(code).toBe(0);
  expect(stdout).toContain(
    '  node node-1 was reported not ready, and its pods were not ready from then on\n',
  );
  expect(stdout).toContain(
    '    ? logtool could not read node node-1: it does not know why the node was not ready',
  );
});
