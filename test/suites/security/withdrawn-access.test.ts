import { type Clock, type FakeClock, sleep, systemClock } from '@logtool/kube/src/values/clock.ts';
import type { LogFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import type { WorkloadFrame } from '@logtool/logtool/src/contract/workload.ts';
import { REVIEW_EVERY_MS } from '@logtool/logtool/src/server/clusters/review-rounds.ts';
import type { AccessRule } from '@logtool/simcluster/src/control/access-rules.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Frames } from '../../support/server/frames.ts';
import { type SignedIn, send, signIn, tokensOf } from '../../support/server/signed-in.ts';
import { startDashboard, type TestDashboard } from '../../support/server/start-dashboard.ts';

let cluster: SimCluster;
beforeEach(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
});
afterEach(() => cluster.close());

const LOGS = { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] };
const USER = 'nobody';
const allow = (...rules: readonly AccessRule[]) => cluster.control.setRules({ user: USER, rules });

/** A dashboard, its user, and the context used. */
type Visit = readonly [TestDashboard, SignedIn, string];

/** Opens a page of the user that follows these sources. */
async function follow([dashboard, who, context]: Visit, sources: readonly string[]) {
  const query = { id: 1, sources, selection: { kind: 'all' }, follow: true };
  const path = `/contexts/${context}/logs`;
  const answer = await send(dashboard, { method: 'POST', path, body: { queries: [query] } }, who);
  const frames = new Frames<LogFrame>(answer);
  onTestFinished(() => frames.close());
  return frames;
}

const line = (text: string) => ({ bytes: Buffer.from(`${text}\n`) });

const followed = () => cluster.requests.filter((request) => request.includes('follow=true')).length;
const failure = (frames: Frames<LogFrame>) => frames.until('state', ({ state }) => state === 'failed');

/** Reports wait a moment for similar ones. */
async function whileTimePasses<T>(clock: FakeClock, waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const result = waiting.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.advance(50);
    await sleep(systemClock, 5);
  }
  return result;
}

async function withToken(clock?: Clock): Promise<Visit> {
  const options = { auth: 'kubernetes', kubeconfig: cluster.kubeconfig } as const;
  const dashboard = await startDashboard({ ...options, ...(clock === undefined ? {} : { clock }) });
  const token = (await tokensOf(cluster.kubeconfig)).get(USER) ?? '';
  return [dashboard, await signIn(dashboard, token), 'full'];
}

/** How a user with these permissions reaches the dashboard. */
const PEOPLE: Readonly<Record<string, () => Promise<Visit>>> = {
  'their own token': withToken,
  'the credentials of the kubeconfig': async () => {
    const dashboard = await startDashboard({ kubeconfig: cluster.kubeconfig });
    return [dashboard, { cookie: '', pageToken: await dashboard.pageToken() }, USER];
  },
};

test.each(Object.keys(PEOPLE))(
  'for %s, a permission withdrawn while logs are followed ends the logs of that namespace within a minute',
  async (name) => {
    await allow({ namespace: 'shop', ...LOGS }, { namespace: 'other', ...LOGS });
    const before = followed();
    const visit = (await PEOPLE[name]?.()) ?? expect.unreachable();
    const frames = await follow(visit, ['shop:pods/db-0', 'other:pods/elsewhere']);
    await frames.until('end');
    await vi.waitFor(() => expect(followed() - before).toBe(2), { timeout: 60_000 });
    const sources = frames.seen.flatMap((frame) => (frame.type === 'sources' ? frame.sources : []));
    await allow({ namespace: 'other', ...LOGS });
    await visit[0].clock.advance(REVIEW_EVERY_MS);
    const failed = await whileTimePasses(visit[0].clock, failure(frames));
    expect(failed.source).toBe(sources.find(({ pod }) => pod === 'db-0')?.index);
    expect(failed).toMatchObject({
      error: {
        code: 'forbidden',
        denied: { verb: 'get', resource: 'pods/log', namespace: 'shop', name: 'db-0' },
      },
    });
    await cluster.writeLog({ namespace: 'shop', pod: 'db-0', container: 'postgres' }, line('a secret'));
    await cluster.writeLog({ namespace: 'other', pod: 'elsewhere', container: 'main' }, line('goes on'));
    const goesOn = frames.until('records', ({ records }) => JSON.stringify(records).includes('goes on'));
    await whileTimePasses(visit[0].clock, goesOn);
    expect(JSON.stringify(frames.seen)).not.toContain('a secret');
  },
);

test('what is refused at the opening is reported in the same words', async () => {
  await allow(
    { namespace: 'other', ...LOGS },
    { namespace: 'shop', apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  );
  const visit = await withToken(systemClock);
  const frames = await follow(visit, ['shop:pods/db-0']);
  expect(await failure(frames)).toMatchObject({
    error: {
      code: 'forbidden',
      denied: { verb: 'get', resource: 'pods/log', namespace: 'shop', name: 'db-0' },
    },
  });
});

const ALL_OF_SHOP = { namespace: 'shop', apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
test('a permission withdrawn while workloads are shown takes them from the page within a minute', async () => {
  await allow(ALL_OF_SHOP);
  const [dashboard, who, context] = await withToken();
  const path = `/contexts/${context}/workloads?namespaces=shop`;
  const frames = new Frames<WorkloadFrame>(await send(dashboard, { method: 'GET', path }, who));
  onTestFinished(() => frames.close());
  await frames.until('synced');
  const shown = new Set(
    frames.seen.flatMap((frame) => ('workloads' in frame ? frame.workloads : [])).map(({ id }) => id),
  );
  expect(shown.size).toBeGreaterThan(1);
  await allow();
  await dashboard.clock.advance(REVIEW_EVERY_MS);
  while (shown.size > 0) {
    const { changed, removed } = await whileTimePasses(dashboard.clock, frames.until('changes'));
    for (const { id } of changed) shown.add(id);
    for (const id of removed) shown.delete(id);
  }
  await cluster.control.scale({ namespace: 'shop', workload: 'deployments/web', replicas: 4 });
  await whileTimePasses(dashboard.clock, frames.until('heartbeat'));
  expect(JSON.stringify(frames.seen)).not.toContain('"podsTotal":4');
  const denied = frames.seen.flatMap((frame) => (frame.type === 'denied' ? [frame.error] : []));
  expect(denied[0]).toMatchObject({ code: 'forbidden' });
});
