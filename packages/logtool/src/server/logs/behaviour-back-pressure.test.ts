import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type ServerType, serve } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { endlessPod } from '../../../../../test/support/engine/one-pod.ts';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import type { LogFrame } from '../../contract/log-frame.ts';

const servers: ServerType[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(services: ServicesAround): Promise<number> {
  const server = serve({
    fetch: appOf('POST /contexts/{context}/logs', services).fetch,
    port: 0,
    hostname: '127.0.0.1',
  });
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const follow = { selection: { kind: 'tail', count: 0 }, follow: true, sources: ['pods/chatty'] };
const body = (...ids: readonly number[]) => JSON.stringify({ queries: ids.map((id) => ({ id, ...follow })) });
const headers = { 'content-type': 'application/json' };

/** Opens a tab that sends a request and then reads nothing at all. */
async function stalledTab(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  const text = body(1);
  socket.write(
    `POST /contexts/sim/logs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  return socket;
}

/** Waits until a number has stopped growing. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, same = 0; ; ) {
    await wait(20);
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
    if (now > 0 && same >= 15) return now;
  }
}

test('a tab that reads nothing stops its own query, and what is kept for it is bounded', async () => {
  const stalled = endlessPod();
  const services = servicesAround(stalled.client);
  const port = await listen(services);
  const socket = await stalledTab(port);
  const taken = await settled(() => stalled.linesTaken);
  // The sockets of both sides hold a few megabytes; the server itself some 10,000 lines.
  expect(taken * 190).toBeLessThan(32 * 1024 * 1024);

  const fluent = endlessPod();
  const other = await fetch(
    `http://127.0.0.1:${await listen(servicesAround(fluent.client))}/contexts/sim/logs`,
    {
      method: 'POST',
      headers,
      body: body(1),
    },
  );
  const frames = new Frames<LogFrame>(other);
  for (let lines = 0; lines < 2 * taken; ) lines += (await frames.until('records')).records.length;
  expect(stalled.linesTaken).toBe(taken);
  await frames.close();

  // It resumes reading, and its query continues.
  socket.resume();
  while (stalled.linesTaken <= taken) await wait(5);
  socket.destroy();
  while (services.open > 0) await wait(5);
  expect(services).toMatchObject({ leases: 0, open: 0 });
});

test('queries of one stream have their share each, and no line is left out', async () => {
  const cluster = endlessPod();
  const app = appOf('POST /contexts/{context}/logs', servicesAround(cluster.client));
  const response = await app.request('/contexts/sim/logs', { method: 'POST', headers, body: body(1, 2) });
  const frames = new Frames<LogFrame>(response);
  const lines = new Map<number, number[]>([
    [1, []],
    [2, []],
  ]);
  while ([...lines.values()].some(({ length }) => length < 20_000)) {
    const { q, records } = await frames.until('records');
    for (const [, , , message] of records) lines.get(q)?.push(Number.parseInt(message, 10));
  }
  await frames.close();
  for (const numbers of lines.values()) {
    expect(numbers.every((number, index) => number === (numbers[0] ?? 0) + index)).toBe(true);
    expect(numbers.length).toBeLessThan(60_000);
  }
});
