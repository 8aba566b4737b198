import type { LogFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import type { LogQuery } from '@logtool/logtool/src/contract/log-query.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedProcess, serveProcess } from '../../support/dashboard/served-process.ts';
import { Frames } from '../../support/server/frames.ts';
import { cookieOf, headersOf, type SignedIn, tokensOf } from '../../support/server/signed-in.ts';
import { writeRandomLines } from './random-lines.ts';

/** Linear in the line, but with 1,000 states for each character: minutes for the log below. */
const SLOW = '[ab]*a[ab]{1000}[xy]$';

let cluster: SimCluster;
let server: ServedProcess;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  const where = { namespace: 'shop', pod: 'db-0', container: 'postgres' };
  await writeRandomLines(cluster, where);
  server = await serveProcess(cluster.kubeconfig, ['--auth=kubernetes']);
});
afterAll(async () => {
  await server?.remove();
  await cluster?.close();
});

async function signIn(user: string): Promise<SignedIn> {
  const token = (await tokensOf(cluster.kubeconfig)).get(user);
  const answer = await fetch(`${server.origin}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(answer.status).toBe(200);
  const { token: pageToken } = (await answer.json()) as { readonly token: string };
  return { cookie: cookieOf(answer), pageToken };
}

/** Requests logs like this user's page. */
async function view(person: SignedIn, queries: readonly Partial<LogQuery>[]): Promise<Frames<LogFrame>> {
  const contexts = await fetch(`${server.origin}/api/v1/contexts`, { headers: headersOf(person) });
  const { contexts: known } = (await contexts.json()) as { readonly contexts: readonly { name: string }[] };
  const base = { sources: ['pods/db-0'], selection: { kind: 'all' } };
  const answer = await fetch(
    `${server.origin}/api/v1/contexts/${encodeURIComponent(known[0]?.name ?? '')}/logs`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(person) },
      body: JSON.stringify({ queries: queries.map((query, id) => ({ id, ...base, ...query })) }),
    },
  );
  expect(answer.status).toBe(200);
  return new Frames<LogFrame>(answer);
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

test.each([
  ['ten views with a pattern of 1,000 states', times(10, [{ grep: SLOW }])],
  ['a request of 64 queries with a pattern of 200 states', [times(64, { grep: '[ab]*a[ab]{200}[xy]$' })]],
  ['a request of 64 queries of 50 large patterns', [times(64, { exclude: times(50, '(?i)[^\\pLa]{1000}') })]],
])('another person gets rows and answers while somebody has %s', async (_, requests) => {
  const [mallory, bob] = await Promise.all([signIn('full'), signIn('no-nodes')]);
  const hostile = await Promise.all(requests.map((queries) => view(mallory, queries)));
  const isSlow = requests.every((queries) => queries.every((query) => 'grep' in query));
  let isOver = false;
  const ends = hostile.map((frames) => frames.rest().catch(() => undefined));
  void Promise.race(ends).then(() => {
    isOver = true;
  });
  for (let round = 0; round < 5; round++) {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    const rows = await view(bob, [{ sources: ['deployments/web'], grep: 'line 7' }]);
    const records = (await rows.rest()).flatMap((frame) => (frame.type === 'records' ? frame.records : []));
    expect(records).toHaveLength(2);
    // The rows arrived before any hostile view ended; each of those takes longer than the whole test.
    if (isSlow) expect(isOver).toBe(false);
  }
  await Promise.all(hostile.map((frames) => frames.close()));
  await Promise.all(ends);
  // Abandoned requests do not slow down later ones.
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
});
