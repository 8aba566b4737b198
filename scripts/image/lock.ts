import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';

export const ROOT = resolve(import.meta.dirname, '../..');
export const LOCK_FILE = join(ROOT, 'scripts/image/lock.json');

/** The platforms of the image, with the names of the processor in Debian (`architecture`) and in npm. */
export const PLATFORMS = [
  { name: 'linux/amd64', architecture: 'amd64', npm: 'x64', variant: undefined },
  { name: 'linux/arm64', architecture: 'arm64', npm: 'arm64', variant: 'v8' },
] as const;
export type Platform = (typeof PLATFORMS)[number];

const debianPackage = z.object({
  name: z.string(),
  architecture: z.enum(['amd64', 'arm64', 'all']),
  version: z.string(),
  /** `debian` or `debian-security`; `path` is below it. */
  archive: z.string(),
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type DebianPackage = z.infer<typeof debianPackage>;

const lock = z.object({
  /** The time at which these packages were the newest; snapshot.debian.org serves the archive of that time. */
  debianAt: z.string().regex(/^\d{8}T\d{6}Z$/),
  debian: z.array(debianPackage),
  node: z.object({
    version: z.string(),
    /** The sha512 digest of the npm package's tarball for each architecture, npm's integrity. */
    integrity: z.object({ amd64: z.string(), arm64: z.string() }),
  }),
});
/** The exact packages of the image: the same lock and sources give the same bytes. */
export type Lock = z.infer<typeof lock>;

export async function readLock(file: string): Promise<Lock> {
  return lock.parse(JSON.parse(await readFile(file, 'utf8')));
}

export async function writeLock(file: string, value: Lock): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
