import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface LayerEntry {
  /** In the format of ls: -rwxr-xr-x. */
  readonly mode: string;
  /** Numeric user and group: 0/0. */
  readonly owner: string;
  readonly size: number;
  readonly name: string;
}

/** Lists the content of layers with the system's tar, after writing them below `folder`. */
export async function listLayers(
  layers: readonly Uint8Array[],
  folder: string,
): Promise<readonly LayerEntry[]> {
  const entries: LayerEntry[] = [];
  for (const layer of layers) {
    const file = join(folder, 'listed.tar');
    await writeFile(file, layer);
    const args = ['--list', '--verbose', '--numeric-owner', '--utc', '--file', file];
    const { stdout } = await promisify(execFile)('tar', args, { maxBuffer: 2 ** 26 });
    entries.push(...stdout.trimEnd().split('\n').map(entryOf));
  }
  return entries;
}

function entryOf(line: string): LayerEntry {
  const [, mode, owner, size, name] =
    /^(\S+) (\S+) +(\d+) 1970-01-01 00:00 (.*?)(?: -> .*)?$/.exec(line) ?? [];
  if (mode === undefined || owner === undefined || name === undefined)
    throw new Error(`cannot read what tar printed: ${line}`);
  return { mode, owner, size: Number(size), name };
}
