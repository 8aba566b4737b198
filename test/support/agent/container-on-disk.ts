import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';

const BASE = 1_800_000_000;
const POD = 'shop_web_7f0ab3de';
const CONTAINER = 'app';

/**
 * A container's log files on the disk, changed as a runtime and a kubelet change them: the runtime writes into the file
 * that it has open, whatever its name is, and the kubelet renames, compresses and removes
 * (test/recorded/nodes/rotation-file-events.json). It also keeps what was written, to compare.
 */
export class ContainerOnDisk {
  readonly root = mkdtempSync(join(tmpdir(), 'logtool-follow-'));
  readonly path: readonly string[] = [POD, CONTAINER];
  /** The lines of the run, as the log API returns them with timestamps. */
  written = '';
  run = 0;
  readonly #folder = join(this.root, POD, CONTAINER);
  #fd: number;
  #seconds = BASE;
  #stamps = 0;
  #isLineStart = true;

  constructor() {
    mkdirSync(this.#folder, { recursive: true });
    this.#fd = openSync(this.pathOf(this.newest), 'a');
  }

  get newest(): string {
    return `${this.run}.log`;
  }

  get names(): string[] {
    return readdirSync(this.#folder).toSorted();
  }

  /** The rotated files of the run, as they came. */
  get rotated(): string[] {
    return this.names.filter((name) => /^\d+\.log\.\d{8}-\d{6}/.test(name) && name.startsWith(this.newest));
  }

  /** Names of its files that this process has open besides the runtime's own. */
  get openFiles(): string[] {
    const files = readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${name}`);
        const isOwn = Number(name) === this.#fd;
        return path.startsWith(this.root) && !isOwn ? [path.slice(this.#folder.length + 1)] : [];
      } catch {
        // It was the descriptor of the listing itself.
        return [];
      }
    });
    return files.toSorted();
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** The runtime writes an entry; with `cutAt`, only so many of its bytes. Returns a function that writes the rest. */
  write(message: string, { isPartial = false, cutAt = Number.POSITIVE_INFINITY } = {}): () => void {
    const stamp = formatTimestamp({ seconds: this.#seconds++, nanos: 5 });
    const entry = Buffer.from(`${stamp} stdout ${isPartial ? 'P' : 'F'} ${message}\n`);
    if (this.#isLineStart) this.written += `${stamp} `;
    this.written += isPartial ? message : `${message}\n`;
    this.#isLineStart = !isPartial;
    const at = Math.min(cutAt, entry.length);
    const fd = this.#fd;
    writeSync(fd, entry.subarray(0, at));
    return () => {
      if (at < entry.length) writeSync(fd, entry.subarray(at));
    };
  }

  /** Returns a function with which the runtime writes into the file that it has open now, and closes it at last. */
  keepOpen(): { readonly write: (message: string) => void; readonly close: () => void } {
    const fd = this.#fd;
    this.#fd = openSync(`/proc/self/fd/${fd}`, 'a');
    return {
      write: (message) => {
        const now = this.#fd;
        this.#fd = fd;
        this.write(message);
        this.#fd = now;
      },
      close: () => closeSync(fd),
    };
  }

  /** The kubelet renames the newest file; the runtime goes on writing into it. Returns its name. */
  rename(stamp = `20270115-${String(80_000 + this.#stamps++).padStart(6, '0')}`): string {
    const name = `${this.newest}.${stamp}`;
    renameSync(this.pathOf(this.newest), this.pathOf(name));
    return name;
  }

  /** The runtime begins a new file. */
  reopen(): void {
    closeSync(this.#fd);
    this.#fd = openSync(this.pathOf(this.newest), 'a');
  }

  rotate(stamp?: string): string {
    const name = this.rename(stamp);
    this.reopen();
    return name;
  }

  compress(name: string): void {
    writeFileSync(this.pathOf(`${name}.tmp`), gzipSync(readFileSync(this.pathOf(name))));
    renameSync(this.pathOf(`${name}.tmp`), this.pathOf(`${name}.gz`));
    this.remove(name);
  }

  remove(name: string): void {
    rmSync(this.pathOf(name));
  }

  /** Somebody sets a symbolic link. */
  link(name: string, to: string): void {
    symlinkSync(to, this.pathOf(name));
  }

  /** The container exits, and its next run begins. */
  restart(): void {
    closeSync(this.#fd);
    this.run++;
    this.#fd = openSync(this.pathOf(this.newest), 'a');
  }

  /** The kubelet removes the files of the pod; with `folder`, the folders too, which it does later. */
  removePod({ folder = false } = {}): void {
    for (const name of this.names) this.remove(name);
    if (folder) rmSync(join(this.root, POD), { recursive: true });
  }

  close(): void {
    closeSync(this.#fd);
    rmSync(this.root, { recursive: true, force: true });
  }
}
