import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** An open log file; tests also read one that lies in memory only. */
export interface LogFile {
  read(target: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /** Reads without waiting for a thread: for what was just written. */
  readNow(target: Buffer, offset: number, length: number, position: number): number;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The changes that a reader in this process is notified of; it polls nothing. */
export interface LogWatcher {
  /** There are more bytes in the newest file. */
  written(): void;
  /** The file was renamed when it had that many bytes; a new one lies at the path. */
  rotated(endOfOldFile: number): void;
  /** The run has ended: nothing more will come. */
  ended(): void;
}

/** The log of one run, as far as the kubelet reads and follows it. */
export interface ReadableLog {
  readonly ended: boolean;
  /** Opens the newest file; fails with ENOENT when it is gone. */
  open(): Promise<LogFile>;
  /** The returned function ends it. */
  watch(watcher: LogWatcher): () => void;
}

export async function openLogFile(path: string): Promise<LogFile> {
  return new DiskFile(await open(path, 'r'));
}

class DiskFile implements LogFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  read(target: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return this.#handle.read(target, offset, length, position);
  }

  readNow(target: Buffer, offset: number, length: number, position: number): number {
    return readSync(this.#handle.fd, target, offset, length, position);
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
