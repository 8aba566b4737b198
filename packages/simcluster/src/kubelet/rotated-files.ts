import { renameSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipBytes = promisify(gzip);

interface RotatedFile {
  /** `0.log.20261121-020640`; compression adds `.gz`. */
  readonly path: string;
  removed: boolean;
  compressed: boolean;
}

/** Runs one compression at a time for all containers, off the main thread. */
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
 * The rotated files of one log, by the kubelet's rules (pkg/kubelet/logs/container_log_manager.go): with maxFiles 5
 * there are the newest file, one rotated plain file and three compressed ones.
 */
export class RotatedFiles {
  #files: RotatedFile[] = [];
  readonly #maxFiles: number;
  readonly #compressor: Compressor;

  constructor(maxFiles: number, compressor: Compressor) {
    this.#maxFiles = maxFiles;
    this.#compressor = compressor;
  }

  /**
   * Renames the newest file and returns its new path. The name comes from `nowMs` in the node's zone, `zoneMinutes`.
   */
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

  /**
   * Returns an unused name. Two rotations in one second would share a name (and the kubelet would lose the first file),
   * so the later one gets a later second.
   */
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
    // The file was removed meanwhile, so nothing is left to compress.
    if (file.removed) return;
    throw error;
  }
  if (file.removed) return;
  const temporary = `${file.path}.tmp`;
  try {
    // Resolves only when the file is closed, so that nothing recreates it after its removal.
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
