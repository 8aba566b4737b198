import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * The log files of one container on the disk of a simulated node. A test changes them step by step, as a runtime and a
 * kubelet do together; what the node answers from them is up to its kubelet (packages/simcluster/src/kubelet).
 */
export class NodeFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get names(): string[] {
    return readdirSync(this.#path).toSorted();
  }

  /** Replaces all files. */
  fill(files: Readonly<Record<string, Uint8Array>>): void {
    rmSync(this.#path, { recursive: true, force: true });
    mkdirSync(this.#path, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) this.write(name, bytes);
  }

  write(name: string, bytes: Uint8Array): void {
    writeFileSync(join(this.#path, name), bytes);
  }

  read(name: string): Buffer {
    return readFileSync(join(this.#path, name));
  }

  append(name: string, bytes: Uint8Array): void {
    appendFileSync(join(this.#path, name), bytes);
  }

  remove(name: string): void {
    rmSync(join(this.#path, name));
  }

  /** Renames the newest file, as a rotation does, and begins another. */
  rotate(newest: string, stamp: string): void {
    renameSync(join(this.#path, newest), join(this.#path, `${newest}.${stamp}`));
    this.write(newest, Buffer.alloc(0));
  }

  compress(name: string): void {
    this.write(`${name}.gz`, gzipSync(this.read(name)));
    this.remove(name);
  }
}
