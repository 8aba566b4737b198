import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOwnDirectory, makeOwnDirectory } from '../cli/cache/own-directory.ts';

/** Paths in the package to contents in base64: the JSON that a self-contained executable carries. */
type Embedded = Readonly<Record<string, string>>;

/**
 * Finds files and folders of the package for a program that carries them in itself: they are laid out once in
 * `directory`, which is named by the content, or for this run alone where that cannot be.
 */
export function embeddedFiles(
  readEmbedded: () => string,
  directory: string | undefined,
): (path: string) => string | undefined {
  let root: string | undefined;
  return (path) => {
    root ??= laidOut(directory) ?? layOut(JSON.parse(readEmbedded()) as Embedded, directory);
    const found = join(root, path);
    return existsSync(found) ? found : undefined;
  };
}

function laidOut(directory: string | undefined): string | undefined {
  try {
    return directory !== undefined && isOwnDirectory(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

function layOut(files: Embedded, directory: string | undefined): string {
  const kept = directory === undefined ? undefined : keep(files, directory);
  if (kept !== undefined) return kept;
  const once = mkdtempSync(join(tmpdir(), 'logtool-'));
  process.on('exit', () => rmSync(once, { recursive: true, force: true }));
  write(files, once);
  return once;
}

/** The whole folder appears at once, whoever else lays it out at the same time. Undefined where that cannot be. */
function keep(files: Embedded, directory: string): string | undefined {
  const parent = dirname(directory);
  let temporary: string | undefined;
  try {
    makeOwnDirectory(parent);
    if (!isOwnDirectory(parent)) return undefined;
    temporary = mkdtempSync(`${directory}-`);
    write(files, temporary);
    renameSync(temporary, directory);
    return directory;
  } catch {
    // Another run of the program was quicker, or the place cannot be written to: then the files are for this run.
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    return laidOut(directory);
  }
}

function write(files: Embedded, directory: string): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, Buffer.from(content, 'base64'), { mode: 0o600 });
  }
}
