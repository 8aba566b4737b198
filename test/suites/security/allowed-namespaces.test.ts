import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { LogFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../support/server/around-route.ts';
import { Frames } from '../../support/server/frames.ts';
import { simClient } from '../../support/server/sim-client.ts';

/** Names that a reader confined to the namespace `shop` must not learn. */
const HIDDEN = ['payroll-db', 'tls-key', 'other', 'node-a', 'node-b', 'cluster-admin', 'kube-system'];

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  for (const name of ['payroll-db', 'tls-key'])
    cluster.store.create('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'shop' },
      type: 'Opaque',
    });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const services = (allowedNamespaces: readonly string[]) => servicesAround(client, { allowedNamespaces });

/**
 * Returns the first answer about a source as text, up to the point where everything is known: errors and
 * notices.
 */
async function answerOf(source: string, follow: boolean, allowed = ['shop']): Promise<string> {
  const query = { id: 1, sources: [source], selection: { kind: 'all' }, ...(follow ? { follow } : {}) };
  const answer = await appOf('POST /contexts/{context}/logs', services(allowed)).request(
    '/contexts/sim/logs',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queries: [query] }),
    },
  );
  const frames = new Frames<LogFrame>(answer);
  for (let frame = await frames.next(); frame !== undefined; frame = await frames.next())
    if (frame.type === 'done' || frame.type === 'notice') break;
  await frames.close();
  return JSON.stringify(frames.seen);
}

async function accessOf(source: string): Promise<string> {
  const answer = await appOf('POST /contexts/{context}/access', services(['shop'])).request(
    '/contexts/sim/access',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sources: [source] }),
    },
  );
  return `${answer.status} ${await answer.text()}`;
}

const hiddenIn = (text: string) => HIDDEN.filter((name) => text.includes(name));

describe('a reader of some namespaces only', () => {
  test.each([
    'shop:nodes/nope',
    'shop:nodes/node-a',
    'shop:node/*',
    'shop:namespaces.v1/nope',
    'shop:namespaces.v1/othe',
    'shop:clusterroles/*',
    'shop:clusterroles/cluster-admi',
    'shop:clusterrole.rbac.authorization.k8s.io/admin',
    'shop:tokenreviews/x',
  ])('learns of %s what they learn of a kind that does not exist', async (source) => {
    const kind = source.slice('shop:'.length, source.indexOf('/'));
    const madeUp = source.replace(kind, 'qqqqqqqqqq');
    for (const follow of [false, true]) {
      const answer = await answerOf(source, follow);
      expect(hiddenIn(answer)).toEqual([]);
      expect(answer).toContain('"unknown-kind"');
      expect(answer.replaceAll(`"${kind}`, '"KIND').replaceAll(`\\"${kind}`, '\\"KIND')).toBe(
        (await answerOf(madeUp, follow)).replaceAll('qqqqqqqqqq', 'KIND'),
      );
    }
    expect(await accessOf(source)).toContain('"unknown-kind"');
  });

  test.each([
    ['shop:secrets/payroll-db', 'shop:secrets/nopenopeno'],
    ['shop:secrets/payroll*', 'shop:secrets/nopeno*'],
    ['shop:serviceaccounts/default', 'shop:serviceaccounts/nopenop'],
    ['shop:configmaps/kube-root-ca.crt', 'shop:configmaps/kube-root-no.crt'],
  ])('cannot distinguish %s from %s where it has no pods', async (existing, absent) => {
    const name = (source: string) => source.slice(source.indexOf('/') + 1);
    for (const follow of [false, true]) {
      const answers = await Promise.all(
        [existing, absent].map(async (source) =>
          (await answerOf(source, follow)).replaceAll(name(source), 'NAME'),
        ),
      );
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).toContain('"no-pods"');
    }
  });

  test.each(['shop:secrets/*', 'shop:secrets/payrol-db', 'shop:secrets/nope', 'shop:services/dbb'])(
    'gets no name and no count from %s',
    async (source) => {
      for (const follow of [false, true]) {
        const answer = await answerOf(source, follow);
        expect(hiddenIn(answer)).toEqual([]);
        expect(answer).not.toMatch(/"near":|"found":|"existing":|"names":|\bservices\/db\b/);
      }
    },
  );

  test('gets near names of workloads of an allowed namespace', async () => {
    expect(await answerOf('shop:deployments/wbe', false)).toContain('"near":["shop:deployments/web"]');
    expect(await answerOf('shop:deploymentz/web', false)).toContain('"near":["deployment","deployments"]');
  });

  test('gets near names of allowed namespaces only, where an allowed one does not exist', async () => {
    const answer = await answerOf('othr:pods/*', false, ['othr', 'othrs']);
    expect(answer).toContain('"namespace-missing"');
    expect(answer).toContain('"near":["othrs"]');
    expect(hiddenIn(answer)).toEqual([]);
  });
});

test('a reader of everything is still helped with names', async () => {
  expect(await answerOf('shop:secrets/payrol-db', false, [])).toContain('secrets/payroll-db');
  expect(await answerOf('nodes/node-z', false, [])).toContain('node-a');
});
