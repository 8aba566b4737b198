import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { Frames } from '../../../../test/support/server/frames.ts';
import { type GoodRequest, goodRequests, WAITING } from '../../../../test/support/server/good-requests.ts';
import { send, tokensOf } from '../../../../test/support/server/signed-in.ts';
import { codeOf, startDashboard } from '../../../../test/support/server/start-dashboard.ts';
import type { ContextList } from '../contract/cluster.ts';
import type { LogFrame } from '../contract/log-frame.ts';
import type { WorkloadFrame } from '../contract/workload.ts';
import { MAX_STREAMS } from './session/stream-registry.ts';

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
});
afterAll(() => cluster.close());

/** Uses the machine's clock, because nothing here waits for a timer. */
async function start() {
  const dashboard = await startDashboard({ kubeconfig: cluster.kubeconfig, clock: systemClock });
  const who = { cookie: '', pageToken: await dashboard.pageToken() };
  const good: Readonly<Record<string, GoodRequest>> = goodRequests('full', who.pageToken);
  const ask = (name: string) => send(dashboard, good[name] ?? WAITING, who);
  return { dashboard, who, ask };
}

test('a cluster that goes away and comes back is shown again, in streams that were open all the time', async () => {
  const { dashboard, ask } = await start();
  const workloads = new Frames<WorkloadFrame>(await ask('GET /contexts/{context}/workloads'));
  const logs = new Frames<LogFrame>(await ask('POST /contexts/{context}/logs'));
  await workloads.until('synced');
  await logs.until('records');
  await cluster.control.killServer();
  await workloads.until('state', ({ state }) => state === 'retrying');
  const gone = await ask('GET /contexts/{context}/namespaces');
  expect([gone.status, await codeOf(gone)]).toEqual([502, 'unreachable']);
  await cluster.control.restartServer();
  await workloads.until('state', ({ state }) => state === 'live');
  expect((await ask('GET /contexts/{context}/namespaces')).status).toBe(200);
  await cluster.writeLog(
    { namespace: 'shop', pod: readPod(), container: 'app' },
    { bytes: Buffer.from('after the cluster came back') },
  );
  await logs.until('records', ({ records }) =>
    JSON.stringify(records).includes('after the cluster came back'),
  );
  await Promise.all([workloads.close(), logs.close()]);
  expect(dashboard.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

function readPod(): string {
  const pod = cluster.requests.map((line) => /\/pods\/(web-[^/]+)\/log/.exec(line)?.[1]).find((name) => name);
  if (pod === undefined) throw new Error('no log of a pod of web was read');
  return pod;
}

test('a broken kubeconfig keeps the previous contexts, reports it, and is read again once it is fixed', async () => {
  const directory = await folder();
  const file = join(directory, 'config');
  const document = (token: string) =>
    JSON.stringify({
      'current-context': 'full',
      clusters: [{ name: 'c', cluster: { server: cluster.server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'full', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    });
  await writeFile(file, document('a-token-that-nobody-knows'));
  const dashboard = await startDashboard({ kubeconfig: file });
  const contexts = async () => (await (await dashboard.ask('/api/v1/contexts')).json()) as ContextList;
  const until = async (isSo: (list: ContextList) => boolean) => {
    for (;;) {
      await dashboard.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      const list = await contexts();
      if (isSo(list)) return list;
    }
  };
  await writeFile(file, '{ "contexts": [');
  const broken = await until(({ error }) => error !== undefined);
  expect(broken.contexts.map(({ name }) => name)).toEqual(['full']);
  expect((await dashboard.ask('/api/v1/contexts/full/namespaces')).status).toBe(502);
  await writeFile(file, document((await tokensOf(cluster.kubeconfig)).get('full') ?? ''));
  const repaired = await until(({ error }) => error === undefined);
  expect(repaired.revision).toBeGreaterThan(broken.revision);
  expect((await dashboard.ask('/api/v1/contexts/full/namespaces')).status).toBe(200);
});

test('every stream counts: beyond 64 of a session none begins, of whatever kind, and everything else continues', async () => {
  const { dashboard, who, ask } = await start();
  const waiting = Array.from({ length: MAX_STREAMS }, () => send(dashboard, WAITING, who));
  while (dashboard.streams.count < MAX_STREAMS) await new Promise((resolve) => setImmediate(resolve));
  for (const [name, { isStream }] of Object.entries(goodRequests('full', who.pageToken))) {
    if (isStream !== true && !name.endsWith('download')) continue;
    const answer = await ask(name);
    expect([name, answer.status, await codeOf(answer)]).toEqual([name, 429, 'too-many-streams']);
  }
  expect((await ask('GET /contexts/{context}/namespaces')).status).toBe(200);
  // Another page is another session, even without sign-in.
  const other = new Frames<LogFrame>(
    await send(dashboard, goodRequests('full', '')['POST /contexts/{context}/logs'] ?? WAITING, {
      cookie: '',
      pageToken: await dashboard.pageToken(),
    }),
  );
  await other.until('records');
  await other.close();
  dashboard.endStreams('shutdown');
  await Promise.all(waiting);
  expect(dashboard.streams.count).toBe(0);
});
