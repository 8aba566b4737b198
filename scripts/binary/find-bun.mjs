// Finds the compiler of the single file, and the runtimes that it embeds.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../run/start-tool.mjs';
import { BUN, hostTarget } from './binary-targets.mjs';

const cache = join(import.meta.dirname, '../../.cache/bun', BUN);

/**
 * Returns the path of Bun for a platform, from npm, in a separate folder: only builds need its hundred megabytes. npm
 * checks the package against its digest in the registry, and this function checks that digest against the table. Throws
 * if it is unavailable.
 */
export function findBun(target = hostTarget()) {
  const name = `@oven/${target.runtime}`;
  const folder = join(cache, target.runtime);
  const path = join(folder, 'node_modules', name, target.format === 'PE' ? 'bin/bun.exe' : 'bin/bun');
  if (existsSync(path) && integrityIn(folder, name) === target.integrity) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // Give up after a minute instead of ten on a network that drops packets. The package may be for another system.
  const options = ['--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=60000', '--force'];
  const { status, error } = runNpm(['install', '--save-exact', ...options, `${name}@${BUN}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: folder,
  });
  if (status !== 0) throw new Error(`${name} could not be installed`, { cause: error });
  const integrity = integrityIn(folder, name);
  if (integrity === target.integrity) return path;
  throw new Error(
    `${name}@${BUN} has the digest ${integrity}; scripts/binary/binary-targets.mjs says ${target.integrity}`,
  );
}

/** Returns the digest that npm checked the package against, from the lock file that npm wrote. */
function integrityIn(folder, name) {
  const lock = join(folder, 'package-lock.json');
  if (!existsSync(lock)) return undefined;
  return JSON.parse(readFileSync(lock, 'utf8')).packages[`node_modules/${name}`]?.integrity;
}
