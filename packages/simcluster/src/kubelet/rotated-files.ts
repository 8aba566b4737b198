import { renameSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipBytes = promisify(gzip);

interface RotatedFile {
  /** `0.log.20261121-020640`; `.gz` is added once it is compressed. */
  readonly path: string;
  removed: boolean;
  compressed: boolean;
}

/** One compression at a time for all containers, off the main thread. */
export class Compressor {
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;

  add(job: () => Promise<void>): void {
    this.#last = this.#last.then(job).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Resolves when all jobs so far are done; rejects with the first failure. */
  async idle(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/**
 * The rotated files of one log, under the kubelet's rules (pkg/kubelet/logs/container_log_manager.go): with maxFiles
 * 5 there are the newest file, one rotated plain file and three compressed ones.
 */
export class RotatedFiles {
  #files: RotatedFile[] = [];
  readonly #maxFiles: number;
  readonly #compressor: Compressor;

  constructor(maxFiles: number, compressor: Compressor) {
    this.#maxFiles = maxFiles;
    this.#compressor = compressor;
  }

  /** Renames the newest file away and returns its new path. `nowMs` gives the name; `zoneMinutes` the node's zone. */
  rotate(newest: string, nowMs: number, zoneMinutes: number): string {
    const kept = Math.max(0, this.#maxFiles - 2);
    for (const old of this.#files.slice(0, Math.max(0, this.#files.length - kept))) removeFile(old);
    this.#files = this.#files.slice(Math.max(0, this.#files.length - kept));
    for (const old of this.#files) {
      if (!old.compressed) this.#compressor.add(() => compress(old));
    }
    const path = this.#freeName(newest, nowMs, zoneMinutes);
    renameSync(newest, path);
    this.#files.push({ path, removed: false, compressed: false });
    return path;
  }

  removeAll(): void {
    for (const file of this.#files) removeFile(file);
    this.#files = [];
  }

  /** Two rotations in one second would share a name (and the kubelet would lose the first file): the later moves on. */
  #freeName(newest: string, nowMs: number, zoneMinutes: number): string {
    for (let second = Math.floor(nowMs / 1000); ; second++) {
      const local = new Date((second + zoneMinutes * 60) * 1000).toISOString();
      const path = `${newest}.${local.slice(0, 10).replaceAll('-', '')}-${local.slice(11, 19).replaceAll(':', '')}`;
      if (!this.#files.some((file) => file.path >= path)) return path;
    }
  }
}

async function compress(file: RotatedFile): Promise<void> {
  if (file.removed || file.compressed) return;
  let packed: Buffer;
  try {
    packed = await gzipBytes(await readFile(file.path));
  } catch (error) {
    // Removed in the meantime: nothing is left to compress.
    if (file.removed) return;
    throw error;
  }
  if (file.removed) return;
  const temporary = `${file.path}.tmp`;
  try {
    // Ends when the file is closed, so that nothing creates it again after its removal.
    await writeFile(temporary, packed, { mode: 0o640 });
    if (file.removed) return;
    renameSync(temporary, `${file.path}.gz`);
  } finally {
    rmSync(temporary, { force: true });
  }
  rmSync(file.path, { force: true });
  file.compressed = true;
}

function removeFile(file: RotatedFile): void {
  file.removed = true;
  rmSync(file.compressed ? `${file.path}.gz` : file.path, { force: true });
}
