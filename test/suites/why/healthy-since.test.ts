import { expect, test } from 'vitest';
import { openWhy } from './why-world.ts';

const INFO = [{ format: 'plain', perSecond: 0.1, levels: { info: 1 } }];
const app = (image: string, more: object = {}) => ({ name: 'app', image, logs: INFO, ...more });
const WEB = 'deployments/web';
const PROBE = { httpGet: { path: '/ready', port: 80 }, periodSeconds: 5 };
const MISSING = { ...app('r/w:2'), spec: { envFrom: [{ secretRef: { name: 'tls' } }] } };
const SLOW = app('r/w:2', {
  spec: { startupProbe: { ...PROBE, failureThreshold: 90 } },
  probes: [{ probe: 'startup', until: '-5m', answer: 'refused' }],
});
const LOST = {
  spec: { readinessProbe: PROBE },
  probes: [{ probe: 'readiness', from: '-25m', until: '-15m', answer: 503 }],
};
const rollout = (at: string, container: object) => ({
  at,
  action: 'rollout',
  workload: WEB,
  containers: [container],
});
const scale = (at: string, workload: string, replicas: number) => ({
  at,
  action: 'scale',
  workload,
  replicas,
});

/** Both are scaled to 0 for ten minutes. */
const SCALED = [
  scale('-20m', WEB, 0),
  scale('-10m', WEB, 2),
  scale('-20m', 'statefulsets/db', 0),
  scale('-10m', 'statefulsets/db', 1),
];

interface Given {
  readonly web?: object;
  readonly timeline?: readonly object[];
  readonly sources?: readonly string[];
}

/** Explains Deployment `web`, which can lose all pods in a rollout, and the StatefulSet `db`. */
async function sincesOf({ web, timeline = [], sources = [WEB] }: Given): Promise<readonly unknown[]> {
  const workloads = [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      maxUnavailable: '100%',
      containers: [app('r/w:1')],
      ...web,
    },
    { kind: 'StatefulSet', name: 'db', replicas: 1, containers: [app('r/d:1')] },
  ];
  const world = await openWhy({
    seed: 6,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }, { name: 'node-2' }],
    registries: [{ image: '*:denied', answers: 'denied' }],
    workloads,
    timeline,
  });
  const found: unknown[] = [];
  for (const source of sources) {
    const { stdout, code } = await world.why(source, '-n', 'shop', '-o', 'json');
    const { outcome, knownFrom } = JSON.parse(stdout) as { outcome: string; knownFrom: string };
    const text = await world.why(source, '-n', 'shop');
    expect([outcome, code, text.code]).toEqual(['healthy', 0, 0]);
    expect(text.stdout).toContain(`healthy according to the cluster since ${knownFrom.slice(0, 19)}`);
    found.push(knownFrom.slice(11, 19));
  }
  await world.close();
  return found;
}

test.each<[string, Given, readonly string[]]>([
  [
    'no pod could pull its image, until the rollback',
    { timeline: [rollout('-10m', app('r/w:denied')), rollout('-3m', app('r/w:1'))] },
    ['11:57:01'],
  ],
  [
    'a Secret was missing, until the rollback',
    { timeline: [rollout('-10m', MISSING), rollout('-3m', app('r/w:1', { spec: { envFrom: [] } }))] },
    ['11:57:01'],
  ],
  ['all pods of a rollout started slowly', { timeline: [rollout('-10m', SLOW)] }, ['11:55:02']],
  ['it was created', { web: { at: '-15m' }, sources: [WEB, 'pods/*'] }, ['11:45:01', '11:45:01']],
  [
    'it was scaled up from 0',
    {
      timeline: SCALED,
      sources: [WEB, 'statefulsets/db'],
    },
    ['11:50:01', '11:50:01'],
  ],
  [
    'pods that were replaced since were not ready',
    {
      web: { maxUnavailable: '25%', containers: [app('r/w:1', LOST)] },
      timeline: [rollout('-10m', app('r/w:2', LOST))],
    },
    ['11:45:02'],
  ],
  [
    'the cluster knows it: it had all of its pods during a rollout',
    { web: { maxUnavailable: 0 }, timeline: [rollout('-10m', app('r/w:2'))] },
    ['11:30:01'],
  ],
])('reports from what time on it is well: %s', { timeout: 60_000 }, async (_, given, expected) => {
  expect(await sincesOf(given)).toEqual(expected);
});
