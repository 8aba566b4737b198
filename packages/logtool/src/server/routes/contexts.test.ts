import { expect, test } from 'vitest';
import { onPage } from '../../../../../test/support/on-page.ts';
import { startDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import type { ContextList } from '../../contract/cluster.ts';
import type { ErrorBody } from '../../contract/error.ts';
import { WAIT_MS } from './contexts.ts';

/** Waits until the request waits for a change. */
async function untilWaiting({ streams }: { readonly streams: { readonly count: number } }): Promise<void> {
  while (streams.count === 0) await new Promise((resolve) => setImmediate(resolve));
}

test('a client that waits for a change has to wait, but not forever', async () => {
  const dashboard = await startDashboard();
  const answer = dashboard.ask('/api/v1/contexts?wait=1');
  await untilWaiting(dashboard);
  await dashboard.clock.advance(WAIT_MS);
  expect(((await (await answer).json()) as ContextList).revision).toBe(1);
  expect(dashboard.streams.count).toBe(0);
});

test('returns an earlier change at once', async () => {
  const dashboard = await startDashboard();
  expect((await dashboard.ask('/api/v1/contexts?wait=0')).status).toBe(200);
});

test('the end of the server, or of the tab, ends the waiting', async () => {
  const dashboard = await startDashboard();
  const first = dashboard.ask('/api/v1/contexts?wait=1');
  await untilWaiting(dashboard);
  const tab = new AbortController();
  const second = dashboard.ask('/api/v1/contexts?wait=1', { signal: tab.signal });
  while (dashboard.streams.count < 2) await new Promise((resolve) => setImmediate(resolve));
  tab.abort();
  await second;
  expect(dashboard.streams.count).toBe(1);
  dashboard.endStreams('shutdown');
  await first;
  expect(dashboard.streams.count).toBe(0);
});

test('beyond 64 that wait, or stream, the next is refused', async () => {
  const dashboard = await startDashboard();
  const waiting = Array.from({ length: 64 }, () => dashboard.ask('/api/v1/contexts?wait=1'));
  while (dashboard.streams.count < 64) await new Promise((resolve) => setImmediate(resolve));
  expect((await dashboard.ask('/api/v1/contexts?wait=1')).status).toBe(429);
  expect((await dashboard.ask('/api/v1/contexts')).status).toBe(200);
  dashboard.endStreams('shutdown');
  await Promise.all(waiting);
});

test.each(['wait=-1', 'wait=x', 'wait=1.5', `check=${'x'.repeat(501)}`])('%s is refused', async (query) => {
  const dashboard = await startDashboard();
  expect((await dashboard.ask(`/api/v1/contexts?${query}`)).status).toBe(400);
});

test('a context of any name can be asked about', async () => {
  const name = 'arn:aws:eks:eu-west-1:1:cluster/a b%2F?#ü';
  const dashboard = await startDashboard({
    contexts: [{ name, server: 'https://127.0.0.1:1', token: 'some-secret' }],
  });
  const answer = await dashboard.ask(`/api/v1/contexts/${encodeURIComponent(name)}/namespaces`);
  expect(answer.status).toBe(502);
  const { error } = (await answer.json()) as ErrorBody;
  expect(onPage(error).why).toContain('refused');
});

test('the namespace of a context is not named where it is not shown', async () => {
  const contexts = ['shop', 'secret-shop'].map((namespace) => ({
    name: `of ${namespace.length}`,
    server: 'https://127.0.0.1:1',
    token: 'some-secret',
    namespace,
  }));
  const namesOf = async (allowedNamespaces: readonly string[]) => {
    const dashboard = await startDashboard({ contexts, allowedNamespaces });
    const list = (await (await dashboard.ask('/api/v1/contexts')).json()) as ContextList;
    return list.contexts.map(({ namespace }) => namespace);
  };
  expect(await namesOf([])).toEqual(['shop', 'secret-shop']);
  expect(await namesOf(['shop'])).toEqual(['shop', undefined]);
});
