import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { onTestFinished } from 'vitest';
import { type AnyHandler, startHttp2Server } from './http2-server.ts';
import { base64, worldOf } from './kubeconfig-folder.ts';

/** This many logs get a connection each. */
export const SOME = 5;

interface LogAddress {
  readonly settings?: { readonly maxConcurrentStreams: number };
  readonly cluster?: object | undefined;
  readonly env?: Record<string, string> | undefined;
  /** Starts something between client and server; returns a port that leads to the given one. */
  readonly through?: (port: number) => Promise<number>;
  readonly change?: ((connection: ClusterConnection) => ClusterConnection) | undefined;
}

/** Starts a server that speaks both, with a client; holds logs of pods whose name begins with `busy` open. */
export async function startLogServer(
  handler: AnyHandler,
  { settings, cluster, env, through, change }: LogAddress = {},
) {
  const held: ServerResponse[] = [];
  const server = await startHttp2Server(
    (request, response) => {
      if (!request.url?.includes('/busy-')) return handler(request, response);
      held.push(response);
      response.writeHead(200);
      response.write('line\n');
    },
    settings === undefined ? {} : { settings },
  );
  const port = through === undefined ? server.port : await through(server.port);
  const reader = await readerOf({ port, certificate: server.certificate }, { cluster, env, change });
  onTestFinished(() => server.close());
  return { server, held, ...reader };
}

/** Creates a client of a server that holds logs of pods whose name begins with `busy` open. */
export async function readerOf(
  server: { readonly port: number; readonly certificate: { readonly cert: string } },
  { cluster, env, change }: Pick<LogAddress, 'cluster' | 'env' | 'change'> = {},
) {
  const clock = new FakeClock();
  const world = await worldOf(
    {
      server: `https://127.0.0.1:${server.port}`,
      'certificate-authority-data': base64(server.certificate.cert),
      ...cluster,
    },
    {},
    { clock },
  );
  const opened = await world.open({ env: env ?? {} });
  const connection = change?.(opened) ?? opened;
  const client = createKubeClient(connection, { clock, userAgent: 'logtool/test', random: () => 1 });
  onTestFinished(() => client.close());
  const log = (pod: string, signal?: AbortSignal) => client.log({ namespace: 'shop', pod }, { signal });
  const logs = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => log(`${name}-${index}`)));
  /** After this, requests use HTTP/2. */
  const busy = () => logs(SOME, 'busy');
  return { client, clock, connection, log, logs, busy };
}

/**
 * Lets this many seconds pass. In each, data sent on this machine arrives: data sent later makes a round trip
 * first.
 */
export async function live(clock: FakeClock, seconds: number): Promise<void> {
  const echo = createServer((socket) => socket.setNoDelay(true).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const { port } = echo.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    for (let turn = 0; turn < 3; turn++) {
      socket.write('?');
      await once(socket, 'data');
    }
  }
  socket.destroy();
  echo.close();
}

/** Reads the whole log. */
export async function textOf(log: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Answers with this many bytes, as fast as the reader takes them. */
export function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const chunk = Buffer.alloc(Math.min(left, 32 * 1024), 'x');
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

export const sayHello: AnyHandler = (_request, response) => response.end('hello\n');
