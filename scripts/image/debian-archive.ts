import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DebianPackage, Lock } from './lock.ts';
import { runTool } from './run-tool.ts';

/** Downloads a file and compares its checksum: a part of apt, which knows the machine's proxy. */
const DOWNLOADER = '/usr/lib/apt/apt-helper';
export const MIRROR = 'http://deb.debian.org';
/** Keeps old versions that the mirror has dropped. */
const HISTORY = 'http://snapshot.debian.org/archive';

/**
 * Returns the path of a package's file in `folder`, downloaded if missing. Its checksum matches the lock. Throws if
 * neither Debian's mirror nor its history serves the file.
 */
export function debianFile(
  folder: string,
  { name, version, archive, path, sha256 }: DebianPackage,
  lock: Lock,
) {
  const file = join(folder, `${sha256}.deb`);
  if (existsSync(file) && digestOf(file) === sha256) return file;
  mkdirSync(folder, { recursive: true });
  const addresses = [`${MIRROR}/${archive}/${path}`, `${HISTORY}/${archive}/${lock.debianAt}/${path}`];
  const failures: string[] = [];
  const draft = `${file}.${process.pid}`;
  for (const address of addresses) {
    try {
      runTool(DOWNLOADER, [...APT_OPTIONS, 'download-file', address, draft, `SHA256:${sha256}`]);
      if (digestOf(draft) !== sha256) throw new Error(`${address} has another checksum`);
      renameSync(draft, file);
      return file;
    } catch (error) {
      rmSync(draft, { force: true });
      failures.push((error as Error).message);
    }
  }
  throw new Error(
    `cannot download ${name} ${version}, which scripts/image/lock.json names\n${failures.join('\n')}\n` +
      'next: check the network; if Debian has replaced this version, run `npm run build:image -- --update`',
  );
}

/** Download as the current user into that user's folder, where apt's own user could not write. */
export const APT_OPTIONS = [
  '-o',
  `APT::Sandbox::User=${process.getuid?.() === 0 ? 'root' : ''}`,
  '-o',
  'Acquire::Retries=2',
];

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
