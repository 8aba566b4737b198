import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const INFO = [{ format: 'json', perSecond: 1, levels: { info: 1 } }];
const PANIC = { lines: ['panic: no route to db'], exit: { after: '20s', code: 2 } };
const READINESS = { readinessProbe: { httpGet: { path: '/ready', port: 80 }, periodSeconds: 10 } };

interface Given {
  readonly kind?: 'Deployment' | 'StatefulSet';
  readonly container: object;
  readonly timeline: readonly object[];
  readonly argv?: readonly string[];
}

/** Explains a workload, named web, of which version 2 is rolled out 8 minutes ago. */
async function explain({ kind = 'Deployment', container, timeline, argv = [] }: Given) {
  const world = await openWhy({
    seed: 5,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '40m',
    nodes: [{ name: 'node-1' }, { name: 'node-2' }],
    workloads: [
      {
        kind,
        name: 'web',
        replicas: 2,
        ...(kind === 'Deployment' ? { maxUnavailable: '100%' } : {}),
        containers: [{ name: 'app', image: 'r/web:1', ...container }],
      },
    ],
    timeline: [
      ...timeline,
      { at: '-8m', action: 'rollout', workload: `${kind.toLowerCase()}s/web`, image: 'r/web:2' },
    ],
  });
  const source = `${kind.toLowerCase()}s/web`;
  const { stdout } = await world.why(source, '-n', 'shop', ...argv);
  const json = await world.why(source, '-n', 'shop', '-o', 'json', ...argv);
  await world.close();
  const { rollout, verdicts, also } = JSON.parse(json.stdout) as WhyJson;
  const [head = ''] = stdout.split('\n');
  const doubts = verdicts[0]?.doubts.map(({ code }) => code) ?? [];
  return { head, stdout, rollout, verdicts, doubts, also: also.map(({ fact }) => fact.reason) };
}

const crash = (at: string, code = 2) => ({ at, action: 'crash', workload: 'deployments/web', code });

test.each([
  ['a crash loop', { container: PANIC, timeline: [] }],
  ['one crash', { container: { logs: INFO }, timeline: [crash('-12m'), crash('-3m')] }],
  ['a crash that the asked time leaves out', { container: PANIC, timeline: [], argv: ['--since', '7m'] }],
] as const)('a rollout after %s of the same container is no headline', async (_, given) => {
  const { head, stdout, rollout, verdicts, doubts } = await explain(given);
  expect(verdicts[0]?.code).toBe('crashed');
  expect(head).not.toContain('r/web:2');
  expect(rollout).toBeUndefined();
  expect(doubts).toContain('before-rollout');
  expect(stdout).toMatch(
    /\? rollout app r\/web:1 -> r\/web:2 may not be its cause: before it, container app restarted too \(last seen 2026-11-22T11:/,
  );
});

test('a rollout of a StatefulSet, whose pods keep their names, after a crash loop is no headline', async () => {
  const { head, doubts } = await explain({ kind: 'StatefulSet', container: PANIC, timeline: [] });
  expect(head).not.toContain('r/web:2');
  expect(doubts).toContain('before-rollout');
});

test('a rollout after the same answer of the readiness probe is no headline', async () => {
  const probes = [{ probe: 'readiness', from: '-20m' }];
  const { head, stdout, verdicts } = await explain({
    container: { logs: INFO, spec: READINESS, probes },
    timeline: [],
  });
  expect(verdicts[0]?.code).toBe('probe-failing');
  expect(head).not.toContain('r/web:2');
  expect(stdout).toContain('may not be its cause: before it, the probe of container app failed');
});

test.each([
  ['a drain', { at: '-4m', action: 'drain', node: 'node-1' }],
  ['the loss of a node', { at: '-4m', action: 'kubelet-down', node: 'node-1' }],
])('a rollout before %s is no headline', async (_, event) => {
  const { head, also } = await explain({ container: { logs: INFO }, timeline: [event] });
  expect(head).toContain('first known sign 2026-11-22T11:5');
  expect(head).not.toContain('r/web:2');
  expect(also).toContain('');
});

test('a rollout before which a node was drained, and after which a container crashes, is named', async () => {
  const drain = { at: '-30m', action: 'drain', node: 'node-1' };
  const { head } = await explain({
    container: { logs: INFO },
    timeline: [drain, crash('-3m')],
    argv: ['--since', '10m'],
  });
  expect(head).toContain('after rollout app r/web:1 -> r/web:2');
});

test('a rollout after which a probe fails that before failed only at the start is named', async () => {
  const probes = [
    { probe: 'readiness', from: '-40m', until: '-39m10s' },
    { probe: 'readiness', from: '-5m' },
  ];
  const { head, doubts } = await explain({
    container: { logs: INFO, spec: READINESS, probes },
    timeline: [],
  });
  expect(head).toContain('after rollout app r/web:1 -> r/web:2');
  expect(doubts).not.toContain('before-rollout');
});

test('a rollout after which a container first crashes is named', async () => {
  const { head, rollout, doubts } = await explain({ container: { logs: INFO }, timeline: [crash('-3m')] });
  expect(head).toContain('5 m after rollout app r/web:1 -> r/web:2');
  expect(rollout?.secondsBefore).toBe(300);
  expect(doubts).not.toContain('before-rollout');
});
