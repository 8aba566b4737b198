import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import { type Interval, intervals } from '../../domain/coverage/interval.ts';
import { makeSource, type Source } from '../../domain/record.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import { type KeptBlock, KeptFile } from './kept-file.ts';
import type { KeptRows, KnownFacts } from './kept-rows.ts';
import { RunKeeper } from './run-keeper.ts';

/** All copies of all people together. */
const MAX_BYTES = 512_000_000;
/** From the beginning of the scan that read the records. */
const KEEP_MS = 10 * 60_000;
/** Blocks read ahead of the one who takes their records: so many threads decompress. */
const AHEAD_BLOCKS = 4;

/** An interval of a container that was read completely, and all of its records. */
export interface KeptSegment extends Interval {
  /** About how many bytes of the log an interval inside of it has: of records across its ends, as their times lie in it. */
  bytesIn(interval: Interval): number;
  /**
   * Records of an interval inside of it, in their order. Throws if they cannot be read; what was given before that
   * stands. `needsText` says whether the messages of a block are needed.
   */
  read(
    target: ContainerTarget,
    interval: Interval,
    needsText: (block: KnownFacts) => boolean,
  ): AsyncGenerator<KeptRows, void, undefined>;
}

/** Whose copies: each session sees only its own, of one context of the kubeconfig. */
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
 * name. In all they have at most 512 MB, the ones used longest ago go first; each goes ten minutes after its scan began,
 * and with its session. A copy is of the runs that the container had when it was read, and is only found for a
 * container that is still the same: once it is started again, or its pod is removed, what is on the cluster counts, and
 * nobody sees the copy any more.
 */
export class KeptScans {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** In the order in which they were used. */
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

  /** A scan begins. Its records are found once it is finished. */
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

  /** What is kept of a container's range, unless it may have changed since. */
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

  /** Notes that a file is about to grow; false if it must not. */
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

  /** What is kept of a container, by this scan and others before it. */
  find(key: string): readonly KeptSegment[] {
    return this.#all.find(this.owner, key);
  }

  /** Lines came that lie before what was read: what is kept of the container lacks them. */
  forgetAll(key: string): void {
    this.#all.forget(this.owner, key);
  }

  /** Keeps the records of a range that is being read. `lanes`: how many containers are read at once. */
  keep(key: string, lanes: number): RunKeeper {
    return new RunKeeper(this.file, lanes, (interval, blocks) => this.#add(key, interval, blocks));
  }

  /** All that is kept of this scan was written. */
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

  #add(key: string, interval: Interval, blocks: readonly KeptBlock[]): void {
    if (this.#isDropped || intervals(interval).length === 0) return;
    const { file } = this;
    const segment: KeptSegment = {
      ...interval,
      bytesIn: (within) => blocks.reduce((sum, block) => sum + bytesOf(block) * shareOf(block, within), 0),
      read: (target, within, needsText) => readBlocks(file, blocks, { target, within, needsText }),
    };
    this.#segments.set(key, [...this.segmentsOf(key), segment]);
  }
}

/**
 * What a copy of a container is found by: its runs, and which of them are read. Undefined if it has none: what a
 * container without a run will have is not known.
 */
export function keyOf(target: ContainerTarget, previous: 'auto' | 'no' | 'only'): string | undefined {
  const current = currentRunId(target);
  if (current === '') return undefined;
  return JSON.stringify([
    target.id,
    previous,
    PREVIOUS_RUN[previous](target),
    current,
    target.state.kind,
    target.restartCount,
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
  const sources = new Map<string, Source>();
  const sourceOf = (runId: string) => {
    const source = sources.get(runId) ?? makeSource(target, runId);
    sources.set(runId, source);
    return source;
  };
  const loading: Promise<KeptRows>[] = [];
  let next = 0;
  const loadAhead = () => {
    for (; loading.length < AHEAD_BLOCKS && next < wanted.length; next++) {
      const block = wanted[next]!;
      const rows = file.use(() => file.read(block, sourceOf(block.runId), needsText(block)));
      // It is awaited in its turn, or never.
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

/** Timestamp and space before each message. */
export const STAMP_BYTES = 31;

function bytesOf({ text, count }: KeptBlock): number {
  return text.wholeBytes + count * STAMP_BYTES;
}

/** How much of a block lies in an interval, from 0 to 1: by time, as if its records came evenly. */
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
