import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import {
  ENTRY_OVERHEAD_BYTES,
  emptySecondText,
  writeEntry,
} from '@logtool/simcluster/src/kubelet/entry-text.ts';
import type { LogFile, LogWatcher, ReadableLog } from '@logtool/simcluster/src/kubelet/log-file.ts';

/** One entry of a CRI log file: a line, or a fragment of one. */
export interface Entry {
  readonly at: Timestamp;
  readonly bytes: Uint8Array;
  readonly partial: boolean;
}

/** The test's state of one run; reading its log generates it from this. */
export interface LogState {
  readonly entries: readonly Entry[];
  /** Entries before this index are in rotated files, which the API does not serve. */
  readonly rotated: number;
  readonly ended: boolean;
  /** A follow lags behind the rotations and misses whole files. */
  readonly skipsFiles?: boolean;
  /** How often its follows were ended as if the run were over. */
  readonly cuts?: number;
}

/**
 * The log of one run for the simulated kubelet, in memory. All its files are ranges of one buffer. A follow
 * continues in that buffer across rotations and so loses nothing, unless the test makes it skip files.
 */
export class MemoryLog implements ReadableLog {
  readonly #state: LogState;
  readonly #zoneMinutes: number;
  readonly #watchers = new Set<LogWatcher>();
  readonly #second = emptySecondText();
  readonly #written: Entry[] = [];
  /** The end of each written entry. */
  readonly #ends: number[] = [];
  #bytes = Buffer.alloc(0);
  #start = 0;
  #rotated: number;
  #cuts: number | undefined;

  constructor(state: LogState, zoneMinutes: number) {
    this.#state = state;
    this.#zoneMinutes = zoneMinutes;
    this.#rotated = state.rotated;
    this.#cuts = state.cuts;
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  async open(): Promise<LogFile> {
    this.#dropReplaced();
    this.#writeNew();
    this.#start = this.#endOf(this.#state.rotated);
    const start = this.#start;
    const readNow = (target: Buffer, offset: number, length: number, position: number) => {
      this.#writeNew();
      const from = Math.min(start + position, this.#size);
      return this.#bytes.copy(target, offset, from, Math.min(from + length, this.#size));
    };
    return {
      readNow,
      read: async (...stretch) => ({ bytesRead: readNow(...stretch) }),
      size: async () => this.#size - start,
      close: async () => undefined,
    };
  }

  watch(watcher: LogWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Notifies the follows that the test changed the state. */
  changed(): void {
    if (this.#watchers.size === 0) return;
    const { rotated, skipsFiles, ended, cuts } = this.#state;
    this.#writeNew();
    for (const watcher of this.#watchers) {
      watcher.written();
      if (rotated !== this.#rotated && skipsFiles === true)
        watcher.rotated(this.#endOf(rotated) - this.#start);
      if (ended || cuts !== this.#cuts) watcher.ended();
    }
    this.#rotated = rotated;
    this.#cuts = cuts;
  }

  get #size(): number {
    return this.#endOf(this.#ends.length);
  }

  #endOf(count: number): number {
    return count === 0 ? 0 : this.#ends[count - 1]!;
  }

  /** Tests may replace entries before they read. */
  #dropReplaced(): void {
    const { entries } = this.#state;
    const first = this.#written.findIndex((entry, index) => entry !== entries[index]);
    if (first < 0) return;
    this.#written.length = first;
    this.#ends.length = first;
  }

  #writeNew(): void {
    const { entries } = this.#state;
    for (let index = this.#written.length; index < entries.length; index++) {
      const entry = entries[index]!;
      const at = this.#size;
      this.#reserve(at, entry.bytes.length + ENTRY_OVERHEAD_BYTES);
      this.#ends.push(
        writeEntry(
          this.#bytes,
          at,
          this.#second,
          entry.at,
          this.#zoneMinutes,
          'stdout',
          entry.partial,
          entry.bytes,
        ),
      );
      this.#written.push(entry);
    }
  }

  #reserve(at: number, bytes: number): void {
    if (at + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (at + bytes));
    this.#bytes.copy(grown, 0, 0, at);
    this.#bytes = grown;
  }
}
