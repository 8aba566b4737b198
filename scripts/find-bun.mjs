// Where the compiler of the single file is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of another version are to be collected first: `licences-of-bun`. */
export const BUN = '1.4.5';
const root = new URL('..', import.meta.url).pathname;

/**
 * Bun of one version, from npm, in a folder of its own: nobody else needs its hundred megabytes. Throws where it cannot
 * be had.
 */
export function findBun() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@oven/bun-${platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  const place = join(root, '.cache/bun', BUN);
  const path = join(place, 'node_modules', name, platform === 'windows' ? 'bin/bun.exe' : 'bin/bun');
  if (existsSync(path)) return path;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  // A network that swallows what it is sent is given up in a minute, not in ten.
  const network = ['--fetch-retries=1', '--fetch-timeout=60000'];
  const args = ['install', '--no-audit', '--no-fund', '--save-exact', ...network, `${name}@${BUN}`];
  const { status, error } = spawnSync('npm', args, { stdio: 'inherit', cwd: place });
  if (status !== 0) throw new Error(`${name} could not be installed`, { cause: error });
  return path;
}
