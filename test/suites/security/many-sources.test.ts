import type { ServerResponse } from 'node:http';
import { MAX_PERSON_SOURCES } from '@logtool/logtool/src/server/security/limit-sources.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type SignedIn, send, signIn } from '../../support/server/signed-in.ts';
import { codeOf, startDashboard, type TestDashboard } from '../../support/server/start-dashboard.ts';
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from '../../support/tls-server/scripted-server.ts';

/** Limit of sources in one query that are resolved concurrently. */
const FETCHES = 64;
/** Limit of permissions of one request that are reviewed concurrently. */
const REVIEWS = 16;

/**
 * Starts a dashboard on an API server that knows each token's user, and holds back answers for that path
 * until the test releases them.
 */
async function serve(path = '/pods') {
  const held: (() => void)[] = [];
  let isHolding = true;
  const server = await startScriptedServer((request, response) => {
    const give = () => {
      if (request.url?.includes('/pods')) return refuse(response);
      const username = request.headers.authorization?.replace(/^Bearer (\w+)-.*/, '$1');
      sendJson(response, 201, { status: { allowed: true, userInfo: { username } } });
    };
    if (isHolding && request.url?.includes(path)) held.push(give);
    else give();
  });
  onTestFinished(() => server.close());
  const context = {
    name: 'here',
    server: server.url.href,
    token: 'own-account',
    ca: server.certificate.cert,
  };
  const dashboard = await startDashboard({ auth: 'kubernetes', contexts: [context] });
  const answer = () => {
    isHolding = false;
    for (const give of held.splice(0)) give();
  };
  return { server, dashboard, answer };
}

function refuse(response: ServerResponse): void {
  sendJson(response, 403, { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
}

function requestsFor(path: string, { requests }: ScriptedServer): readonly string[] {
  return requests.filter((request) => request.includes(path));
}

function names(count: number, query = 0): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pod-${query}-${index}`);
}

function logs(counts: readonly number[]) {
  const selection = { kind: 'tail', count: 1 };
  const queries = counts.map((count, id) => ({ id, selection, sources: names(count, id) }));
  return { method: 'POST', path: '/contexts/here/logs', body: { queries } } as const;
}

function access(count: number) {
  return { method: 'POST', path: '/contexts/here/access', body: { sources: names(count) } } as const;
}

function download(who: SignedIn, count: number) {
  const query = { id: 0, sources: names(count), selection: { kind: 'all' } };
  const search = new URLSearchParams({ format: 'text', token: who.pageToken, query: JSON.stringify(query) });
  return { method: 'GET', path: `/contexts/here/logs/download?${search}` } as const;
}

/** Sends a request like a tab that can be closed. */
function post(
  dashboard: TestDashboard,
  who: SignedIn,
  { path, body }: { readonly path: string; readonly body: object },
) {
  const tab = new AbortController();
  const headers = {
    'content-type': 'application/json',
    cookie: who.cookie,
    'x-logtool-token': who.pageToken,
  };
  const init = { method: 'POST', body: JSON.stringify(body), headers, signal: tab.signal };
  return { answer: dashboard.ask(`/api/v1${path}`, init), close: () => tab.abort() };
}

async function openTab(dashboard: TestDashboard, who: SignedIn, counts: readonly number[]) {
  const { answer, close } = post(dashboard, who, logs(counts));
  return { answer: await answer, close };
}

test('a request with more sources than one may have is refused before the cluster is asked', async () => {
  const { server, dashboard } = await serve();
  const ann = await signIn(dashboard, 'ann-token');
  const before = server.requests.length;
  for (const counts of [Array(64).fill(190), [200, 57]]) {
    const answer = await send(dashboard, logs(counts), ann);
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe('too-many-sources');
  }
  expect(server.requests).toHaveLength(before);
});

test('what one person has open is limited, and leaves everything to others', async () => {
  const { dashboard } = await serve();
  const ann = await signIn(dashboard, 'ann-token');
  const others = await signIn(dashboard, 'bob-token');
  const tabs = [];
  for (let tab = 0; tab < MAX_PERSON_SOURCES / 256; tab++) {
    tabs.push(await openTab(dashboard, ann, [200, 56]));
    expect(tabs.at(-1)?.answer.status).toBe(200);
  }
  for (const refused of [logs([1]), access(1), download(ann, 1)]) {
    const answer = await send(dashboard, refused, ann);
    expect([refused.path.split('?')[0], answer.status]).toEqual([refused.path.split('?')[0], 429]);
    expect(await codeOf(answer)).toBe('too-many-open-sources');
  }
  expect((await openTab(dashboard, others, [200, 56])).answer.status).toBe(200);
  tabs[0]?.close();
  expect((await openTab(dashboard, ann, [200, 56])).answer.status).toBe(200);
});

test('permissions that were reviewed count no more', async () => {
  const { dashboard } = await serve();
  const ann = await signIn(dashboard, 'ann-token');
  expect((await send(dashboard, access(1), ann)).status).toBe(200);
  for (let tab = 0; tab < MAX_PERSON_SOURCES / 256; tab++)
    expect((await openTab(dashboard, ann, [200, 56])).answer.status).toBe(200);
});

test('after the tab was closed, no further source is resolved', async () => {
  const { server, dashboard, answer } = await serve();
  const ann = await signIn(dashboard, 'ann-token');
  const signedIn = server.requests.length;
  const tab = await openTab(dashboard, ann, [200]);
  await server.waitForRequests(signedIn + FETCHES);
  tab.close();
  answer();
  // Later requests reach the cluster without waiting for those of the tab.
  expect((await send(dashboard, access(1), ann)).status).toBe(200);
  expect(requestsFor('/pods', server)).toHaveLength(FETCHES);
});

test('after the tab was closed, no more of its permissions are reviewed', async () => {
  const path = '/selfsubjectaccessreviews';
  const { server, dashboard, answer } = await serve(path);
  const ann = await signIn(dashboard, 'ann-token');
  const signedIn = server.requests.length;
  const tab = post(dashboard, ann, access(200));
  await server.waitForRequests(signedIn + REVIEWS);
  tab.close();
  answer();
  expect((await tab.answer).ok).toBe(false);
  const next = await openTab(dashboard, ann, [1]);
  expect(await next.answer.text()).toContain('"type":"done"');
  expect(requestsFor(path, server)).toHaveLength(REVIEWS);
});

test('while the sources of one person are resolved, others get answers', async () => {
  const { server, dashboard, answer } = await serve();
  const ann = await signIn(dashboard, 'ann-token');
  const bob = await signIn(dashboard, 'bob-token');
  const tab = await openTab(dashboard, ann, [200]);
  const frames = tab.answer.text();
  expect((await send(dashboard, access(1), bob)).status).toBe(200);
  const asked = requestsFor('/pods', server).length;
  answer();
  expect(await frames).toContain('"type":"done"');
  expect(asked).toBeLessThanOrEqual(FETCHES);
  expect(requestsFor('/pods', server)).toHaveLength(200);
});
