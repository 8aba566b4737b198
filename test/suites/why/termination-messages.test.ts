import { expect, test } from 'vitest';
import { openWhy } from './why-world.ts';

const SCENARIO = {
  seed: 11,
  namespace: 'shop',
  backfill: '60m',
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 1,
      containers: [{ name: 'app', exit: { after: '3s', code: 1 } }],
    },
  ],
};

async function explained(message: string): Promise<string> {
  const world = await openWhy(SCENARIO);
  const { store } = world.cluster;
  const pod = store.list('pods', 'shop')[0];
  if (pod === undefined) throw new Error('the scenario makes a pod');
  const status = structuredClone(pod.status) as {
    containerStatuses: { state: { terminated?: object }; lastState: { terminated?: object } }[];
  };
  for (const { lastState, state } of status.containerStatuses)
    for (const terminated of [lastState.terminated, state.terminated])
      if (terminated !== undefined) Object.assign(terminated, { message });
  store.replace('pods', pod, { status });
  const { stdout } = await world.why('deployments/web', '-n', 'shop');
  await world.close();
  return stdout;
}

test('what a container wrote to its termination message is shown as one bounded line without controls', async () => {
  expect(await explained('fatal: config key "db.url"\n\tmissing\x1b[31m\n')).toMatch(
    /\n {4}termination message: fatal: config key "db\.url" missing[^\n\x1b]*\n/,
  );
  expect(await explained('x'.repeat(4_096))).toContain(`termination message: ${'x'.repeat(300)}...\n`);
});

test('without such a message reports nothing of it', async () => {
  expect(await explained('')).not.toContain('termination message');
});
