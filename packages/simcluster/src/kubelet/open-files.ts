import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Files open for appending, the ones used last: thousands of containers may write, few at a time. Two thirds of the
 * usual limit of 1,024 descriptors stay for sockets and readers.
 */
export class OpenFiles {
  readonly #descriptors = new Map<string, number>();
  readonly #limit: number;

  constructor(limit = 256) {
    this.#limit = limit;
  }

  /** Writes all of it at the end of the file, which is made when it is missing. */
  append(path: string, bytes: Uint8Array): void {
    const descriptor = this.#open(path);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(descriptor, bytes, done, bytes.length - done);
    }
  }

  /** Makes the file, empty. */
  create(path: string): void {
    this.forget(path);
    closeSync(openSync(path, 'w', 0o640));
  }

  /** Closes the file when it is open here: before it is renamed or removed. */
  forget(path: string): void {
    const descriptor = this.#descriptors.get(path);
    if (descriptor === undefined) return;
    this.#descriptors.delete(path);
    closeSync(descriptor);
  }

  /** Hands the open descriptor over to the caller, who closes it. */
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
