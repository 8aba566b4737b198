import { expect, test } from 'vitest';
import { ROUTES } from '../contract/routes.ts';
import { codeOf, startDashboard } from './testing/start-dashboard.ts';

const query = (source: string) => ({ id: 1, sources: [source], selection: { kind: 'all' } });

/** How each route that takes a namespace is asked for one. */
const ASKED: Readonly<
  Record<string, (source: string, token: string) => readonly [string, object | undefined]>
> = {
  workloads: (source) => [
    `workloads?namespaces=${encodeURIComponent(source.split(':')[0] ?? '')}`,
    undefined,
  ],
  logs: (source) => [
    'logs',
    { queries: [query('shop:pods/*'), query(source)].map((one, id) => ({ ...one, id })) },
  ],
  download: (source, token) => [
    `logs/download?format=text&token=${token}&query=${encodeURIComponent(JSON.stringify(query(source)))}`,
    undefined,
  ],
  access: (source) => ['access', { sources: ['shop:pods/*', source] }],
};

/** Those of a context that take none: the list of namespaces is limited itself. */
const WITHOUT = ['namespaces'];

test('every route of a context is known here, so that a new one is not forgotten', () => {
  const names = Object.entries(ROUTES).filter(([, { path }]) => path.startsWith('/contexts/{context}/'));
  expect(names.map(([name]) => name).sort()).toEqual([...Object.keys(ASKED), ...WITHOUT].sort());
});

test.each(Object.keys(ASKED))('%s refuses a namespace that is not allowed', async (name) => {
  const dashboard = await startDashboard({ allowedNamespaces: ['shop'] });
  const token = await dashboard.pageToken();
  for (const source of ['other:pods/*', 'kube-system:deployments/x']) {
    const [path, body] = ASKED[name]?.(source, token) ?? ['', undefined];
    const answer = await dashboard.ask(`/api/v1/contexts/here/${path}`, {
      headers: { 'x-logtool-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'namespace-not-allowed']);
  }
  expect(dashboard.streams.count).toBe(0);
});
