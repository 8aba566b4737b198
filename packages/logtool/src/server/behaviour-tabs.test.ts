import { once } from 'node:events';
import { connect } from 'node:net';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { optionsOn } from '../../../../test/support/server/start-dashboard.ts';
import { createDashboard } from './create-dashboard.ts';
import { listen } from './node.ts';

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
});
afterAll(() => cluster.close());

async function serve() {
  const dashboard = await createDashboard(optionsOn(cluster.kubeconfig));
  const server = await listen(dashboard.fetch, {
    host: 'localhost',
    port: 0,
    mayMove: false,
    // Every stream ends by itself, however busy the machine is.
    endingMs: 60_000,
  });
  const base = `http://127.0.0.1:${server.port}/api/v1`;
  const { token } = (await (await fetch(`${base}/token`)).json()) as { token: string };
  const stop = async () => {
    dashboard.endStreams('shutdown');
    await server.close();
    await dashboard.close();
  };
  onTestFinished(stop);
  return { dashboard, base, port: server.port, token, stop };
}

const QUERY = JSON.stringify({
  queries: [{ id: 1, sources: ['*:deployments/*'], selection: { kind: 'tail', count: 10 }, follow: true }],
});

/** Opens the streams of one tab as raw bytes, one socket each; they disconnect abruptly, as when a tab closes. */
async function openTab(port: number, token: string) {
  const head = `Host: localhost:${port}\r\nX-Logtool-Token: ${token}\r\n`;
  const texts = [
    `GET /api/v1/contexts/admin/workloads HTTP/1.1\r\n${head}\r\n`,
    `POST /api/v1/contexts/admin/logs HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${QUERY.length}\r\n\r\n${QUERY}`,
  ];
  const sockets = texts.map((text) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    return socket;
  });
  const heads = await Promise.all(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
  for (const line of heads) expect(line).toMatch(/^HTTP\/1\.1 200 /);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

test('a hundred tabs that are opened and closed leave no stream', async () => {
  const { dashboard, port, token } = await serve();
  for (let round = 0; round < 4; round++) {
    const tabs = await Promise.all(Array.from({ length: 25 }, () => openTab(port, token)));
    expect(dashboard.streams.count).toBe(50);
    for (const close of tabs) close();
    while (dashboard.streams.count > 0) await new Promise((resolve) => setImmediate(resolve));
  }
});

test('when the server ends, the last line of every stream says so', async () => {
  const { base, token, stop } = await serve();
  const headers = { 'content-type': 'application/json', 'x-logtool-token': token };
  const answers = [
    await fetch(`${base}/contexts/admin/logs`, { method: 'POST', headers, body: QUERY }),
    await fetch(`${base}/contexts/admin/workloads`, { headers }),
  ];
  const texts = answers.map((answer) => answer.text());
  await stop();
  for (const text of await Promise.all(texts)) {
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      type: 'closing',
      reason: 'shutdown',
    });
  }
});

/** Sends a body in chunks, without announcing its length. */
async function postInChunks(url: string, token: string, text: string): Promise<number> {
  const { request } = await import('node:http');
  const sent = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-logtool-token': token, 'transfer-encoding': 'chunked' },
  });
  const answered = once(sent, 'response');
  for (let at = 0; at < text.length; at += 50_000) sent.write(text.slice(at, at + 50_000));
  sent.end();
  const [response] = (await answered) as [import('node:http').IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test('bodies in chunks are read over a socket, up to the limit', async () => {
  const { base, token } = await serve();
  const url = `${base}/contexts/admin/access`;
  const padded = (length: number) => JSON.stringify({ sources: ['web'], padding: 'x'.repeat(length) });
  expect(await postInChunks(url, token, padded(10))).toBe(200);
  expect(await postInChunks(url, token, padded(200_000))).toBe(200);
  expect(await postInChunks(url, token, padded(300_000))).toBe(413);
  expect(await postInChunks(url, token, '{"sources":')).toBe(400);
});
