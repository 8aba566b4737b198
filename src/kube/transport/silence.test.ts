import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../domain/clock.ts';
import { LOOK_MS, PING_TIMEOUT_MS, SILENCE_MS, watchSilence } from './silence.ts';

/** A connection that nobody reads. */
async function unread() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).pause();
  onTestFinished(() => void socket.destroy());
  const [[other]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    [],
  ];
  onTestFinished(() => void other.destroy());
  return { socket, other };
}

function watch(socket: Pick<Socket, 'bytesRead'>) {
  const clock = new FakeClock();
  const deaths: unknown[] = [];
  let asked = 0;
  const stop = watchSilence({
    socket: socket as Socket,
    clock,
    ask: () => void asked++,
    onDead: (error) => deaths.push(error),
  });
  return { clock, deaths, stop, asked: () => asked };
}

test('a connection that was reset is dead within a second, though nobody reads it', async () => {
  const { socket, other } = await unread();
  const { clock, deaths } = watch(socket);
  await clock.advance(LOOK_MS);
  expect(deaths).toEqual([]);
  other.resetAndDestroy();
  await once(other, 'close');
  expect(socket.destroyed).toBe(false);
  await clock.advance(LOOK_MS);
  expect(deaths).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  expect(clock.pending).toBe(0);
});

test('a silent connection is asked once, and is dead without an answer', async () => {
  const { clock, deaths, asked } = watch({ bytesRead: 0 });
  await clock.advance(SILENCE_MS - 1);
  expect(asked()).toBe(0);
  await clock.advance(1 + PING_TIMEOUT_MS - 1);
  expect([asked(), deaths]).toEqual([1, []]);
  await clock.advance(1);
  expect(deaths).toEqual([expect.objectContaining({ code: 'ETIMEDOUT' })]);
  await clock.advance(SILENCE_MS * 3);
  expect([asked(), deaths.length]).toEqual([1, 1]);
});

test('any byte ends a silence', async () => {
  const socket = { bytesRead: 0 };
  const { clock, deaths, asked, stop } = watch(socket);
  for (let round = 0; round < 3; round++) {
    await clock.advance(SILENCE_MS + PING_TIMEOUT_MS - LOOK_MS);
    socket.bytesRead++;
    await clock.advance(LOOK_MS);
  }
  expect([asked(), deaths]).toEqual([3, []]);
  stop();
  await clock.advance(SILENCE_MS * 3);
  expect([asked(), deaths]).toEqual([3, []]);
});
