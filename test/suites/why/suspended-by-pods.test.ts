import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../scenarios/happenings');

test.each(['pods/*', 'jobs/*'])(
  '%s finds that the CronJob of a Job is suspended',
  { timeout: 60_000 },
  async (source) => {
    const world = await openWhy(join(SCENARIOS, 'cronjob-suspended.yaml'));
    const { stdout } = await world.why(source, '-n', 'shop', '-o', 'json');
    await world.close();
    const { verdicts } = JSON.parse(stdout) as WhyJson;
    expect(verdicts.map(({ code, data }) => [code, data.name])).toEqual([['cronjob-suspended', 'nightly']]);
  },
);

test('a suspended CronJob says nothing about other workloads', { timeout: 60_000 }, async () => {
  const world = await openWhy({
    seed: 4,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'CronJob',
        name: 'nightly',
        schedule: '5,15,25,35,45,55 * * * *',
        restartPolicy: 'Never',
        containers: [{ name: 'app', lines: ['reading'], exit: { after: '50s', code: 0 } }],
      },
      { kind: 'Deployment', name: 'web', containers: [{ name: 'app', lines: ['listening'] }] },
    ],
    timeline: [{ at: '-20m', action: 'suspend', workload: 'cronjobs/nightly' }],
  });
  const { stdout } = await world.why('pods/*', '-n', 'shop', '-o', 'json');
  await world.close();
  const { workloads, healthy } = JSON.parse(stdout) as WhyJson;
  expect(workloads.map(({ subject }) => [subject.kind, subject.name])).toEqual([['CronJob', 'nightly']]);
  expect(healthy.names).toEqual(['web']);
});
