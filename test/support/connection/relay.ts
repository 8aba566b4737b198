import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a relay that passes bytes on until it holds them back. */
export async function startRelay() {
  const sockets = new Set<Socket>();
  let target = 0;
  const relay = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    for (const one of [socket, onward]) {
      sockets.add(one);
      one
        .setNoDelay(true)
        .on('error', () => {})
        .once('close', () => {
          for (const other of [socket, onward]) other.destroy();
        });
    }
    socket.pipe(onward);
    onward.pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    to: async (port: number) => {
      target = port;
      return (relay.address() as AddressInfo).port;
    },
    hold() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
