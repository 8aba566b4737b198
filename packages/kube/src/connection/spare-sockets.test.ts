import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { FakeClock } from '../values/clock.ts';
import { FAR_MS, SpareSockets } from './spare-sockets.ts';

/** Makes sockets that connect when the test tells them to. */
function setUp() {
  const clock = new FakeClock();
  const opened: { readonly socket: Socket; resolve(): void; reject(error: Error): void }[] = [];
  const spares = new SpareSockets(clock, () => {
    const socket = new Socket();
    return new Promise((resolve, reject) => {
      opened.push({ socket, resolve: () => resolve(socket), reject });
    });
  });
  return { clock, opened, spares };
}

test('connections are opened beside the first one where that takes long, and used for the next requests', async () => {
  const { clock, opened, spares } = setUp();
  spares.want(2);
  const first = spares.take();
  await clock.advance(FAR_MS - 1);
  expect(opened).toHaveLength(1);
  await clock.advance(1);
  expect(opened).toHaveLength(3);
  for (const { resolve } of opened) resolve();
  expect(await first).toBe(opened[0]?.socket);
  expect(await spares.take()).toBe(opened[1]?.socket);
  expect(await spares.take()).toBe(opened[2]?.socket);
  expect(opened).toHaveLength(3);
  const next = spares.take();
  expect(opened).toHaveLength(4);
  opened[3]?.resolve();
  expect(await next).toBe(opened[3]?.socket);
});

test('connections that are opened ahead serve the first requests, and are not opened twice where they fail', async () => {
  const { clock, opened, spares } = setUp();
  spares.want(1);
  spares.preconnect(2);
  expect(opened).toHaveLength(2);
  await clock.advance(FAR_MS);
  expect(opened).toHaveLength(3);
  opened[0]?.resolve();
  opened[1]?.reject(new Error('refused'));
  expect(await spares.take()).toBe(opened[0]?.socket);
  await expect(spares.take()).rejects.toThrow('refused');
  expect(opened).toHaveLength(3);
});

test('connections that are wanted while one is being opened ahead are opened beside it, unless it is near', async () => {
  for (const isFar of [true, false]) {
    const { clock, opened, spares } = setUp();
    spares.preconnect(1);
    if (!isFar) opened[0]?.resolve();
    spares.want(2);
    await clock.advance(FAR_MS);
    expect(opened).toHaveLength(isFar ? 3 : 1);
  }
});

test('of connections that are opened ahead, one that ended meanwhile is replaced, and unused ones are closed', async () => {
  const { clock, opened, spares } = setUp();
  spares.preconnect(3);
  for (const { resolve } of opened) resolve();
  await clock.advance(0);
  opened[0]?.socket.emit('error', new Error('reset by the server'));
  opened[0]?.socket.destroy();
  expect(await spares.take()).toBe(opened[1]?.socket);
  spares.close();
  await clock.advance(0);
  expect([opened[1], opened[2]].map((open) => open?.socket.destroyed)).toEqual([false, true]);
  spares.preconnect(1);
  opened[3]?.resolve();
  await clock.advance(5_000);
  expect([opened[3]?.socket.destroyed, clock.pending]).toEqual([true, 0]);
});

test('near the server, and unless somebody wants them, no more are opened than are needed', async () => {
  const { clock, opened, spares } = setUp();
  spares.want(2);
  const first = spares.take();
  opened[0]?.resolve();
  await first;
  await clock.advance(60_000);
  const second = spares.take();
  await clock.advance(60_000);
  opened[1]?.resolve();
  await second;
  expect(opened).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

test('a connection that failed or was closed meanwhile is none: another is opened', async () => {
  const { clock, opened, spares } = setUp();
  spares.want(2);
  void spares.take();
  await clock.advance(FAR_MS);
  opened[1]?.reject(new Error('refused'));
  opened[2]?.resolve();
  await clock.advance(0);
  opened[2]?.socket.emit('error', new Error('reset by the server'));
  opened[2]?.socket.destroy();
  const next = spares.take();
  await clock.advance(0);
  expect(opened).toHaveLength(4);
  opened[3]?.resolve();
  expect(await next).toBe(opened[3]?.socket);
});

test('unused ones are closed, at the end or after a while', async () => {
  for (const end of ['close', 'wait'] as const) {
    const { clock, opened, spares } = setUp();
    spares.want(2);
    void spares.take();
    await clock.advance(FAR_MS);
    opened[1]?.resolve();
    if (end === 'close') spares.close();
    else await clock.advance(5_000);
    opened[2]?.resolve();
    await clock.advance(0);
    expect(opened.map(({ socket }) => socket.destroyed)).toEqual([false, true, true]);
    expect(clock.pending).toBe(0);
  }
});
