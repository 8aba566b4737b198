import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';

/** A fault, and the number of connections or requests it affected. */
export interface FaultHit {
  readonly name: string;
  readonly hits: number;
}

const LOGS = '/log\\?';

type Kind = readonly [name: string, act: () => Promise<number>];

/** The kinds of faults. Each returns the number of connections that it cut. */
function kindsOf(
  cluster: SimCluster,
  write: () => Promise<void>,
  rotate: () => Promise<void>,
): readonly Kind[] {
  const { control } = cluster;
  /** Injects a fault into the next requests, which a cut causes. */
  const injected = async (fault: Fault) => {
    cluster.inject(fault);
    const { cut } = await control.cutLogs();
    return cut;
  };
  const rotated = async () => {
    await rotate();
    const { cut } = await control.cutLogs();
    const { dropped } = await control.dropWatches();
    return cut + dropped;
  };
  const away = async () => {
    await control.killServer();
    await write();
    await cluster.startServer();
    return 1;
  };
  return [
    ['logs reset', async () => (await control.cutLogs({ how: 'reset' })).cut],
    ['logs ended in order', async () => (await control.cutLogs({ how: 'end' })).cut],
    ['watches dropped', async () => (await control.dropWatches()).dropped],
    ['watch expired', () => injected({ kind: 'expire-watch', times: 1 })],
    ['answers 500', () => injected({ kind: 'status', status: 500, times: 20, match: LOGS })],
    ['answers 503', () => injected({ kind: 'status', status: 503, times: 20 })],
    ['answers 429', () => injected({ kind: 'status', status: 429, retryAfterSeconds: 1, times: 10 })],
    ['requests dropped', () => injected({ kind: 'drop-request', times: 30 })],
    ['answers dropped', () => injected({ kind: 'drop-answer', times: 30, match: LOGS })],
    ['bodies reset', () => injected({ kind: 'reset', afterBytes: 37, times: 30, match: LOGS })],
    ['bodies ended', () => injected({ kind: 'clean-end', afterBytes: 61, times: 30, match: LOGS })],
    ['JSON cut', () => injected({ kind: 'truncate-json', afterBytes: 200, times: 3 })],
    ['split into bytes', () => injected({ kind: 'split', chunkBytes: 3, times: 50 })],
    ['slow answers', () => injected({ kind: 'delay', delayMs: 300, times: 20 })],
    ['token renewed', rotated],
    ['server restarted', () => control.restartServer().then(() => 1)],
    ['server away', away],
  ];
}

/**
 * Returns endless faults in an order that the seed determines. `write` adds lines while the server is down;
 * `rotate` makes the cluster accept only another token, and stores it for the program.
 */
export function faultsOf(
  cluster: SimCluster,
  seed: number,
  write: () => Promise<void>,
  rotate: () => Promise<void>,
): { next(): Promise<FaultHit> } {
  const kinds = kindsOf(cluster, write, rotate);
  let counted = 0;
  let state = seed >>> 0;
  return {
    async next() {
      // A linear congruential generator (Numerical Recipes): the same seed gives the same faults.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const [name, act] = kinds[Math.floor((state / 2 ** 32) * kinds.length)] ?? ['', async () => 0];
      const cut = await act();
      // Injected faults affect later requests: these count toward the next fault.
      const hits = cluster.faultsHit - counted;
      counted += hits;
      return { name, hits: cut + hits };
    },
  };
}
