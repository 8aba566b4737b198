import { setMaxListeners } from 'node:events';
import { asTheyCome } from '@logtool/kube/src/values/in-parallel.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import type { ScanFrame, ScanPosition, ScanStop } from '../../domain/coverage/scan.ts';
import { type FilterPlan, isFiltering } from '../../domain/filter.ts';
import type { Frame } from '../../domain/frame.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { SourceEvent } from '../../domain/source-event.ts';
import type { EngineContext } from '../engine.ts';
import { compileSearch, type SearchFilter } from '../match/compile-search.ts';
import { View } from '../open-view.ts';
import type { ReadContext } from '../read-context.ts';
import { batchLinesFor } from '../run/open-log.ts';
import type { BatchFilter } from '../window/window-result.ts';
import { ScanCounts } from './bucket-counts.ts';
import { ContainerScan } from './container-scan.ts';
import { HitList } from './hit-list.ts';

export interface ScanPlan {
  readonly range: Interval;
  readonly previous: 'auto' | 'no' | 'only';
  /** Without context lines. */
  readonly filter: FilterPlan;
  /** What lines are searched for beside the filter, by the rules of the page. */
  readonly search?: SearchFilter | undefined;
  /** Counts by time and level in buckets of this width, one of BUCKET_WIDTHS_MS; undefined: none. */
  readonly bucketMs: number | undefined;
  /** The first matches of the range, or the last ones. A scan that counts nothing ends when it has them. */
  readonly hits: { readonly order: 'oldest' | 'newest'; readonly count: number } | undefined;
  /** Reads at most about so much; what was read by then is covered. */
  readonly budget: { readonly bytes: number; readonly ms: number };
  /** Containers read at once; more wait their turn. */
  readonly maxLogRequests: number;
  /** Where an earlier scan of the same range stopped, by ContainerTarget.id. */
  readonly positions?: ReadonlyMap<string, ScanPosition> | undefined;
}

/** Frames that say how far it is come no more often. */
const INTERVAL_MS = 200;
/** Read ahead of the one who takes the frames. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** Timestamp and space before each message. */
const STAMP_BYTES = 31;

/**
 * Reads a range of all containers and yields counts and hits in place of records. A container that is slow or fails
 * holds up no other: what is not read of it is not covered. Pull-driven. Rejects when the signal is aborted (with its
 * reason) or when the sources do.
 */
export async function* scanLogs(
  context: EngineContext,
  sources: AsyncIterable<SourceEvent>,
  plan: ScanPlan,
): AsyncGenerator<ScanFrame, void, undefined> {
  const view = new View(context, sources);
  try {
    const { reading } = view;
    const filter = await filterOf(reading, plan);
    const targets: ContainerTarget[] = [];
    for await (const frame of view.gather(targets)) if (isPassedOn(frame)) yield frame;
    yield* new Scan(view, targets, plan, filter).frames();
  } finally {
    view.close();
  }
}

async function filterOf(
  context: ReadContext,
  { filter, search }: ScanPlan,
): Promise<BatchFilter | undefined> {
  const byFilter = isFiltering(filter) ? await contentFilter(context, filter) : undefined;
  const isFound = search && compileSearch(search);
  if (isFound === undefined) return byFilter;
  if (byFilter === undefined) return (records) => records.filter(isFound);
  const both = (records: readonly LogRecord[]) => byFilter(records).filter(isFound);
  return Object.assign(both, { prepare: byFilter.prepare });
}

async function contentFilter(context: ReadContext, plan: FilterPlan): Promise<BatchFilter> {
  // Regular expressions are loaded only by those who use them.
  const { compileFilter } = await import('../match/compile-filter.ts');
  const { person = '', signal } = context;
  const filter = await compileFilter(plan, { person, signal });
  return filter.open();
}

function isPassedOn(frame: Frame): frame is Extract<Frame, { readonly type: 'source' | 'gap' | 'notice' }> {
  return frame.type === 'source' || frame.type === 'gap' || frame.type === 'notice';
}

class Scan {
  readonly #view: View;
  readonly #plan: ScanPlan;
  readonly #filter: BatchFilter | undefined;
  readonly #stop = new AbortController();
  readonly #scans: readonly ContainerScan[];
  readonly #counts: ScanCounts<ContainerTarget> | undefined;
  readonly #hits: HitList | undefined;
  readonly #changed = new Set<ContainerScan>();
  #stopped: ScanStop | undefined;
  #bytes = 0;
  #lines = 0;
  #matches = 0;
  #aheadBytes = 0;
  #isOver = false;
  #hasHits = false;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #isDue = false;
  #cancelDue: (() => void) | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(
    view: View,
    targets: readonly ContainerTarget[],
    plan: ScanPlan,
    filter: BatchFilter | undefined,
  ) {
    this.#view = view;
    this.#plan = plan;
    this.#filter = filter;
    const signal = AbortSignal.any([view.reading.signal, this.#stop.signal]);
    // Each container listens to it.
    setMaxListeners(0, signal);
    const reading = { ...view.reading, signal, batchLines: batchLinesFor(targets.length) };
    const { range, previous, positions } = plan;
    this.#scans = targets.map(
      (target) =>
        new ContainerScan(reading, target, { range, previous, position: positions?.get(target.id) }),
    );
    this.#counts = plan.bucketMs === undefined ? undefined : new ScanCounts(plan.bucketMs);
    this.#hits = plan.hits && new HitList(plan.hits);
  }

  async *frames(): AsyncGenerator<ScanFrame, void, undefined> {
    const { clock } = this.#view.reading;
    const cancelTime = clock.after(this.#plan.budget.ms, () => this.#end('time'));
    let failure: { readonly error: unknown } | undefined;
    const reading = this.#readAll()
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        this.#isOver = true;
        this.#wakeNow();
      });
    try {
      while (!this.#isOver) {
        await this.#due();
        yield* this.#takeFrames();
      }
      this.#view.reading.signal.throwIfAborted();
      if (failure !== undefined) throw failure.error;
      yield this.#last();
    } finally {
      cancelTime();
      this.#cancelDue?.();
      this.#stop.abort(new Error('the scan was closed'));
      this.#room?.open();
      await reading;
    }
  }

  async #readAll(): Promise<void> {
    for await (const _ of asTheyCome(Math.max(1, this.#plan.maxLogRequests), this.#scans, (scan) =>
      this.#read(scan),
    ));
  }

  async #read(scan: ContainerScan): Promise<void> {
    const { signal } = this.#stop;
    try {
      if (signal.aborted) return;
      for await (const batch of scan.batches()) {
        await this.#take(scan, batch);
        scan.advance(batch);
        this.#changed.add(scan);
        if (signal.aborted) return;
        this.#scheduleFrames();
        await this.#waitForRoom();
      }
    } catch (error) {
      // It was stopped: what was read until then stands.
      if (!signal.aborted) throw error;
    } finally {
      scan.isOver = true;
      this.#changed.add(scan);
      this.#scheduleFrames();
    }
  }

  async #take({ target }: ContainerScan, batch: readonly LogRecord[]): Promise<void> {
    const prepared = this.#filter?.prepare?.(batch);
    if (prepared !== undefined) await prepared;
    const passed = this.#filter === undefined ? batch : this.#filter(batch);
    this.#count(target, batch, passed);
    this.#lines += batch.length;
    this.#matches += passed.length;
    this.#hits?.add(passed);
    this.#hasHits ||= passed.length > 0 && this.#hits !== undefined;
    let bytes = 0;
    for (const { message } of batch) bytes += message.length + STAMP_BYTES;
    this.#bytes += bytes;
    this.#aheadBytes += bytes;
    if (this.#bytes >= this.#plan.budget.bytes) this.#end('bytes');
  }

  #count(target: ContainerTarget, batch: readonly LogRecord[], passed: readonly LogRecord[]): void {
    const counts = this.#counts?.of(target);
    if (counts === undefined) return;
    let next = 0;
    for (const record of batch) {
      const isMatch = passed[next] === record;
      if (isMatch) next++;
      counts.add(record.at, levelIndex(record.message), isMatch);
    }
  }

  *#takeFrames(): Generator<ScanFrame, void, undefined> {
    for (const frame of this.#view.takeReports()) if (isPassedOn(frame)) yield frame;
    const hits = this.#hits?.take(this.#frontier()) ?? [];
    if (hits.length > 0) yield { type: 'hits', records: hits };
    if (this.#counts === undefined && this.#hits?.isFull === true) this.#end('enough-hits');
    if (this.#isDue || this.#isOver) yield* this.#takeProgress();
    this.#aheadBytes = 0;
    this.#room?.open();
    this.#room = undefined;
  }

  *#takeProgress(): Generator<ScanFrame, void, undefined> {
    this.#isDue = false;
    for (const [target, buckets] of this.#counts?.takeChanged() ?? [])
      yield { type: 'counts', target, bucketMs: this.#counts!.widthMs, buckets };
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const { target, covered, position } of changed)
      yield { type: 'coverage', target, ...covered, position };
    const containersDone = this.#scans.filter(({ isOver }) => isOver).length;
    yield { type: 'scanning', bytes: this.#bytes, containersDone, containers: this.#scans.length };
  }

  /** Everything before this time was read of every container that is still being read; undefined: everything. */
  #frontier(): Timestamp | undefined {
    let frontier: Timestamp | undefined;
    for (const scan of this.#scans) {
      if (scan.isOver) continue;
      const at = scan.frontier ?? NOTHING_READ;
      if (frontier === undefined || compareTimestamps(at, frontier) < 0) frontier = at;
    }
    return frontier;
  }

  #last(): ScanFrame {
    return {
      type: 'scanned',
      bytes: this.#bytes,
      lines: this.#lines,
      matches: this.#matches,
      stopped: this.#stopped,
      incomplete: this.#scans.filter(({ isComplete }) => !isComplete).map(({ target }) => target),
    };
  }

  #end(why: ScanStop): void {
    if (this.#stop.signal.aborted) return;
    this.#stopped = why;
    this.#stop.abort(new Error('the scan has read enough'));
    this.#room?.open();
  }

  /** Hits are handed out at once, all else now and then. */
  #scheduleFrames(): void {
    if (this.#hasHits) {
      this.#hasHits = false;
      this.#wakeNow();
    }
    this.#cancelDue ??= this.#view.reading.clock.after(INTERVAL_MS, () => {
      this.#cancelDue = undefined;
      this.#isDue = true;
      this.#wakeNow();
    });
  }

  #wakeNow(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async #due(): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#isWoken = false;
  }

  async #waitForRoom(): Promise<void> {
    if (this.#aheadBytes < AHEAD_BYTES || this.#stop.signal.aborted) return;
    if (this.#room === undefined) {
      let open = () => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#room = { promise, open };
    }
    this.#wakeNow();
    await this.#room.promise;
  }
}

const NOTHING_READ: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };
