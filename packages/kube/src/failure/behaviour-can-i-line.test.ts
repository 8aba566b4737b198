import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubectl } from '../../../../test/support/oracles/kubectl.ts';
import { DEPLOYMENTS, NODES, PODS } from '../builtin-resources.ts';
import type { KubeClient } from '../client.ts';
import { openConnection } from '../connection/open-connection.ts';
import { createKubeClient } from '../create-client.ts';
import { systemClock } from '../values/clock.ts';
import { describeKubeError } from './describe.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  const connection = await openConnection({
    kubeconfig: cluster.kubeconfig,
    context: 'reader',
    env: {},
    homeDirectory: '/nonexistent',
    clock: systemClock,
  });
  client = createKubeClient(connection, { clock: systemClock, userAgent: 'logtool/test' });
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const first = (pages: AsyncIterable<unknown>) => pages[Symbol.asyncIterator]().next();

test.each<[string, () => Promise<unknown>]>([
  ['kubectl auth can-i list nodes --all-namespaces', () => first(client.list(NODES, {}))],
  ['kubectl auth can-i list pods -n shop', () => first(client.list(PODS, { namespace: 'shop' }))],
  ['kubectl auth can-i list pods --all-namespaces', () => first(client.list(PODS, {}))],
  [
    'kubectl auth can-i get deployments.apps/web -n default',
    () => client.get(DEPLOYMENTS, { namespace: 'default', name: 'web' }),
  ],
  [
    'kubectl auth can-i get pods/x --subresource=log -n shop',
    () => client.log({ namespace: 'shop', pod: 'x' }),
  ],
])('kubectl understands the suggested command and answers no: %s', async (line, refused) => {
  const error = await refused().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(describeKubeError(error, client.cluster)).toMatchObject({
    code: 'forbidden',
    data: { check: line },
  });
  const args = [...line.split(' ').slice(1), '--context', 'reader'];
  const answer = await kubectl(args, { kubeconfig: cluster.kubeconfig });
  expect(answer).toMatchObject({ exitCode: 1, stderr: '' });
  expect(answer.stdout.toString().trim()).toMatch(/^no\b/);
});
