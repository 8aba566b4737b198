import { once } from 'node:events';
import { connect } from 'node:net';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, onTestFinished, test } from 'vitest';
import { endlessPod } from '../../../../test/support/engine/one-pod.ts';
import { appOf, servicesAround } from '../../../../test/support/server/around-route.ts';
import { heldBytes } from '../../../../test/support/server/held-bytes.ts';
import { listen } from './node.ts';

const MEGABYTE = 1024 * 1024;
const MINUTE_MS = 60_000;
/** Output per minute of a program that writes two megabytes a second; the test moves the server's clock. */
const MINUTE_BYTES = 120 * MEGABYTE;
const CHUNKS = 8;

/** Starts a separate server, and a tab that follows its endless log. */
async function openTab() {
  const cluster = endlessPod();
  const clock = new FakeClock();
  const services = servicesAround(cluster.client, { clock });
  const app = appOf('POST /contexts/{context}/logs', services);
  const server = await listen((request, env) => app.fetch(request, env), {
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
  return { cluster, clock, services, socket };
}

type Tab = Awaited<ReturnType<typeof openTab>>;

/** Lets the event loop and the clock advance by one step. */
async function goOn({ clock }: Tab): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1);
}

/** Waits until the buffers on the way to the stalled reader are full. */
async function fillUp(tab: Tab): Promise<number> {
  let taken = 0;
  for (let same = 0; same < 100; same++) {
    await goOn(tab);
    if (tab.cluster.linesTaken === taken && taken > 0) continue;
    taken = tab.cluster.linesTaken;
    same = 0;
  }
  return taken;
}

/** Reads and discards that many bytes. */
async function read(tab: Tab, bytes: number): Promise<void> {
  const { socket } = tab;
  const end = socket.bytesRead + bytes;
  const forget = () => {};
  socket.on('data', forget).resume();
  while (socket.bytesRead < end) await goOn(tab);
  socket.pause().off('data', forget);
}

test('a reader that stands still for a minute of log costs no memory that grows', async () => {
  const stalled = await openTab();
  const fluent = await openTab();
  const taken = await fillUp(stalled);
  // The data on the way to the active reader has already arrived when counting begins.
  await read(fluent, MINUTE_BYTES / CHUNKS);
  const before = await heldBytes();
  const held: number[] = [];
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    await read(fluent, MINUTE_BYTES / CHUNKS);
    for (const { clock } of [stalled, fluent]) await clock.advance(MINUTE_MS / CHUNKS);
    held.push((await heldBytes()) - before);
  }
  expect(stalled.cluster.linesTaken).toBe(taken);
  // The active reader's data in transit varies; the server keeps nothing of the past minute.
  expect(Math.max(...held)).toBeLessThan(32 * MEGABYTE);
  // Reading resumes at the same position.
  await read(stalled, MEGABYTE);
});

test('a reader that stands still for minutes is cut off: neither its place nor its cluster is kept', async () => {
  const tab = await openTab();
  const { cluster, clock, services, socket } = tab;
  const taken = await fillUp(tab);
  const closed = once(socket, 'close');
  for (let minute = 0; minute < 4; minute++) await clock.advance(MINUTE_MS);
  expect(services).toMatchObject({ open: 1, leases: 1 });
  for (let minute = 0; minute < 2; minute++) await clock.advance(MINUTE_MS);
  expect(services).toMatchObject({ open: 0, leases: 0 });
  socket.on('error', () => {}).resume();
  await closed;
  expect(cluster.linesTaken).toBe(taken);
});
