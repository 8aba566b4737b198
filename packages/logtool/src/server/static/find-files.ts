import { readdir } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** One file of the built page. */
export interface StaticFile {
  readonly path: string;
  /** The same file, compressed at build; undefined if absent. */
  readonly brotliPath: string | undefined;
  readonly type: string;
  /** Its name contains a hash of its content, so that it never changes. */
  readonly isHashed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Finds the files below a folder, by their request path: `/assets/index-3f2a.js`. The server can only serve what is
 * listed here: no path of a request ever reaches the file system. Empty if the folder does not exist.
 */
export async function findFiles(directory: string): Promise<ReadonlyMap<string, StaticFile>> {
  const names = await listAll(directory);
  const all = new Set(names);
  const files = new Map<string, StaticFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    files.set(`/${name.split(sep).join('/')}`, {
      path: join(directory, name),
      brotliPath: all.has(`${name}.br`) ? join(directory, `${name}.br`) : undefined,
      type,
      // Vite's names: NAME-HASH.EXT, with a hash of eight letters.
      isHashed: /-[\w-]{8}\.\w+$/.test(name),
    });
  }
  return files;
}

async function listAll(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, sep).length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
