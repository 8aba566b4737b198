import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { digestOf, type PackedLayer } from './oci-archive.ts';

/** A higher level takes twice as long and saves one percent. */
const LEVEL = 4;

/**
 * Compresses a layer. fflate gives the same bytes on every machine; the output of zlib differs with the processor's
 * instructions. Caches the result in `folder`: compressing Node takes about twelve seconds.
 */
export function packLayer(folder: string, title: string, tar: Uint8Array): PackedLayer {
  const diffId = digestOf(tar);
  const file = join(folder, `${diffId.replace('sha256:', '')}-${LEVEL}.tar.gz`);
  if (existsSync(file)) return { blob: readFileSync(file), diffId, title };
  const blob = gzipSync(tar, { level: LEVEL, mtime: 0 });
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, blob);
  renameSync(draft, file);
  return { blob, diffId, title };
}
