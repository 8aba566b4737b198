import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { FileSystem } from '../context.ts';
import type { CliError } from '../messages/cli-error.ts';
import { commandFailure, configFailure } from '../messages/errors.ts';

/**
 * Writes a new file that only its owner may read (mode 0600), completely or not at all, and creates its
 * folders. Without `force` it keeps an existing file, even one that appears in the meantime: link() fails
 * where rename() would overwrite. Throws `config-file-exists` (usage) or `config-not-writable`.
 */
export async function writeConfigFile(
  files: Omit<FileSystem, 'readSmallFile'>,
  path: string,
  text: string,
  options: { readonly force: boolean },
): Promise<void> {
  const temporary = join(dirname(path), `.logtool-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await makeFolders(files, dirname(path));
    await files.writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    if (options.force) await files.rename(temporary, path);
    else await files.link(temporary, path);
  } catch (error) {
    throw describe(error, path);
  } finally {
    await files.rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Creates a folder and its parents, one by one: mkdir with `recursive` never ends if a folder exists but
 * mkdir in it fails with ENOENT, as in /proc.
 */
async function makeFolders(files: Pick<FileSystem, 'mkdir'>, folder: string): Promise<void> {
  try {
    await files.mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'EISDIR') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolders(files, dirname(folder));
    await files.mkdir(folder).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

/** The file exists, and the user did not ask to replace it. */
export function fileExists(path: string): CliError {
  return configFailure('config-file-exists', { path });
}

function describe(error: unknown, path: string): CliError {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' && syscall === 'link') return fileExists(path);
  return commandFailure('config-not-writable', { path, why: (error as Error).message }, error);
}
