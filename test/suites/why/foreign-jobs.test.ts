import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const FAILED = 'redis: dial tcp 10.0.0.9:6379: connect: connection refused';

test('failed Jobs of a CronJob are no problem of other workloads', { timeout: 60_000 }, async () => {
  const world = await openWhy({
    seed: 4,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'CronJob',
        name: 'import',
        schedule: '2-59/5 * * * *',
        backoffLimit: 0,
        restartPolicy: 'Never',
        containers: [{ name: 'app', lines: ['no bucket'], exit: { after: '2s', code: 1 } }],
      },
      { kind: 'Deployment', name: 'cache', containers: [{ name: 'app', lines: ['listening'] }] },
      {
        kind: 'Deployment',
        name: 'web',
        containers: [
          {
            name: 'app',
            logs: [
              { format: 'json', perSecond: 0.1, levels: { info: 1 } },
              { format: 'json', perSecond: 0.5, from: '-10m', messages: [{ level: 'error', text: FAILED }] },
            ],
          },
        ],
      },
    ],
  });
  const { stdout } = await world.why('pods/*', '-n', 'shop', '-o', 'json');
  await world.close();
  const { workloads, healthy, verdicts } = JSON.parse(stdout) as WhyJson;
  expect(verdicts.map(({ code }) => code)).toContain('log-errors');
  expect(workloads.map(({ subject }) => `${subject.kind} ${subject.name}`).sort()).toEqual([
    'CronJob import',
    'Deployment web',
  ]);
  expect(healthy.names).toEqual(['cache']);
});
