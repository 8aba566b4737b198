import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * The most recently used files, open for appending: thousands of containers may write, few at a time. Leaves most of
 * the usual limit of 1,024 descriptors to sockets and readers.
 */
export class OpenFiles {
  readonly #descriptors = new Map<string, number>();
  readonly #limit: number;

  constructor(limit = 256) {
    this.#limit = limit;
  }

  /** Writes all bytes at the end of the file; creates it if missing. */
  append(path: string, bytes: Uint8Array): void {
    const descriptor = this.#open(path);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(descriptor, bytes, done, bytes.length - done);
    }
  }

  /** Creates the file, empty. */
  create(path: string): void {
    this.forget(path);
    closeSync(openSync(path, 'w', 0o640));
  }

  /** Closes the file if it is open here; call it before the file is renamed or removed. */
  forget(path: string): void {
    const descriptor = this.#descriptors.get(path);
    if (descriptor === undefined) return;
    this.#descriptors.delete(path);
    closeSync(descriptor);
  }

  /** Passes the open descriptor to the caller, who must close it. */
  take(path: string): number {
    const descriptor = this.#open(path);
    this.#descriptors.delete(path);
    return descriptor;
  }

  close(): void {
    for (const path of [...this.#descriptors.keys()]) this.forget(path);
  }

  #open(path: string): number {
    const known = this.#descriptors.get(path);
    if (known !== undefined) {
      this.#descriptors.delete(path);
      this.#descriptors.set(path, known);
      return known;
    }
    for (const oldest of this.#descriptors.keys()) {
      if (this.#descriptors.size < this.#limit) break;
      this.forget(oldest);
    }
    const descriptor = openSync(path, 'a', 0o640);
    this.#descriptors.set(path, descriptor);
    return descriptor;
  }
}
