import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Activity } from '../../agent-api/runs/run-facts.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { type Counted, MinuteCounts } from './minute-counts.ts';

/** A file of a run as a scan has just seen it. */
export interface FileToCount {
  readonly name: string;
  readonly ino: number;
  readonly bytes: number;
  readonly isCompressed: boolean;
}

interface Counting {
  readonly counts: MinuteCounts;
  /** The file that was read last, and how far. */
  ino: number;
  offset: number;
  isReading: boolean;
}

/** What a run had before the agent saw it: so much of its end is read. */
const BACK_BYTES = 128 * 1024;
/** More is read at the next scan. */
const READ_BYTES = 4 * 1024 * 1024;
/** More that was not read is a gap. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Counts the lines of all runs of a node as they are written: each byte is read once. */
export class RunActivity {
  readonly #counted: Counted;
  readonly #runs = new Map<string, Counting>();

  constructor(counted: Counted) {
    this.#counted = counted;
  }

  /** Forgets runs that are gone. */
  keep(keys: { has(key: string): boolean }): void {
    for (const key of this.#runs.keys()) if (!keys.has(key)) this.#runs.delete(key);
  }

  /**
   * Reads what was written to a run since the last time, and returns its counts; undefined if it has no line. `files`: of
   * the run, oldest first. Throws the system's errors, but a file that is gone or may not be read is a gap.
   */
  async read(key: string, files: readonly FileToCount[], folder: LocalFolder): Promise<Activity | undefined> {
    const plain = files.filter(({ isCompressed }) => !isCompressed);
    const run = this.#runs.get(key) ?? this.#start(key, plain, files.length > plain.length);
    // A scan that began before the last one was over.
    if (run === undefined || run.isReading) return run?.counts.activity();
    run.isReading = true;
    try {
      await readOn(run, plain, folder);
    } finally {
      run.isReading = false;
    }
    return run.counts.activity();
  }

  #start(key: string, plain: readonly FileToCount[], hasMore: boolean): Counting | undefined {
    const newest = plain.at(-1);
    if (newest === undefined) return undefined;
    const offset = Math.max(0, newest.bytes - BACK_BYTES);
    const run = { counts: new MinuteCounts(this.#counted), ino: newest.ino, offset, isReading: false };
    if (offset > 0 || plain.length > 1 || hasMore) run.counts.gap(offset > 0);
    this.#runs.set(key, run);
    return run;
  }
}

/** Reads the file that was read last to its end, and those after it. */
async function readOn(run: Counting, plain: readonly FileToCount[], folder: LocalFolder): Promise<void> {
  const at = plain.findIndex(({ ino }) => ino === run.ino);
  if (at === -1 || plain[at]!.bytes < run.offset) return restart(run, plain);
  const unread = plain.slice(at).reduce((sum, { bytes }) => sum + bytes, -run.offset);
  if (unread > MAX_UNREAD_BYTES) return restart(run, plain);
  let left = READ_BYTES;
  for (const [index, file] of plain.slice(at).entries()) {
    if (index > 0) {
      // The end of the file before it is no whole entry.
      if (run.offset < plain[at + index - 1]!.bytes) run.counts.gap();
      run.ino = file.ino;
      run.offset = 0;
    }
    const wanted = file.bytes - run.offset;
    const read = await readFile(run, file, Math.min(left, wanted), folder);
    left -= read;
    if (read < wanted) return;
  }
}

/** Its file was compressed or removed before it was read to its end, or there is too much to read. */
function restart(run: Counting, plain: readonly FileToCount[]): void {
  const newest = plain.at(-1);
  if (newest === undefined) return;
  run.ino = newest.ino;
  run.offset = Math.max(0, newest.bytes - BACK_BYTES);
  run.counts.gap(run.offset > 0);
}

/** Returns how many bytes it read. */
async function readFile(
  run: Counting,
  { name, ino }: FileToCount,
  length: number,
  folder: LocalFolder,
): Promise<number> {
  if (length <= 0) return 0;
  const bytes = await bytesOf(folder, { name, ino, from: run.offset, length });
  if (bytes === undefined) {
    run.counts.gap();
    return 0;
  }
  const taken = run.counts.take(bytes);
  // No entry is as long.
  if (taken === 0 && bytes.length === READ_BYTES) run.counts.gap(true);
  run.offset += taken === 0 && bytes.length === READ_BYTES ? bytes.length : taken;
  return bytes.length;
}

/** Undefined: it is gone, another file has its name, or it may not be read. */
async function bytesOf(
  folder: LocalFolder,
  { name, ino, from, length }: { name: string; ino: number; from: number; length: number },
): Promise<Buffer | undefined> {
  try {
    const { handle, stats } = await folder.openFile(name);
    try {
      if (stats.ino !== ino) return undefined;
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof UnreadableFile || isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}
