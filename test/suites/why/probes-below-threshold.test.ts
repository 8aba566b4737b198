import { expect, test } from 'vitest';
import { type WhyJson, whyOf } from './why-world.ts';

/** Explains a program that ends with 1 by itself, 15 s after its liveness probe, which needs 3 failures, failed once. */
async function explain(earlier: readonly object[]) {
  const scenario = {
    seed: 1,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '55m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        containers: [
          {
            name: 'app',
            spec: {
              livenessProbe: {
                httpGet: { path: '/healthz', port: 80 },
                periodSeconds: 10,
                failureThreshold: 3,
              },
            },
            probes: [
              ...earlier.map((range) => ({ probe: 'liveness', ...range })),
              { probe: 'liveness', from: '-10m', until: '-9m50s' },
            ],
            logs: [{ format: 'json', perSecond: 0.1, levels: { info: 1 } }],
          },
        ],
      },
    ],
    timeline: [{ at: '-9m45s', action: 'crash', workload: 'deployments/web', code: 1 }],
  };
  const { stdout } = await whyOf(scenario, 'deployments/web', '-n', 'shop', '-o', 'json');
  const { verdicts, also } = JSON.parse(stdout) as WhyJson;
  return { verdicts, also: also.map(({ fact }) => fact.reason) };
}

test('as many failures of a probe as a kill needs, but an hour apart, ended nothing', async () => {
  const { verdicts, also } = await explain([
    { from: '-50m', until: '-49m50s' },
    { from: '-30m', until: '-29m50s' },
  ]);
  expect(verdicts.map(({ code }) => code)).toEqual(['crashed']);
  expect(also).toContain('Unhealthy');
});

test('a failure of a probe that killed an earlier run did not end this one', async () => {
  const { verdicts, also } = await explain([{ from: '-50m', until: '-49m' }]);
  expect(verdicts.map(({ code }) => code)).toEqual(['crashed']);
  expect(also).toContain('Unhealthy');
});
