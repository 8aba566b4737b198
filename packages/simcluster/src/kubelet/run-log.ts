import { closeSync, mkdirSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Timestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { ENTRY_OVERHEAD_BYTES, emptySecondText, writeEntry } from './entry-text.ts';
import { type LogFile, type LogWatcher, openLogFile, type ReadableLog } from './log-file.ts';
import type { OpenFiles } from './open-files.ts';
import { type Compressor, RotatedFiles } from './rotated-files.ts';
import type { StreamName } from './runtime.ts';

const FLUSH_BYTES = 256 * 1024;

export interface RotationPolicy {
  /** containerLogMaxSize: the kubelet's next check rotates a larger file. */
  readonly maxBytes: number;
  /** containerLogMaxFiles, including the newest. */
  readonly maxFiles: number;
  /** How often the kubelet checks (containerLogMonitorInterval), ms. */
  readonly intervalMs: number;
  /** How many entries go to the old file after the rename, before the runtime opens the new one. */
  readonly lostEntries: number;
}

export interface RunLogOptions {
  readonly path: string;
  readonly policy: RotationPolicy;
  readonly clock: Clock;
  readonly files: OpenFiles;
  readonly compressor: Compressor;
  readonly zoneMinutes: () => number;
}

/** The log file of one run, which its runtime writes and the kubelet rotates. */
export class RunLog implements ReadableLog {
  readonly path: string;
  readonly #options: RunLogOptions;
  readonly #rotated: RotatedFiles;
  readonly #watchers = new Set<LogWatcher>();
  readonly #second = emptySecondText();
  #pending: Buffer | undefined;
  #used = 0;
  #flushQueued = false;
  #bursts = 0;
  #size = 0;
  #overSinceMs: number | undefined;
  #cancelRotation: (() => void) | undefined;
  #lost = 0;
  #lostPath = '';
  /** Open file of a log that was deleted manually. */
  #deletedDescriptor: number | undefined;
  #ended = false;
  /** Number of rotations: shows whether the file at the path is still the one that was opened. */
  #generation = 0;

  constructor(options: RunLogOptions) {
    this.path = options.path;
    this.#options = options;
    this.#rotated = new RotatedFiles(options.policy.maxFiles, options.compressor);
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o755 });
    options.files.create(options.path);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Opens the newest file, and ensures that no rotation followed. */
  async open(): Promise<LogFile> {
    for (;;) {
      const generation = this.#generation;
      const file = await openLogFile(this.path);
      if (this.#generation === generation) return file;
      await file.close();
    }
  }

  append(at: Timestamp, stream: StreamName, partial: boolean, message: Uint8Array): void {
    if (this.#overSinceMs !== undefined) this.#rotateIfDue(timestampToMs(at));
    const buffer = this.#room(message.length + ENTRY_OVERHEAD_BYTES);
    const zone = this.#options.zoneMinutes();
    const end = writeEntry(buffer, this.#used, this.#second, at, zone, stream, partial, message);
    if (this.#lost > 0) {
      this.#lost -= 1;
      this.#options.files.append(this.#lostPath, buffer.subarray(this.#used, end));
      return;
    }
    this.#size += end - this.#used;
    this.#used = end;
    if (this.#size > this.#options.policy.maxBytes && this.#overSinceMs === undefined) this.#goOver(at);
    this.#queueFlush();
  }

  /** Writes everything appended so far to the file. */
  flush(): void {
    if (this.#used === 0) return;
    const bytes = this.#pending?.subarray(0, this.#used) ?? Buffer.alloc(0);
    this.#used = 0;
    if (this.#deletedDescriptor === undefined) this.#options.files.append(this.path, bytes);
    else for (let done = 0; done < bytes.length; ) done += writeSync(this.#deletedDescriptor, bytes, done);
    for (const watcher of this.#watchers) watcher.written();
  }

  rotate(nowMs: number, lostEntries = this.#options.policy.lostEntries): void {
    this.flush();
    this.#forgetSize();
    this.#options.files.forget(this.path);
    this.#options.files.forget(this.#lostPath);
    this.#lost = 0;
    if (this.#deletedDescriptor === undefined) {
      this.#lostPath = this.#rotated.rotate(this.path, nowMs, this.#options.zoneMinutes());
      this.#lost = lostEntries;
    } else {
      closeSync(this.#deletedDescriptor);
      this.#deletedDescriptor = undefined;
    }
    this.#options.files.create(this.path);
    this.#generation += 1;
    const endOfOldFile = this.#size;
    this.#size = 0;
    for (const watcher of this.#watchers) watcher.rotated(endOfOldFile);
  }

  deleteFile(): void {
    if (this.#deletedDescriptor !== undefined) return;
    this.flush();
    this.#deletedDescriptor = this.#options.files.take(this.path);
    rmSync(this.path, { force: true });
  }

  /** Ends the log with its process. The file stays. */
  end(): void {
    if (this.#ended) return;
    this.flush();
    this.#ended = true;
    this.#forgetSize();
    this.#options.files.forget(this.path);
    for (const watcher of this.#watchers) watcher.ended();
  }

  /** Ends the log and removes its files. */
  remove(): void {
    this.end();
    this.close();
    rmSync(this.path, { force: true });
    this.#rotated.removeAll();
  }

  close(): void {
    this.flush();
    this.#forgetSize();
    this.#options.files.forget(this.path);
    this.#options.files.forget(this.#lostPath);
    if (this.#deletedDescriptor !== undefined) closeSync(this.#deletedDescriptor);
    this.#deletedDescriptor = undefined;
  }

  /** Writes entries in large blocks until the returned function is called, for millions of entries. */
  holdBursts(): () => void {
    this.#bursts += 1;
    return () => {
      this.#bursts -= 1;
      this.flush();
    };
  }

  /** Starts to notify a watcher; returns a function that stops it. */
  watch(watcher: LogWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #room(bytes: number): Buffer {
    if (this.#used > 0 && this.#used + bytes > FLUSH_BYTES) this.flush();
    const needed = this.#used + bytes;
    if (this.#pending !== undefined && this.#pending.length >= needed) return this.#pending;
    const grown = Buffer.allocUnsafe(Math.max(1024, needed * 2));
    this.#pending?.copy(grown, 0, 0, this.#used);
    this.#pending = grown;
    return grown;
  }

  /** Writes a burst of entries in one block, before anything else happens in the process. */
  #queueFlush(): void {
    if (this.#flushQueued || this.#bursts > 0) return;
    this.#flushQueued = true;
    queueMicrotask(() => {
      this.#flushQueued = false;
      this.flush();
      this.#pending = undefined;
    });
  }

  #goOver(at: Timestamp): void {
    this.#overSinceMs = timestampToMs(at);
    const { clock, policy } = this.#options;
    const untilRotationMs = policy.intervalMs - (clock.now() % policy.intervalMs);
    // The kubelet rotates only files of running containers.
    if (!this.#ended) this.#cancelRotation = clock.after(untilRotationMs, () => this.rotate(clock.now()));
  }

  /** Rotates in the time of the entries, because history is written faster than the clock runs. */
  #rotateIfDue(atMs: number): void {
    const { intervalMs } = this.#options.policy;
    const overSince = this.#overSinceMs ?? atMs;
    if (Math.floor(atMs / intervalMs) > Math.floor(overSince / intervalMs)) this.rotate(atMs);
  }

  #forgetSize(): void {
    this.#cancelRotation?.();
    this.#cancelRotation = undefined;
    this.#overSinceMs = undefined;
  }
}
