import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { registerLogs } from './logs/logs-route.ts';
import { listen } from './node.ts';
import { EndlessCluster } from './testing/endless-cluster.ts';
import { appOf, fakeServices } from './testing/fake-services.ts';
import { heldBytes } from './testing/held-bytes.ts';

const MEGABYTE = 1024 * 1024;
/** What a program that writes two megabytes a second writes in a minute. Only the amount counts, so nobody waits. */
const MINUTE_BYTES = 120 * MEGABYTE;

/** A server of its own, and a tab that follows its endless log. */
async function openTab(): Promise<{ readonly cluster: EndlessCluster; readonly socket: Socket }> {
  const cluster = new EndlessCluster();
  const app = appOf(registerLogs, fakeServices(cluster.client));
  const server = await listen((request) => app.fetch(request), {
    host: '127.0.0.1',
    port: 0,
    mayMove: false,
  });
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(async () => {
    socket.destroy();
    await server.close();
  });
  const body = JSON.stringify({
    queries: [{ id: 1, sources: ['pods/chatty'], selection: { kind: 'tail', count: 0 }, follow: true }],
  });
  socket.pause();
  socket.write(
    `POST /contexts/sim/logs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return { cluster, socket };
}

/** Reads that much and forgets it. */
async function read(socket: Socket, bytes: number): Promise<void> {
  const end = socket.bytesRead + bytes;
  const forget = () => {};
  socket.on('data', forget).resume();
  while (socket.bytesRead < end) await once(socket, 'data');
  socket.pause().off('data', forget);
}

test('a reader that stands still for a minute of log costs no memory that grows', async () => {
  const stalled = await openTab();
  const fluent = await openTab();
  // The buffers on the way to the one that stands still are full when nothing is taken for it any more.
  let taken = -1;
  while (taken !== stalled.cluster.linesTaken || taken === 0) {
    taken = stalled.cluster.linesTaken;
    await read(fluent.socket, MEGABYTE);
  }
  const before = await heldBytes();
  const held: number[] = [];
  for (let part = 0; part < 8; part++) {
    await read(fluent.socket, MINUTE_BYTES / 8);
    held.push((await heldBytes()) - before);
  }
  expect(stalled.cluster.linesTaken).toBe(taken);
  // What the one that reads has on its way comes and goes; of the minute that went by nothing is kept.
  expect(Math.max(...held)).toBeLessThan(32 * MEGABYTE);
  // It reads on where it stood.
  await read(stalled.socket, MEGABYTE);
});
