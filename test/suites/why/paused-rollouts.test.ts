import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

/** A paused Deployment in whose log errors begin. */
const SCENARIO = {
  seed: 3,
  namespace: 'shop',
  namespaces: ['shop'],
  backfill: '30m',
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      containers: [
        {
          name: 'app',
          logs: [
            { format: 'json', perSecond: 0.5, levels: { info: 1 } },
            {
              format: 'json',
              perSecond: 1,
              from: '-5m',
              messages: [{ level: 'error', text: 'db refused' }],
            },
          ],
        },
      ],
    },
  ],
  timeline: [{ at: '-12m', action: 'pause', workload: 'deployments/web' }],
};

test('a paused Deployment still runs: its logs are read, and errors in them come first', {
  timeout: 60_000,
}, async () => {
  const world = await openWhy(SCENARIO);
  const { stdout } = await world.why('deployments/web', '-o', 'json');
  const text = await world.why('deployments/web');
  await world.close();
  const { verdicts } = JSON.parse(stdout) as WhyJson;
  expect(verdicts.map(({ code }) => code)).toEqual(['log-errors', 'rollout-paused']);
  expect(text.stdout).toContain(
    'Deployment web is paused: a change of its template reaches no pod until it is resumed',
  );
});
