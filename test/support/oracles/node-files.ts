import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SimCluster } from '@logtool/simcluster/src/start.ts';

/** A line in a log file of a node. */
export interface EntryOnDisk {
  /** RFC 3339, as the runtime wrote it. */
  readonly time: string;
  readonly message: string;
}

export interface ContainerOnDisk {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether to read the file of that name; without it, all files of the first run. */
  readonly isWanted?: (name: string) => boolean;
}

/** Returns what the files of a container hold, as they are on the disk, the oldest first. */
export function entriesOnDisk(
  cluster: SimCluster,
  { node, namespace, pod, container, isWanted = () => true }: ContainerOnDisk,
): readonly EntryOnDisk[] {
  const files = join(cluster.logDirectory, node);
  const folder = readdirSync(files).find((name) => name.startsWith(`${namespace}_${pod}_`))!;
  const names = readdirSync(join(files, folder, container));
  const inOrder = [...names.filter((name) => name !== '0.log').toSorted(), '0.log'].filter(isWanted);
  return inOrder
    .map((name) => {
      const bytes = readFileSync(join(files, folder, container, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    })
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((entry) => {
      const [time = '', , , ...message] = entry.split(' ');
      return { time, message: message.join(' ') };
    });
}
