import { setMaxListeners } from 'node:events';
import { asTheyCome } from '@logtool/kube/src/values/in-parallel.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import type { ScanFrame, ScanPosition, ScanStop } from '../../domain/coverage/scan.ts';
import type { Frame } from '../../domain/frame.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { type KeptScan, keyOf } from '../kept/kept-scans.ts';
import { sieveOf } from '../kept/row-sieve.ts';
import type { EngineContext } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { batchLinesFor } from '../run/open-log.ts';
import { View } from '../view/open-view.ts';
import { type ContainerCopy, ContainerScan, isRows, type ScanBatch } from './container-scan.ts';
import { ScanTally, type TallyPlan } from './scan-tally.ts';
import { type ScanFilter, scanTestsOf } from './scan-tests.ts';

export interface ScanPlan extends TallyPlan, ScanFilter {
  readonly range: Interval;
  readonly previous: 'auto' | 'no' | 'only';
  /** Approximate limit of what to read; everything read by then is covered. */
  readonly budget: { readonly bytes: number; readonly ms: number };
  /** Containers to read simultaneously; others wait for their turn. */
  readonly maxLogRequests: number;
  /** Containers that are not read (ContainerTarget.id). */
  readonly without?: ReadonlySet<string> | undefined;
  /** Where an earlier scan of the same range stopped, by ContainerTarget.id. */
  readonly positions?: ReadonlyMap<string, ScanPosition> | undefined;
}

/** What is around a scan: a plan alone decides the frames. */
interface ScanSetting {
  /** What earlier scans have read. */
  readonly kept?: KeptScan | undefined;
  /** Resolves when the scan may read on. */
  readonly turn?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** Minimum interval of progress frames. */
const INTERVAL_MS = 200;
/** Bytes to read ahead of the consumer of the frames. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/**
 * Reads a range of all containers and yields counts and hits instead of records. A slow or failing container does not
 * delay the others: its unread part is not covered, and hits that might therefore not be the first or last ones are not
 * yielded. Pull-driven. Does not request what `kept` has of the range, and adds what it reads; the frames are the same
 * with and without it. Rejects when the signal is aborted (with its reason) or when the sources do.
 */
export async function* scanLogs(
  context: EngineContext,
  sources: AsyncIterable<ResolveEvent>,
  plan: ScanPlan,
  { kept, turn }: ScanSetting = {},
): AsyncGenerator<ScanFrame, void, undefined> {
  const view = new View(context, sources);
  try {
    const { reading } = view;
    const tests = await scanTestsOf(reading, plan);
    const found: ContainerTarget[] = [];
    for await (const frame of view.gather(found)) if (isPassedOn(frame)) yield frame;
    const targets = found.filter(({ id }) => plan.without?.has(id) !== true);
    const copies = kept && (await copiesOf(kept, reading, targets, plan));
    const sieve = sieveOf(plan.filter, tests.matchers);
    const tally = new ScanTally(plan, { tests, sieve, isGrouping: plan.filter.wholeRecords === true });
    yield* new Scan(view, targets, { plan, tally, copies, turn }).frames();
  } finally {
    view.close();
    kept?.finish();
  }
}

/**
 * Returns the copies of the containers, by their ids. Excludes those of a namespace whose logs the user may no longer
 * read.
 */
async function copiesOf(
  kept: KeptScan,
  { client, signal, backend }: ReadContext,
  targets: readonly ContainerTarget[],
  { previous, maxLogRequests }: ScanPlan,
): Promise<ReadonlyMap<string, ContainerCopy>> {
  const copies = new Map<string, ContainerCopy>();
  const lanes = Math.max(1, Math.min(targets.length, maxLogRequests));
  const reviews = new Map<string, Promise<boolean>>();
  const mayRead = (namespace: string) => {
    const review = { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace };
    // Without a verdict the log is requested from the cluster, as usual.
    const verdict = reviews.get(namespace) ?? client.review(review, { signal }).catch(() => false);
    reviews.set(namespace, verdict);
    return verdict;
  };
  const add = async (target: ContainerTarget) => {
    const key = keyOf(target, previous, backend);
    if (key === undefined) return;
    const found = kept.find(key);
    const segments = found.length > 0 && (await mayRead(target.namespace)) ? found : [];
    const newKeeper = () => kept.keep(key, lanes);
    copies.set(target.id, { segments, newKeeper, forget: () => kept.forgetAll(key) });
  };
  await Promise.all(targets.map(add));
  return copies;
}

function isPassedOn(frame: Frame): frame is Extract<Frame, { readonly type: 'source' | 'gap' | 'notice' }> {
  return frame.type === 'source' || frame.type === 'gap' || frame.type === 'notice';
}

interface ScanOptions {
  readonly plan: ScanPlan;
  readonly tally: ScanTally;
  readonly copies: ReadonlyMap<string, ContainerCopy> | undefined;
  readonly turn: ScanSetting['turn'];
}

class Scan {
  readonly #view: View;
  readonly #plan: ScanPlan;
  readonly #turn: ScanSetting['turn'];
  readonly #tally: ScanTally;
  readonly #stop = new AbortController();
  readonly #scans: readonly ContainerScan[];
  readonly #changed = new Set<ContainerScan>();
  readonly #failed = new Set<ContainerScan>();
  readonly #bytesEstimated: number | undefined;
  #stopped: ScanStop | undefined;
  #aheadBytes = 0;
  #isOver = false;
  #wake: (() => void) | undefined;
  #hasHits = false;
  /** A container was read further than where the scan began. */
  #hasMoved = false;
  #isWoken = false;
  #isDue = false;
  #cancelDue: (() => void) | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(view: View, targets: readonly ContainerTarget[], { plan, tally, copies, turn }: ScanOptions) {
    this.#view = view;
    this.#plan = plan;
    this.#turn = turn;
    this.#tally = tally;
    const signal = AbortSignal.any([view.reading.signal, this.#stop.signal]);
    // Each container listens to the signal.
    setMaxListeners(0, signal);
    const reading = { ...view.reading, signal, batchLines: batchLinesFor(targets.length) };
    const { range, previous, positions } = plan;
    const { needsText } = tally;
    this.#scans = targets.map((target) => {
      const [position, copy] = [positions?.get(target.id), copies?.get(target.id)];
      return new ContainerScan(reading, target, { range, previous, position, copy, needsText });
    });
    const estimates = this.#scans.flatMap(({ bytesEstimated }) => bytesEstimated ?? []);
    if (estimates.length === targets.length)
      this.#bytesEstimated = Math.round(estimates.reduce((sum, bytes) => sum + bytes, 0));
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
      // Everything may be read while frames are being taken: then they are taken once more.
      for (let isLast = false; !isLast; ) {
        await this.#due();
        isLast = this.#isOver;
        yield* this.#takeFrames(isLast);
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
        this.#changed.add(scan);
        if (signal.aborted) return;
        this.#scheduleFrames();
        await this.#waitForRoom();
        // Somebody waits for hits, as for the lines of a window.
        if (this.#tally.hits === undefined) await this.#turn?.(signal);
      }
      if (scan.isComplete) this.#settle(scan);
    } catch (error) {
      // The scan was stopped: everything read until then stays valid.
      if (!signal.aborted) throw error;
    } finally {
      scan.isOver = true;
      if (!scan.isComplete && !signal.aborted) this.#failed.add(scan);
      this.#changed.add(scan);
      this.#scheduleFrames();
    }
  }

  async #take(scan: ContainerScan, batch: ScanBatch): Promise<void> {
    const { target } = scan;
    const tally = this.#tally;
    const [bytes, matches] = [tally.bytes, tally.matches];
    const facts = isRows(batch)
      ? await tally.takeRows(target, batch)
      : await tally.takeRecords(target, batch);
    const { position } = scan;
    await scan.advance(batch, facts, tally.waitingOf(target));
    this.#hasMoved ||= scan.position !== position;
    this.#noteHits(matches);
    this.#aheadBytes += tally.bytes - bytes;
    // A record that is larger than the budget is read to its end: otherwise another scan would begin with it again.
    if (tally.bytes >= this.#plan.budget.bytes && this.#hasMoved) this.#end('bytes');
  }

  /** Ends a container: no line follows the waiting ones. */
  #settle(scan: ContainerScan): void {
    const { matches } = this.#tally;
    this.#tally.settle(scan.target);
    scan.finish();
    this.#noteHits(matches);
  }

  /** Notes new hits. `before`: the previous number of matches. */
  #noteHits(before: number): void {
    this.#hasHits ||= this.#tally.matches > before && this.#tally.hits !== undefined;
  }

  /** `isLast`: everything was read, so that all that is known is due. */
  *#takeFrames(isLast: boolean): Generator<ScanFrame, void, undefined> {
    for (const frame of this.#view.takeReports()) if (isPassedOn(frame)) yield frame;
    const hits = this.#tally.hits?.take(this.#frontier()) ?? [];
    if (hits.length > 0) yield { type: 'hits', records: hits };
    if (!this.#tally.isCounting && this.#tally.hits?.isFull === true) this.#end('enough-hits');
    if (!this.#tally.isCounting && this.#isBlocked()) this.#end('unreadable');
    if (this.#isDue || isLast) yield* this.#takeProgress();
    this.#aheadBytes = 0;
    this.#room?.open();
    this.#room = undefined;
  }

  *#takeProgress(): Generator<ScanFrame, void, undefined> {
    this.#isDue = false;
    for (const [target, bucketMs, buckets] of this.#tally.takeChanged())
      yield { type: 'counts', target, bucketMs, buckets };
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const { target, covered, position } of changed)
      yield { type: 'coverage', target, ...covered, position };
    const containersDone = this.#scans.filter(({ isOver }) => isOver).length;
    const { bytes } = this.#tally;
    const containers = this.#scans.length;
    yield { type: 'scanning', bytes, bytesEstimated: this.#bytesEstimated, containersDone, containers };
  }

  /** Returns the time before which everything was read of all these containers; undefined: the whole range. */
  #frontier(scans: Iterable<ContainerScan> = this.#scans): Timestamp | undefined {
    let frontier: Timestamp | undefined;
    for (const scan of scans) {
      // Its last lines are decided when it is over.
      if (scan.isComplete && scan.isOver) continue;
      const at = scan.frontier ?? NOTHING_READ;
      if (frontier === undefined || compareTimestamps(at, frontier) < 0) frontier = at;
    }
    return frontier;
  }

  /** Whether no more hits can be output: everything before the position of a failed container was read. */
  #isBlocked(): boolean {
    const { hits } = this.#tally;
    if (hits === undefined || this.#failed.size === 0) return false;
    if (hits.isNewest) return true;
    const [failed, all] = [this.#frontier(this.#failed)!, this.#frontier()!];
    return compareTimestamps(failed, all) <= 0;
  }

  #last(): ScanFrame {
    const { bytes, lines, matches } = this.#tally;
    return {
      type: 'scanned',
      bytes,
      lines: this.#tally.isCounting ? lines : undefined,
      matches,
      stopped: this.#stopped,
      incomplete: this.#scans.filter(({ isComplete }) => !isComplete).map(({ target }) => target),
      failed: [...this.#failed].map(({ target }) => target),
    };
  }

  #end(why: ScanStop): void {
    if (this.#stop.signal.aborted) return;
    this.#stopped = why;
    this.#stop.abort(new Error('the scan has read enough'));
    this.#room?.open();
  }

  /** Schedules frames: hits at once, everything else at intervals. */
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
