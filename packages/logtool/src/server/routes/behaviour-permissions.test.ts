import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, HOST, ORIGIN, optionsOn } from '../../../../../test/support/server/start-dashboard.ts';
import type { AccessAnswer, ContextList, NamespaceList } from '../../contract/cluster.ts';
import { createDashboard, type DashboardOptions } from '../create-dashboard.ts';

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
});
afterAll(() => cluster.close());

async function serve(options: Partial<DashboardOptions> = {}) {
  const dashboard = await createDashboard(optionsOn(cluster.kubeconfig, options));
  const ask = async (path: string, init: { method?: string; body?: string; headers?: object } = {}) =>
    dashboard.fetch(
      new Request(`${ORIGIN}/api/v1${path}`, {
        ...init,
        headers: { host: HOST, ...init.headers } as Record<string, string>,
      }),
    );
  const get = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>;
  const { token } = await get<{ token: string }>('/token');
  const access = async (context: string, sources: readonly string[]) =>
    ask(`/contexts/${context}/access`, {
      method: 'POST',
      body: JSON.stringify({ sources }),
      headers: { 'content-type': 'application/json', 'x-logtool-token': token },
    });
  return { dashboard, ask, get, access, close: () => dashboard.close() };
}

describe('namespaces', () => {
  test('of someone with all rights are all there', async () => {
    const { get, close } = await serve();
    const { namespaces, partial } = await get<NamespaceList>('/contexts/full/namespaces');
    expect(namespaces.map(({ name }) => name)).toEqual(expect.arrayContaining(['other', 'shop']));
    expect([partial, namespaces.filter(({ denied }) => denied !== undefined)]).toEqual([undefined, []]);
    await close();
  });

  test('that may not be listed are those that are known by name, with what is missing', async () => {
    const { get, close } = await serve();
    expect(await get<NamespaceList>('/contexts/ns-reader/namespaces')).toEqual({
      namespaces: [{ name: 'shop' }],
      partial: expect.objectContaining({
        code: 'forbidden',
        denied: {
          verb: 'list',
          resource: 'namespaces',
          check: 'kubectl auth can-i list namespaces --all-namespaces',
        },
      }),
    });
    await close();
  });

  test.each(['nobody', 'named-only'])(
    'in which nothing may be listed are denied, with the verb (%s)',
    async (user) => {
      const { get, close } = await serve();
      const { namespaces } = await get<NamespaceList>(`/contexts/${user}/namespaces`);
      expect(namespaces).toMatchObject([
        {
          name: 'shop',
          denied: {
            code: 'forbidden',
            denied: {
              verb: 'list',
              resource: 'pods',
              namespace: 'shop',
              check: 'kubectl auth can-i list pods -n shop',
            },
          },
        },
      ]);
      await close();
    },
  );

  test('are no others than those allowed', async () => {
    const { get, close } = await serve({ allowedNamespaces: ['other', 'absent'] });
    expect((await get<NamespaceList>('/contexts/full/namespaces')).namespaces).toEqual([{ name: 'other' }]);
    const { namespaces } = await get<NamespaceList>('/contexts/ns-reader/namespaces');
    expect(namespaces.map(({ name, denied }) => [name, denied?.code])).toEqual([
      ['absent', 'forbidden'],
      ['other', 'forbidden'],
    ]);
    await close();
  });

  test('of a cluster that does not take the credentials are an error in words, but no end of the sign-in', async () => {
    const { ask, close } = await serve();
    const answer = await ask('/contexts/bad-token/namespaces');
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'unauthorized']);
    await close();
  });
});

describe('access', () => {
  const missingOf = async (answer: Response) =>
    ((await answer.json()) as AccessAnswer).missing.map(({ denied }) => denied?.check);

  test('with all rights nothing is missing', async () => {
    const { access, close } = await serve();
    expect(
      await missingOf(await access('full', ['deployments/*', 'other:pods/elsewhere', '*:jobs/*'])),
    ).toEqual([]);
    await close();
  });

  test('to pods by their names is enough for those names', async () => {
    const { access, close } = await serve();
    expect(await missingOf(await access('named-only', ['db-0', 'pods/db-1', 'deployments/web']))).toEqual([
      'kubectl auth can-i get pods/db-1 -n shop',
      'kubectl auth can-i get pods/db-1 --subresource=log -n shop',
      'kubectl auth can-i get deployments.apps/web -n shop',
      'kubectl auth can-i list pods -n shop',
      'kubectl auth can-i get pods --subresource=log -n shop',
    ]);
    await close();
  });

  test('to one namespace is not to another, nor to all', async () => {
    const { access, close } = await serve();
    expect(await missingOf(await access('no-watch', ['deployments/*', 'pods/*']))).toEqual([]);
    expect(await missingOf(await access('no-watch', ['other:pods/*', '*:pods/*']))).toEqual([
      'kubectl auth can-i list pods -n other',
      'kubectl auth can-i get pods --subresource=log -n other',
      'kubectl auth can-i list pods --all-namespaces',
      'kubectl auth can-i get pods --subresource=log --all-namespaces',
    ]);
    await close();
  });

  test('ends at the allowed namespaces, whatever the credentials allow', async () => {
    const { access, close } = await serve({ allowedNamespaces: ['shop'] });
    expect(await missingOf(await access('ns-reader', ['*:pods/*', 'deployments/*']))).toEqual([]);
    for (const source of ['other:pods/*', 'o*:pods/*', 'other:elsewhere']) {
      const answer = await access('full', [source]);
      expect([answer.status, await codeOf(answer)]).toEqual([403, 'namespace-not-allowed']);
    }
    await close();
  });

  test('refuses an invalid source or kind, with a readable error', async () => {
    const { access, close } = await serve();
    const codeFor = async (source: string) => {
      const answer = await access('full', [source]);
      return [answer.status, await codeOf(answer)];
    };
    expect(await codeFor('a:b:c')).toEqual([400, 'bad-source']);
    expect(await codeFor('rollouts/web')).toEqual([400, 'unknown-kind']);
    await close();
  });
});

test('a context is checked when that is asked for', async () => {
  const { get, close } = await serve();
  const contextOf = ({ contexts }: ContextList, wanted: string) =>
    contexts.find(({ name }) => name === wanted);
  expect(contextOf(await get('/contexts'), 'full')?.reachability).toBe('unknown');
  expect(contextOf(await get('/contexts?check=full'), 'full')).toMatchObject({
    reachability: 'reachable',
    version: expect.stringMatching(/^v1\./),
    nodes: 2,
  });
  const reader = contextOf(await get('/contexts?check=ns-reader'), 'ns-reader');
  expect([reader?.reachability, reader?.nodes]).toEqual(['reachable', undefined]);
  expect(contextOf(await get('/contexts?check=bad-token'), 'bad-token')).toMatchObject({
    reachability: 'unreachable',
    error: { code: 'unauthorized' },
  });
  await close();
});

test('nothing of the credentials is in any answer', async () => {
  const { readFile } = await import('node:fs/promises');
  const { load } = await import('js-yaml');
  const { users } = load(await readFile(cluster.kubeconfig, 'utf8')) as {
    users: { user: Record<string, string> }[];
  };
  const secrets = users
    .flatMap(({ user }) => Object.values(user))
    .filter((value) => typeof value === 'string');
  expect(secrets.length).toBeGreaterThan(5);
  const { ask, access, get, close } = await serve();
  const { contexts } = await get<ContextList>('/contexts');
  const answers = [await ask('/info'), await ask('/openapi.json')];
  for (const { name } of contexts) {
    answers.push(await ask(`/contexts?check=${name}`), await ask(`/contexts/${name}/namespaces`));
    answers.push(await access(name, ['*:pods/*', 'x/y', 'db-0']));
  }
  for (const answer of answers) {
    const text = [...answer.headers].flat().join('\n') + (await answer.text());
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  await close();
});
