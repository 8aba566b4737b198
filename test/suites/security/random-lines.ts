import type { SimCluster } from '@logtool/simcluster/src/start.ts';

/**
 * Writes 2,000 lines of a thousand random letters a and b to a log, so that the engine cannot reuse states
 * between lines.
 */
export async function writeRandomLines(
  cluster: SimCluster,
  where: Parameters<SimCluster['writeLog']>[0],
): Promise<void> {
  let seed = 1;
  const sign = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return 97 + ((seed >>> 16) & 1);
  };
  for (let line = 0; line < 2_000; line++)
    await cluster.writeLog(where, { bytes: Buffer.from(Array.from({ length: 1_000 }, sign)) });
}
