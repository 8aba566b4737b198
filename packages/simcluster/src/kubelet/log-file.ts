import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** An open log file; tests also read one that exists only in memory. */
export interface LogFile {
  read(target: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /** Reads without waiting for a thread, for newly written data. */
  readNow(target: Buffer, offset: number, length: number, position: number): number;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Receives a log's changes in this process, so that a reader does not poll. */
export interface LogWatcher {
  /** The newest file has more bytes. */
  written(): void;
  /** The file was renamed at that length; a new one is at the path. */
  rotated(endOfOldFile: number): void;
  /** The run has ended; nothing more will come. */
  ended(): void;
}

/** The log of one run, as the kubelet reads and follows it. */
export interface ReadableLog {
  readonly ended: boolean;
  /** Opens the newest file; fails with ENOENT if it was removed. */
  open(): Promise<LogFile>;
  /** Starts to notify a watcher; returns a function that stops it. */
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
