import { dirname } from 'node:path';
import { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure } from '../failures.ts';
import { type RepositoryFiles, writeAtomically } from './atomic-file.ts';
import { fileError } from './errors.ts';
import { withLock } from './lock-file.ts';
import { parseRepositories, type RepositoriesFile } from './repositories-file.ts';

/** Limits the attempts on a file that another program keeps changing. */
const ATTEMPTS = 20;
const ONLY_OWNER = 0o600;

export interface EditOptions {
  readonly files: RepositoryFiles;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads repositories.yaml.
 * @throws CodedError `repositories-file-invalid`, `repository-file-not-readable`
 */
export async function readRepositories(path: string): Promise<RepositoriesFile> {
  return parseRepositories(await textOf(path), path);
}

/**
 * Changes repositories.yaml: `change` returns the new text, or undefined if there is nothing to change. A lock file
 * lets only one logtool write at a time. To notice a concurrent write by Helm, it compares the file right before
 * replacing it, and starts over if it differs. Nothing can prevent a write between that check and the rename: see
 * lock-file.ts. A symbolic link stays one.
 */
export async function editRepositories(
  path: string,
  options: EditOptions,
  change: (file: RepositoriesFile) => string | undefined,
): Promise<void> {
  const { files, clock } = options;
  try {
    await files.mkdir(dirname(path), { recursive: true });
    const target = await files.realpath(path).catch(() => path);
    await withLock(target, options, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const before = await textOf(target);
        const after = change(parseRepositories(before, path));
        if (after === undefined || after === before) return;
        const isUnchanged = async () => (await textOf(target)) === before;
        if (await writeAtomically(target, after, { files, clock, mode: ONLY_OWNER, isUnchanged })) return;
      }
      throw helmFailure('repositories-changing', { file: path });
    });
  } catch (error) {
    if (error instanceof CodedError || options.signal?.aborted) throw error;
    throw fileError('write', path, error);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readSmallFile(path)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw fileError('read', path, error);
  }
}
