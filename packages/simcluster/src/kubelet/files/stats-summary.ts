import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeAnswer, NodeRequest } from '../../node-agent.ts';

/** A file occupies whole blocks of a disk. */
const BLOCK_BYTES = 4096;

/** A node whose kubelet serves HTTP. */
export interface ServedNode {
  readonly name: string;
  /** This machine's folder with the contents of the node's /var/log/pods. */
  readonly podLogs: string;
  /** Whether it serves files below /logs (enableSystemLogHandler). */
  readonly servesLogFiles: boolean;
  readonly nowMs: number;
}

interface ContainerStats {
  readonly name: string;
  readonly logs?: { readonly time: string; readonly usedBytes: number; readonly inodesUsed: number };
}

/**
 * Handles `GET /stats/summary`, only for logs: for each container the size of all its files, including rotated ones
 * (test/recorded/nodes/stats-summary.json). Omits the containers' use of CPU, memory and disk, because none runs.
 */
export async function statsSummary(node: ServedNode, request: NodeRequest): Promise<NodeAnswer> {
  const withLogs = request.query.get('only_cpu_and_memory') !== 'true';
  const time = `${new Date(node.nowMs).toISOString().slice(0, 19)}Z`;
  const pods = await Promise.all(
    (await namesIn(node.podLogs)).map(async (folder) => {
      const [namespace = '', name = '', uid = ''] = folder.split('_');
      const containers = await namesIn(join(node.podLogs, folder));
      const stats = containers.map((container) =>
        containerStats(container, withLogs ? join(node.podLogs, folder, container) : undefined, time),
      );
      return { podRef: { name, namespace, uid }, containers: await Promise.all(stats) };
    }),
  );
  const body = JSON.stringify({ node: { nodeName: node.name }, pods });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

async function containerStats(
  name: string,
  folder: string | undefined,
  time: string,
): Promise<ContainerStats> {
  if (folder === undefined) return { name };
  const files = await namesIn(folder);
  const sizes = await Promise.all(files.map((file) => sizeOf(join(folder, file))));
  const usedBytes = sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 0);
  return { name, logs: { time, usedBytes, inodesUsed: files.length } };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // A node without pods has no folder, and a pod may be removed meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
