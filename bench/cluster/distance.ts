import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from '../measure/output-of.ts';
import type { BenchCluster } from './open-cluster.ts';

/** Returns the same cluster with this latency in ms: half of it for requests, half for responses. */
export async function atDistance(
  target: BenchCluster,
  kubectl: string,
  roundTripMs: number,
): Promise<BenchCluster> {
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'];
  const config = JSON.parse(
    await outputOf([kubectl, ...view, '--kubeconfig', target.kubeconfig], target.env),
  ) as { readonly clusters: readonly { readonly cluster: Record<string, unknown> }[] };
  const cluster = config.clusters[0]?.cluster ?? {};
  const server = new URL(String(cluster.server));
  const proxy = await startDelay(server.hostname, Number(server.port || 443), roundTripMs);
  cluster['tls-server-name'] ??= server.hostname;
  cluster.server = `https://127.0.0.1:${proxy.port}${server.pathname}`;
  const kubeconfig = join(proxyFolder(target), `distance-${proxy.port}.json`);
  await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return { ...target, kubeconfig, env: { ...target.env, KUBECONFIG: kubeconfig }, close: proxy.close };
}

function proxyFolder({ simulated, env }: BenchCluster): string {
  return simulated?.directory ?? env.TMPDIR ?? '/tmp';
}

interface DelayProxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Forwards bytes, each half a round trip later, however many there are: it delays but does not throttle. The kernel
 * accepts connections to the proxy at once, so the first bytes wait for the round trip of the omitted handshake.
 */
async function startDelay(host: string, port: number, roundTripMs: number): Promise<DelayProxy> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port, noDelay: true });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        // Bytes in transit still arrive.
        setTimeout(() => (socket === near ? far : near).destroy(), roundTripMs);
      });
    }
    const readyMs = performance.now() + roundTripMs;
    delayed(near, far, () => Math.max(performance.now(), readyMs) + roundTripMs / 2);
    delayed(far, near, () => performance.now() + roundTripMs / 2);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Forwards data from one socket to the other, in order, at the time that `due` returns on arrival. */
function delayed(from: Socket, to: Socket, due: () => number): void {
  let last: Promise<unknown> = Promise.resolve();
  const later = (act: () => void) => {
    const dueMs = due();
    last = last.then(async () => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0.2) await sleep(leftMs);
      act();
    });
  };
  from.on('data', (chunk: Buffer) => later(() => void to.write(chunk)));
  from.on('end', () => later(() => to.end()));
}
