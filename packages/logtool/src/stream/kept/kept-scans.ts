import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import type { LogBackend } from '../../backend/log-backend.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import { type Interval, intervals } from '../../domain/coverage/interval.ts';
import type { Lost } from '../../domain/coverage/lost.ts';
import { makeRun, type Run } from '../../domain/record.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import { type KeptBlock, KeptFile } from './kept-file.ts';
import type { KeptRows, KnownFacts } from './kept-rows.ts';
import { RunKeeper } from './run-keeper.ts';

/** Maximum bytes of all copies of all users together. */
const MAX_BYTES = 512_000_000;
/** Lifetime, from the beginning of the scan that read the records. */
const KEEP_MS = 10 * 60_000;
/** Blocks to read ahead of the consumer: the number of threads that decompress. */
const AHEAD_BLOCKS = 4;

/** An interval of a container that was read completely, and all of its records. */
export interface KeptSegment extends Interval {
  /** What the node no longer had of it when it was read. */
  readonly lost: readonly Lost[];
  /**
   * Estimates the bytes of the log in an interval inside of it; counts records across its ends by the share of their
   * times in it.
   */
  bytesIn(interval: Interval): number;
  /**
   * Yields the records of an interval inside of it, in order. Throws if they are unreadable; earlier output stays
   * valid. `needsText` returns whether the messages of a block are needed.
   */
  read(
    target: ContainerTarget,
    interval: Interval,
    needsText: (block: KnownFacts) => boolean,
  ): AsyncGenerator<KeptRows, void, undefined>;
}

/** Owner of copies: each session sees only its own, for one context of the kubeconfig. */
export interface KeptOwner {
  readonly session: string;
  readonly context: string;
}

interface Limits {
  readonly maxBytes: number;
  readonly keepMs: number;
}

/**
 * What scans have read, for the next filter over the same range: each scan's records compressed in a file without a
 * name. Together they take at most 512 MB, and the least recently used go first; each ends ten minutes after its scan
 * began, and with its session. A copy covers the runs that the container had at the read, and is only found while the
 * container is the same: once it restarts, or its pod is removed, the cluster's logs apply, and nobody sees the copy
 * any more.
 */
export class KeptScans {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** In the order of use. */
  readonly #scans = new Set<KeptScan>();
  #bytes = 0;
  #isClosed = false;

  constructor(clock: Clock, limits: Partial<Limits> = {}) {
    this.#clock = clock;
    this.#limits = { maxBytes: MAX_BYTES, keepMs: KEEP_MS, ...limits };
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a scan. Its records are found once it is finished. */
  begin(owner: KeptOwner): KeptScan {
    const file: KeptFile = new KeptFile(
      (bytes) => this.#makeRoom(bytes, file),
      () => {
        this.#bytes -= file.bytes;
      },
    );
    const scan = new KeptScan(owner, file, this);
    this.#scans.add(scan);
    scan.onDropped = this.#clock.after(this.#limits.keepMs, () => this.drop(scan));
    if (this.#isClosed) this.drop(scan);
    return scan;
  }

  /** Returns what is kept of a container's range, unless it may have changed since. */
  find(owner: KeptOwner, key: string): readonly KeptSegment[] {
    const found = [...this.#scans].filter((scan) => scan.isOf(owner) && scan.segmentsOf(key).length > 0);
    for (const scan of found) {
      this.#scans.delete(scan);
      this.#scans.add(scan);
    }
    return found.flatMap((scan) => scan.segmentsOf(key));
  }

  /** Forgets what is kept of a container. */
  forget(owner: KeptOwner, key: string): void {
    for (const scan of this.#scans) if (scan.isOf(owner)) scan.forget(key);
  }

  drop(scan: KeptScan): void {
    if (this.#scans.delete(scan)) scan.drop();
  }

  endSession(session: string): void {
    for (const scan of this.#scans) if (scan.owner.session === session) this.drop(scan);
  }

  close(): void {
    this.#isClosed = true;
    for (const scan of this.#scans) this.drop(scan);
  }

  /** Makes room for a file to grow; false if that is not possible. */
  #makeRoom(bytes: number, file: KeptFile): boolean {
    for (const scan of this.#scans) {
      if (this.#bytes + bytes <= this.#limits.maxBytes) break;
      if (scan.isFinished && scan.file !== file) this.drop(scan);
    }
    if (this.#bytes + bytes > this.#limits.maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }
}

/** The copy that one scan makes. */
export class KeptScan {
  readonly owner: KeptOwner;
  readonly file: KeptFile;
  isFinished = false;
  onDropped: () => void = () => {};
  readonly #all: KeptScans;
  readonly #segments = new Map<string, KeptSegment[]>();
  #isDropped = false;

  constructor(owner: KeptOwner, file: KeptFile, all: KeptScans) {
    this.owner = owner;
    this.file = file;
    this.#all = all;
  }

  isOf({ session, context }: KeptOwner): boolean {
    return this.owner.session === session && this.owner.context === context;
  }

  /** Returns what this scan and earlier ones kept of a container. */
  find(key: string): readonly KeptSegment[] {
    return this.#all.find(this.owner, key);
  }

  /** Forgets a container after late lines: they lie before what was read, so its copies lack them. */
  forgetAll(key: string): void {
    this.#all.forget(this.owner, key);
  }

  /** Returns a keeper for the records of a range being read. `lanes`: how many containers are read simultaneously. */
  keep(key: string, lanes: number): RunKeeper {
    return new RunKeeper(this.file, lanes, (...kept) => this.#add(key, ...kept));
  }

  /** Marks the scan as completely written. */
  finish(): void {
    this.isFinished = true;
    if (this.#segments.size === 0) this.#all.drop(this);
  }

  segmentsOf(key: string): readonly KeptSegment[] {
    return this.#segments.get(key) ?? [];
  }

  forget(key: string): void {
    this.#segments.delete(key);
  }

  drop(): void {
    this.#isDropped = true;
    this.#segments.clear();
    this.onDropped();
    this.file.close();
  }

  #add(key: string, interval: Interval, blocks: readonly KeptBlock[], lost: readonly Lost[]): void {
    if (this.#isDropped || intervals(interval).length === 0) return;
    const { file } = this;
    const segment: KeptSegment = {
      ...interval,
      lost,
      bytesIn: (within) => blocks.reduce((sum, block) => sum + bytesOf(block) * shareOf(block, within), 0),
      read: (target, within, needsText) => readBlocks(file, blocks, { target, within, needsText }),
    };
    this.#segments.set(key, [...this.segmentsOf(key), segment]);
  }
}

/**
 * Returns the key to find copies of a container by: its runs, which of them are read, and where. Undefined if it has none: a
 * container without a run has no known future records.
 */
export function keyOf(
  target: ContainerTarget,
  previous: 'auto' | 'no' | 'only',
  backend?: LogBackend,
): string | undefined {
  const current = currentRunId(target);
  if (current === '') return undefined;
  return JSON.stringify([
    target.id,
    previous,
    PREVIOUS_RUN[previous](target),
    current,
    target.state.kind,
    target.restartCount,
    backend?.name,
  ]);
}

interface BlocksRead {
  readonly target: ContainerTarget;
  readonly within: Interval;
  readonly needsText: (block: KnownFacts) => boolean;
}

async function* readBlocks(
  file: KeptFile,
  blocks: readonly KeptBlock[],
  { target, within, needsText }: BlocksRead,
): AsyncGenerator<KeptRows, void, undefined> {
  const wanted = blocks.filter((block) => isInside(block, within));
  const sources = new Map<string, Run>();
  const sourceOf = (runId: string) => {
    const source = sources.get(runId) ?? makeRun(target, runId);
    sources.set(runId, source);
    return source;
  };
  const loading: Promise<KeptRows>[] = [];
  let next = 0;
  const loadAhead = () => {
    for (; loading.length < AHEAD_BLOCKS && next < wanted.length; next++) {
      const block = wanted[next]!;
      const rows = file.use(() => file.read(block, sourceOf(block.runId), needsText(block)));
      // A failure is handled when the block is awaited in its turn, or never.
      rows.catch(() => undefined);
      loading.push(rows);
    }
  };
  loadAhead();
  for (let rows = await loading.shift(); rows !== undefined; rows = await loading.shift()) {
    loadAhead();
    rows.narrow(within.from, within.to);
    if (rows.size > 0) yield rows;
  }
}

/** Bytes of the timestamp and the space before each message. */
export const STAMP_BYTES = 31;

function bytesOf({ text, count }: KeptBlock): number {
  return text.wholeBytes + count * STAMP_BYTES;
}

/** Returns the share of a block in an interval, from 0 to 1: by time, as if its records were evenly distributed. */
function shareOf(block: KeptBlock, { from, to }: Interval): number {
  if (!isInside(block, { from, to })) return 0;
  const [first, last] = [timestampToMs(block.first), timestampToMs(block.last)];
  const start = from === undefined ? first : Math.max(first, timestampToMs(from));
  const end = to === undefined ? last : Math.min(last, timestampToMs(to));
  return last > first ? Math.max(0, end - start) / (last - first) : 1;
}

function isInside({ first, last }: KeptBlock, { from, to }: Interval): boolean {
  return (
    (from === undefined || compareTimestamps(from, last) <= 0) &&
    (to === undefined || compareTimestamps(first, to) < 0)
  );
}
