import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt } from '../cli/cache/attempt.ts';
import { isOwnDirectory, makeOwnDirectory } from '../cli/cache/own-directory.ts';
import { commandFailure } from '../cli/messages/errors.ts';

/** Maps paths in the package to contents in base64: the JSON that a self-contained executable carries. */
type Embedded = Readonly<Record<string, string>>;

/**
 * Finds files and folders of the package for a program that contains them. Unpacks them once in `directory`, which is
 * named after the content, or only for this run if that is impossible. Unpacks missing files again: programs that clear
 * caches delete single files, and a chart with half its files would be another chart. The returned function throws
 * CliError `no-room-for-files`.
 */
export function embeddedFiles(
  readEmbedded: () => string,
  directory: string | undefined,
): (path: string) => string | undefined {
  let root: string | undefined;
  return (path) => {
    root ??= layOut(JSON.parse(readEmbedded()) as Embedded, directory);
    const found = join(root, path);
    return existsSync(found) ? found : undefined;
  };
}

function layOut(files: Embedded, directory: string | undefined): string {
  const kept = directory === undefined ? undefined : keep(files, directory);
  return kept ?? layOutOnce(files);
}

function layOutOnce(files: Embedded): string {
  try {
    const once = mkdtempSync(join(tmpdir(), 'logtool-'));
    process.on('exit', () => rmSync(once, { recursive: true, force: true }));
    write(Object.entries(files), once);
    return once;
  } catch (cause) {
    throw commandFailure('no-room-for-files', { why: (cause as Error).message }, cause);
  }
}

/**
 * Makes the whole folder appear at once, even if another run unpacks it at the same time. Returns undefined if that is
 * impossible.
 */
function keep(files: Embedded, directory: string): string | undefined {
  const parent = dirname(directory);
  let temporary: string | undefined;
  try {
    if (existsSync(directory)) return repaired(files, directory);
    makeOwnDirectory(parent);
    if (!isOwnDirectory(parent)) return undefined;
    temporary = mkdtempSync(`${directory}-`);
    write(Object.entries(files), temporary);
    renameSync(temporary, directory);
    return directory;
  } catch {
    // Another run of the program was faster, or the folder cannot be written: unpack the files for this run only.
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    return attempt(() => repaired(files, directory));
  }
}

/** Returns the folder of an earlier run, with missing files restored. Returns undefined if others may write to it. */
function repaired(files: Embedded, directory: string): string | undefined {
  if (!isOwnDirectory(directory)) return undefined;
  const missing = Object.entries(files).filter(([path, content]) => {
    const bytes = attempt(() => statSync(join(directory, path)).size);
    return bytes !== Buffer.byteLength(content, 'base64');
  });
  write(missing, directory);
  return directory;
}

/** Makes each file appear whole. */
function write(files: readonly (readonly [path: string, content: string])[], directory: string): void {
  for (const [path, content] of files) {
    const target = join(directory, path);
    const temporary = `${target}.${process.pid}.tmp`;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.from(content, 'base64'), { mode: 0o600 });
    renameSync(temporary, target);
  }
}
