import type { ClusterConnection } from '@logtool/kube/src/connection/cluster-connection.ts';
import { type ClientOptions, type ClusterClient, createKubeClient } from '@logtool/kube/src/create-client.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { onTestFinished } from 'vitest';
import { connectTo, type Handler, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

export interface StartedClient {
  readonly server: ScriptedServer;
  readonly client: ClusterClient;
  readonly connection: ClusterConnection & { readonly refreshes: number };
  readonly clock: FakeClock;
}

/**
 * Starts a client of a scripted server, with a standing clock and no jitter; closes it when the test is over.
 */
export async function startClient(
  handler: Handler,
  options: Partial<ClientOptions> & { readonly connection?: Partial<ClusterConnection> } = {},
): Promise<StartedClient> {
  const { connection: overrides, ...rest } = options;
  const server = await startScriptedServer(handler);
  const connection = connectTo(server, overrides);
  const clock = new FakeClock();
  const client = createKubeClient(connection, { clock, userAgent: 'logtool/test', random: () => 1, ...rest });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { server, client, connection, clock };
}

/** Advances the clock step by step until the promise settles, for waits whose length does not matter. */
export async function passTime<T>(clock: FakeClock, promise: Promise<T>, stepMs = 1_000): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  watched.catch(() => {
    // The return below throws it to the caller.
  });
  while (!settled) {
    if (clock.pending > 0) await clock.advance(stepMs);
    // Sockets need separate turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return watched;
}
