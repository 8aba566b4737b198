import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { SOME } from '../../../../test/support/connection/log-server.ts';
import { OpenLogs } from '../../../../test/support/dashboard/open-logs.ts';
import { heldBytes } from '../../../../test/support/server/held-bytes.ts';
import { handlesSettled, openHandles } from '../../../../test/support/server/open-handles.ts';
import { optionsOn } from '../../../../test/support/server/start-dashboard.ts';
import { createDashboard } from './create-dashboard.ts';
import { listen } from './node.ts';
import { REST_MS } from './workloads/workloads-route.ts';

const SCENARIO = {
  startDelays: 'none',
  nodes: [{ name: 'a' }],
  users: [{ name: 'reader', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }],
  workloads: [
    {
      kind: 'Pod',
      name: 'quiet',
      namespace: 'default',
      containers: [{ name: 'main', lines: ['one', 'two'] }],
    },
  ],
};

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: SCENARIO });
});
afterAll(() => cluster.close());

async function serve() {
  // The machine's clock, except for the rest period of unwatched lists, which the test ends.
  const resting = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    after(delayMs, callback) {
      if (delayMs !== REST_MS) return systemClock.after(delayMs, callback);
      resting.add(callback);
      return () => resting.delete(callback);
    },
  };
  const dashboard = await createDashboard(optionsOn(cluster.kubeconfig, { clock }));
  const server = await listen(dashboard.fetch, { host: '127.0.0.1', port: 0, mayMove: false });
  onTestFinished(async () => {
    dashboard.endStreams('shutdown');
    await server.close();
    await dashboard.close();
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/token`);
  const { token } = (await answer.json()) as { token: string };
  return { dashboard, port: server.port, token, resting };
}

const QUERY = JSON.stringify({
  queries: [{ id: 1, sources: ['*:pods/*'], selection: { kind: 'tail', count: 10 }, follow: true }],
});

async function openTab(port: number, token: string): Promise<readonly Socket[]> {
  const head = `Host: localhost:${port}\r\nX-Logtool-Token: ${token}\r\n`;
  const sockets = [
    `GET /api/v1/contexts/reader/workloads HTTP/1.1\r\n${head}\r\n`,
    `POST /api/v1/contexts/reader/logs HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n${QUERY}`,
  ].map((text) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    return socket;
  });
  const heads = await Promise.all(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
  for (const text of heads) expect(text).toMatch(/^HTTP\/1\.1 200 /);
  return sockets;
}

test('a hundred tabs that come and go leave no stream, socket, watch or memory', async () => {
  const { dashboard, port, token, resting } = await serve();
  const round = async (tabs: number, isWarm = () => true) => {
    const open = await Promise.all(Array.from({ length: tabs }, () => openTab(port, token)));
    expect(dashboard.streams.count).toBe(tabs * 2);
    while (!isWarm()) await new Promise((resolve) => setImmediate(resolve));
    for (const sockets of open) for (const socket of sockets) socket.destroy();
    while (dashboard.streams.count > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const open = await openTab(port, token);
  expect(await untilRunning()).toBe(true);
  for (const socket of open) socket.destroy();
  while (dashboard.streams.count > 0) await new Promise((resolve) => setImmediate(resolve));
  // One-time state (compiled code, discovery, pooled sockets, the connection that many logs share) is not a leak.
  const openLogs = new OpenLogs();
  onTestFinished(() => openLogs.close());
  await round(20, () => openLogs.most > SOME);
  await handlesSettled();
  const [handles, bytes] = [openHandles(), await heldBytes()];
  for (let i = 0; i < 5; i++) await round(20);
  await handlesSettled();
  expect(openHandles()).toBeLessThanOrEqual(handles + 2);
  // 200 streams: if each left a tenth of what it holds, the total would exceed this.
  expect((await heldBytes()) - bytes).toBeLessThan(4 * 1024 * 1024);
  expect(resting.size).toBe(1);
  for (const isOver of resting) isOver();
  await handlesSettled();
  expect(await running()).toEqual({ watches: 0, logs: 0 });
});

/** Counts the watches and logs that the cluster is answering; counting ends them. */
async function running() {
  const { dropped } = await cluster.control.dropWatches();
  const { cut } = await cluster.control.cutLogs();
  return { watches: dropped, logs: cut };
}

/** Waits until a tab runs both, so that counting none of them later means something. */
async function untilRunning(): Promise<boolean> {
  for (let watches = 0, logs = 0; ; ) {
    const now = await running();
    watches += now.watches;
    logs += now.logs;
    if (watches > 0 && logs > 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
