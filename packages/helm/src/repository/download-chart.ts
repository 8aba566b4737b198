import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FileUnreadable, readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { ARCHIVE_LIMIT_BYTES } from '../chart/limits.ts';
import { type Download, helmFailure } from '../failures.ts';
import { type WriteOptions, writeAtomically } from './atomic-file.ts';
import { resolveAddress } from './chart-url.ts';
import { checkAddress, type RepositoryEntry } from './entry.ts';
import { fileError } from './errors.ts';
import { type FetchOptions, fetchFile } from './fetch-file.ts';
import type { IndexEntry } from './read-index.ts';

/**
 * Returns the archive of a chart version, from the cache or from the address in its index. The digest in the index
 * applies to both: it downloads again if a cached file differs. Without a digest in the index it compares nothing, like
 * Helm, and caches nothing; nor does it with `isKept` false.
 * @throws CodedError `chart-digest-wrong`, `chart-digest-invalid`, `chart-without-address`, or the errors of fetchFile
 */
export async function downloadChart(
  version: IndexEntry,
  entry: RepositoryEntry,
  folder: string,
  options: Omit<FetchOptions, 'of' | 'accept' | 'limitBytes'> &
    Pick<WriteOptions, 'files'> & { readonly isKept?: boolean },
): Promise<Uint8Array> {
  const { name, version: number } = version.metadata;
  const of: Download = { kind: 'chart', name, version: number };
  const digest = readDigest(version.digest, of);
  const kept = digest === undefined ? undefined : cachePath(folder, name, number);
  if (kept !== undefined) {
    const held = await readKept(kept);
    if (held !== undefined && digestOf(held) === digest) return held;
  }
  const [reference] = version.urls;
  if (reference === undefined) throw helmFailure('chart-without-address', { of });
  const address = resolveAddress(
    checkAddress(entry.url, { kind: 'repository', name: entry.name }),
    reference,
  );
  const bytes = await fetchFile(address, entry, {
    ...options,
    of,
    accept: 'application/gzip,application/octet-stream',
    limitBytes: ARCHIVE_LIMIT_BYTES,
  });
  if (digest !== undefined && digestOf(bytes) !== digest) {
    throw helmFailure('chart-digest-wrong', { of, wanted: digest, got: digestOf(bytes) });
  }
  if (kept !== undefined && options.isKept !== false) await keep(options, folder, kept, bytes);
  return bytes;
}

function readDigest(text: string, of: Download): string | undefined {
  if (text === '') return undefined;
  const digest = text.replace(/^sha256:/i, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digest)) return digest;
  throw helmFailure('chart-digest-invalid', { of });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the same path as Helm 3. Undefined for a name that could escape the folder. */
function cachePath(folder: string, name: string, version: string): string | undefined {
  const isPlain = /^[A-Za-z0-9._-]{1,100}$/.test(name) && /^[A-Za-z0-9.+-]{1,100}$/.test(version);
  return isPlain ? join(folder, `${name}-${version}.tgz`) : undefined;
}

async function readKept(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readSmallFile(path, ARCHIVE_LIMIT_BYTES);
  } catch (error) {
    // Whatever the problem: download the file again, and report it only if writing fails too.
    if (error instanceof FileUnreadable) return undefined;
    throw error;
  }
}

async function keep(
  { files, clock }: Pick<WriteOptions, 'files' | 'clock'>,
  folder: string,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await files.mkdir(folder, { recursive: true });
    await writeAtomically(path, bytes, { files, clock, mode: 0o644 });
  } catch (error) {
    throw fileError('write', path, error);
  }
}
