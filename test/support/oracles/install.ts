import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
const MANIFEST = ['package.json', 'package-lock.json'];

interface Folders {
  /** The folder with package.json and package-lock.json of the oracles. */
  readonly source: string;
  /** The folder of installations, each named by the hash of its lock file. */
  readonly cache: string;
  /** Runs npm with the given arguments in a folder; rejects if it fails. */
  readonly npm: (args: readonly string[], folder: string) => Promise<unknown>;
}

const FOLDERS: Folders = {
  source: import.meta.dirname,
  cache: join(import.meta.dirname, '../../../.cache/oracles'),
  npm: async (args, folder) => {
    console.warn('installing the oracles of the tests (75 MB, once per lock file)');
    // On Windows npm is a script, which only a shell can start.
    await promisify(execFile)('npm', [...args], { cwd: folder, shell: process.platform === 'win32' });
  },
};

let installed: Promise<string> | undefined;

/**
 * Installs what only tests need (test/support/oracles/package.json), unless it is installed for this lock
 * file, and returns the folder with its `node_modules`. Separate from the program's packages, because most
 * people who install those never run its tests. Rejects if npm fails.
 */
export function oracleFolder(): Promise<string> {
  installed ??= installOracles(FOLDERS);
  return installed;
}

/** Implements `oracleFolder` for the given folders. */
export async function installOracles({ source, cache, npm }: Folders): Promise<string> {
  const lock = await readFile(join(source, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const target = join(cache, name);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  // Installs under another name and renames, so that another process never finds an incomplete installation.
  const partial = await mkdtemp(`${target}.`);
  try {
    await Promise.all(MANIFEST.map((file) => copyFile(join(source, file), join(partial, file))));
    await npm(NPM_CI, partial);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(target)) return target;
    throw new Error(
      'cannot install the oracles of test/support/oracles/package.json: run the tests with a network once',
      {
        cause: error,
      },
    );
  }
  await removeOthers(cache, name);
  return target;
}

/** Removes the installations of earlier lock files, at least 75 MB each. */
async function removeOthers(cache: string, name: string): Promise<void> {
  const others = (await readdir(cache)).filter((entry) => /^[0-9a-f]{16}$/.test(entry) && entry !== name);
  await Promise.all(others.map((entry) => rm(join(cache, entry), { recursive: true, force: true })));
}
