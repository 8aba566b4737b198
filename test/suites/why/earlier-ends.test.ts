import { expect, test } from 'vitest';
import { type WhyJson, whyOf } from './why-world.ts';

/** One of two pods is killed at 11:40 and is ready again until the readiness probe of both fails, at 11:55. */
const SCENARIO = {
  seed: 1,
  namespace: 'shop',
  namespaces: ['shop'],
  backfill: '30m',
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 2,
      containers: [
        {
          name: 'app',
          limits: { memory: '100Mi' },
          spec: { readinessProbe: { httpGet: { path: '/ready', port: 80 }, periodSeconds: 5 } },
          probes: [{ probe: 'readiness', from: '-5m', answer: 503 }],
          logs: [{ format: 'json', perSecond: 0.02, levels: { info: 1 } }],
        },
      ],
    },
  ],
  timeline: [{ at: '-20m', action: 'oom', workload: 'deployments/web', index: 0 }],
};

test.each([
  ['1h', ['probe-failing false', 'oom-container true']],
  ['10m', ['probe-failing false']],
])('the present cause comes before one that the pods recovered from, within %s', async (since, expected) => {
  const { stdout } = await whyOf(SCENARIO, 'deployments/web', '-n', 'shop', '--since', since, '-o', 'json');
  const { verdicts, since: first } = JSON.parse(stdout) as WhyJson & { readonly since: string };
  expect(verdicts.map(({ code, isOver }) => `${code} ${isOver}`)).toEqual(expected);
  expect(verdicts[0]?.pods).toHaveLength(2);
  expect(first).toMatch(/T11:55:/);
});
