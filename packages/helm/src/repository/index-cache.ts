import { join } from 'node:path';
import { FileUnreadable, readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { type RepositoryFiles, type WriteOptions, writeAtomically } from './atomic-file.ts';
import { fileError } from './errors.ts';
import { INDEX_LIMIT_BYTES, type RepositoryIndex, readIndex } from './read-index.ts';

const READABLE_BY_ALL = 0o644;

export type CacheOptions = Pick<WriteOptions, 'files' | 'clock'>;

function indexPath(folder: string, name: string): string {
  return join(folder, `${name}-index.yaml`);
}

function chartsPath(folder: string, name: string): string {
  return join(folder, `${name}-charts.txt`);
}

/** Stores an index like Helm: unchanged, and beside it the chart names, which Helm uses for completion. */
export async function keepIndex(
  { files, clock }: CacheOptions,
  folder: string,
  name: string,
  bytes: Uint8Array,
  index: RepositoryIndex,
): Promise<void> {
  const path = indexPath(folder, name);
  try {
    await files.mkdir(folder, { recursive: true });
    const names = [...index.charts.keys()].map((chart) => `${chart}\n`).join('');
    await writeAtomically(chartsPath(folder, name), names, { files, clock, mode: READABLE_BY_ALL });
    await writeAtomically(path, bytes, { files, clock, mode: READABLE_BY_ALL });
  } catch (error) {
    throw fileError('write', path, error);
  }
}

/**
 * Reads the index of the last update; undefined if there is none.
 * @throws CodedError `repository-index-invalid`, `repository-file-not-readable`
 */
export async function readKeptIndex(folder: string, name: string): Promise<RepositoryIndex | undefined> {
  const path = indexPath(folder, name);
  try {
    return readIndex(decodeUtf8(await readSmallFile(path, INDEX_LIMIT_BYTES)), path);
  } catch (error) {
    if (error instanceof FileUnreadable && error.code === 'ENOENT') return undefined;
    if (error instanceof CodedError) throw error;
    throw fileError('read', path, error);
  }
}

/** Removes the stored files of a repository. */
export async function forgetIndex(files: RepositoryFiles, folder: string, name: string): Promise<void> {
  for (const path of [chartsPath(folder, name), indexPath(folder, name)]) {
    try {
      await files.rm(path, { force: true });
    } catch (error) {
      throw fileError('write', path, error);
    }
  }
}
