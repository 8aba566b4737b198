import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../../../test/support/server/around-route.ts';
import { simClient } from '../../../../test/support/server/sim-client.ts';
import { codeOf, startDashboard } from '../../../../test/support/server/start-dashboard.ts';
import { ROUTES, type RouteName } from '../contract/routes.ts';
import type { Services } from './services.ts';

const query = (source: string) => ({ id: 1, sources: [source], selection: { kind: 'all' } });

type OfContext = Extract<RouteName, `${string} /contexts/{context}/${string}`>;

/** The context routes without a namespace parameter, each with what limits its answer to the allowed namespaces. */
const WITHOUT = {
  'GET /contexts/{context}/namespaces': 'the list itself, in its own test below',
} as const satisfies Partial<Record<OfContext, string>>;

/** How to request a namespace from each route that takes one. */
const ASKED: Readonly<
  Record<
    Exclude<OfContext, keyof typeof WITHOUT>,
    (source: string, token: string) => readonly [string, object | undefined]
  >
> = {
  'GET /contexts/{context}/workloads': (source) => [
    `workloads?namespaces=${encodeURIComponent(source.split(':')[0] ?? '')}`,
    undefined,
  ],
  'POST /contexts/{context}/logs': (source) => [
    'logs',
    { queries: [query('shop:pods/*'), query(source)].map((one, id) => ({ ...one, id })) },
  ],
  'POST /contexts/{context}/scan': (source) => ['scan', { id: 1, sources: ['shop:pods/*', source] }],
  'POST /contexts/{context}/facts': (source) => ['facts', { id: 1, sources: ['shop:pods/*', source] }],
  'POST /contexts/{context}/why': (source) => ['why', { id: 1, sources: ['shop:pods/*', source] }],
  'GET /contexts/{context}/logs/download': (source, token) => [
    `logs/download?format=text&token=${token}&query=${encodeURIComponent(JSON.stringify(query(source)))}`,
    undefined,
  ],
  'POST /contexts/{context}/access': (source) => ['access', { sources: ['shop:pods/*', source] }],
};

test('every route of a context is known here, so that a new one is not forgotten', () => {
  const names = Object.entries(ROUTES).filter(([, { path }]) => path.startsWith('/contexts/{context}/'));
  expect(names.map(([name]) => name).sort()).toEqual([...Object.keys(ASKED), ...Object.keys(WITHOUT)].sort());
});

test.each(Object.entries(ASKED))('%s refuses a namespace that is not allowed', async (_, requestFor) => {
  const dashboard = await startDashboard({ allowedNamespaces: ['shop'] });
  const token = await dashboard.pageToken();
  for (const source of ['other:pods/*', 'kube-system:deployments/x']) {
    const [path, body] = requestFor(source, token);
    const answer = await dashboard.ask(`/api/v1/contexts/here/${path}`, {
      headers: { 'x-logtool-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'namespace-not-allowed']);
  }
  expect(dashboard.streams.count).toBe(0);
});

describe('a pattern over all namespaces', () => {
  let cluster: SimCluster;
  let client: KubeClient;
  beforeAll(async () => {
    cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
    client = await simClient(cluster);
  });
  afterAll(async () => {
    client.close();
    await cluster.close();
  });

  /** Requests `*:pods/*` from the two routes that return lines. */
  async function everything(
    services: Services,
  ): Promise<{ readonly logs: string; readonly download: string }> {
    const logs = await appOf('POST /contexts/{context}/logs', services).request('/contexts/sim/logs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queries: [query('*:pods/*')] }),
    });
    const parameters = new URLSearchParams({
      query: JSON.stringify(query('*:pods/*')),
      format: 'jsonl',
      token: 'x',
    });
    const download = await appOf('GET /contexts/{context}/logs/download', services).request(
      `/contexts/sim/logs/download?${parameters}`,
    );
    return { logs: await logs.text(), download: await download.text() };
  }
  const namespacesIn = (text: string) =>
    [...new Set([...text.matchAll(/"namespace":"([^"]*)"/g)].map(([, name]) => name))].sort();

  test('reads all of them where none is excluded', async () => {
    const { logs, download } = await everything(servicesAround(client));
    expect(namespacesIn(logs)).toEqual(['other', 'shop']);
    expect(namespacesIn(download)).toEqual(['other', 'shop']);
  });

  test('asks the cluster for the allowed namespaces only', async () => {
    const from = cluster.requests.length;
    const { logs, download } = await everything(servicesAround(client, { allowedNamespaces: ['shop'] }));
    expect(namespacesIn(logs)).toEqual(['shop']);
    expect(namespacesIn(download)).toEqual(['shop']);
    const paths = cluster.requests.slice(from).map((request) => request.replace(/\?.*/, ''));
    expect(paths).toContain('GET /api/v1/namespaces/shop/pods');
    expect(paths.filter((path) => path === 'GET /api/v1/pods' || path.includes('/other/'))).toEqual([]);
  });

  test('shows no container of another namespace, even where the sources were not narrowed', async () => {
    const services: Services = {
      ...servicesAround(client, { allowedNamespaces: ['shop'] }),
      guardNamespaces: (sources) => sources.map((argument) => ({ argument, read: [argument] })),
    };
    const { logs, download } = await everything(services);
    expect(namespacesIn(logs)).toEqual(['shop']);
    expect(namespacesIn(download)).toEqual(['shop']);
  });
});
