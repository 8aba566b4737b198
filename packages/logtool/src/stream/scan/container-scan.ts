import { compareTimestamps, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import {
  compareEnds,
  compareStarts,
  type Interval,
  intersection,
  intervals,
  nextTime,
} from '../../domain/coverage/interval.ts';
import { isLost, type Lost, lostIn } from '../../domain/coverage/lost.ts';
import type { ScanPosition } from '../../domain/coverage/scan.ts';
import type { GapCause } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { KeptRows, type KnownFacts, type LineFacts } from '../kept/kept-rows.ts';
import type { KeptSegment } from '../kept/kept-scans.ts';
import type { RunKeeper } from '../kept/run-keeper.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { ContainerLane } from '../window/container-lane.ts';

export interface ContainerScanOptions {
  readonly range: Interval;
  readonly previous: 'auto' | 'no' | 'only';
  /** Where an earlier scan of the range stopped. */
  readonly position: ScanPosition | undefined;
  /** What earlier scans have kept of the container, and where to keep what is read. Undefined: nothing. */
  readonly copy: ContainerCopy | undefined;
  /** Whether the messages of a kept block are needed. */
  readonly needsText: (block: KnownFacts) => boolean;
}

/** The copies of one container. */
export interface ContainerCopy {
  readonly segments: readonly KeptSegment[];
  readonly newKeeper: () => RunKeeper;
  /** Forgets incomplete copies of the container, so that nobody finds them any more. */
  readonly forget: () => void;
}

/** Records in the total order: as they were read, or as an earlier scan has kept them. */
export type ScanBatch = readonly LogRecord[] | KeptRows;

/**
 * A line with an older timestamp has been written by now, however much the clocks of a node and of this machine differ.
 */
const SETTLED_MS = 60_000;

/** Reads the range of one container from its beginning, and tracks how much of it was read completely. */
export class ContainerScan {
  readonly target: ContainerTarget;
  /** The position of the read; undefined before its first record. */
  position: ScanPosition | undefined;
  isOver = false;
  /** The whole range was read, as far as it lies in the past. */
  isComplete = false;
  readonly #context: ReadContext;
  readonly #options: ContainerScanOptions;
  #keeper: RunKeeper | undefined;
  /** Records at exactly the time of the position that were taken before it. */
  #known = 0;
  #hasReported = false;
  /** What the node no longer has of the interval being read. */
  #lost: Lost[] = [];
  /** The position in lines: `position` precedes the lines of an incomplete record. */
  #taken: ScanPosition | undefined;
  /** The times of taken lines that wait for later ones. */
  #waiting: readonly Timestamp[] = [];

  constructor(context: ReadContext, target: ContainerTarget, options: ContainerScanOptions) {
    this.#context = {
      ...context,
      report: (frame) => {
        if (frame.type === 'gap' && frame.to !== undefined && isKept(frame.cause))
          this.#lost.push({ ...frame, cause: frame.cause });
        else this.#hasReported = true;
        context.report(frame);
      },
    };
    this.target = target;
    this.#options = options;
    this.position = options.position;
    this.#taken = options.position;
  }

  /** Everything before this time was read. Undefined: nothing was, from the beginning of the range on. */
  get frontier(): Timestamp | undefined {
    return this.position?.at ?? this.#options.range.from;
  }

  /** The interval that was read completely. */
  get covered(): Interval {
    const from = this.#options.position?.at ?? this.#options.range.from;
    return { from, to: this.isComplete ? this.#end() : this.position?.at };
  }

  /**
   * Estimated bytes to read: known if all of them are kept. For a log on the cluster, a user with only log permissions
   * cannot find out.
   */
  get bytesEstimated(): number | undefined {
    const { copy, range } = this.#options;
    let bytes = 0;
    for (let from = this.frontier; ; ) {
      const piece = nextPiece(copy?.segments ?? [], { from, to: range.to });
      if (piece === undefined) return bytes;
      if (piece.segment === undefined) return undefined;
      bytes += piece.segment.bytesIn(piece);
      if (piece.to === undefined) return bytes;
      from = piece.to;
    }
  }

  /**
   * Yields the records of the range in the total order; each batch is valid until the next is requested, and `advance`
   * must follow it.
   */
  async *batches(): AsyncGenerator<ScanBatch, void, undefined> {
    const { copy, range } = this.#options;
    let segments = copy?.segments ?? [];
    let from = this.#resume();
    for (;;) {
      const piece = nextPiece(segments, { from, to: range.to });
      if (piece === undefined) break;
      if (piece.segment === undefined) {
        if (!(yield* this.#read(piece))) return;
      } else if (!(yield* this.#readKept(piece, piece.segment))) {
        // What cannot be read back is still on the cluster.
        segments = [];
        from = this.#resume();
        continue;
      }
      if (piece.to === undefined) break;
      from = piece.to;
      this.#known = 0;
    }
    this.isComplete = true;
  }

  /**
   * Records that a batch was taken. `facts`: known facts about its records. `waiting`: how many of the last taken lines
   * belong to an incomplete record: another scan reads them again.
   */
  async advance(batch: ScanBatch, facts: LineFacts | undefined, waiting: number): Promise<void> {
    if (isRows(batch)) {
      this.#take(batch.size, (index) => batch.timeAt(batch.first + index), waiting);
      return;
    }
    this.#take(batch.length, (index) => batch[index]!.at, waiting);
    await this.#keeper?.take(batch, facts);
  }

  /** Returns where reading lines continues; known lines at exactly that time are left out. */
  #resume(): Timestamp | undefined {
    this.#known = this.#taken?.shown ?? 0;
    return this.#taken?.at ?? this.#options.range.from;
  }

  /** Ends the scan: everything was read, and what waited is decided. */
  finish(): void {
    this.#take(0, () => NEVER, 0);
  }

  /** Advances by this many lines after the waiting ones; all but the last `waiting` are decided. */
  #take(size: number, timeAt: (index: number) => Timestamp, waiting: number): void {
    const before = this.#waiting;
    const at = (index: number) => (index < before.length ? before[index]! : timeAt(index - before.length));
    const decided = before.length + size - waiting;
    this.position = movedTo(this.position, decided, at);
    this.#taken = movedTo(this.#taken, size, timeAt);
    this.#waiting = Array.from({ length: waiting }, (_, index) => at(decided + index));
  }

  /** Reads an interval from the cluster; returns whether it was read to its end. */
  async *#read({ from, to }: Interval): AsyncGenerator<ScanBatch, boolean, undefined> {
    const { previous, copy } = this.#options;
    const lane = new ContainerLane(this.#context, this.target, {
      from: from && { kind: 'inclusive', at: from },
      to: to && { kind: 'strict', at: to },
      previous,
      thenFollow: false,
      readTo: this.#taken?.at,
    });
    this.#lost = [];
    this.#keeper = copy?.newKeeper();
    const before = this.position;
    let isRead = false;
    try {
      for await (const batch of lane.batches()) {
        const inside = await this.#withoutKnown(batch.filter(({ at }) => isBefore(at, to)));
        if (inside.length > 0) yield inside;
      }
      const outcome = lane.end.outcome?.kind;
      // No outcome: it reached a record after the range.
      isRead =
        outcome === undefined || outcome === 'complete' || outcome === 'absent' || outcome === 'waiting';
      return isRead;
    } finally {
      if (lane.isSetBack) copy?.forget();
      // If a notice came with the log, or another run answered, its records are not the complete result.
      const isPlain = !lane.isSetBack && !this.#hasReported && lane.end.target === this.target;
      const hasMoved = this.position !== before;
      if (isPlain && (isRead || hasMoved))
        await this.#keeper?.finish({ from, to: this.#settled(isRead ? to : this.position?.at) }, this.#lost);
      this.#keeper = undefined;
    }
  }

  /** Removes records that an earlier scan of the range took; they are only kept. */
  async #withoutKnown(batch: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    if (this.#known === 0) return batch;
    const known = batch.filter(({ at }) => this.#takesKnown(at));
    if (known.length === 0) return batch;
    await this.#keeper?.take(known, undefined);
    return batch.filter((record) => !known.includes(record));
  }

  /** Reads an interval that an earlier scan has kept; false if it cannot be read back. */
  async *#readKept(interval: Interval, segment: KeptSegment): AsyncGenerator<ScanBatch, boolean, undefined> {
    for (const each of segment.lost) {
      const lost = lostIn(each, interval);
      if (lost !== undefined) this.#context.report({ type: 'gap', target: this.target, ...lost });
    }
    const blocks = segment.read(this.target, interval, this.#options.needsText);
    for (;;) {
      const step = await blocks.next().catch(() => undefined);
      if (step === undefined) return false;
      if (step.done === true) return true;
      const rows = step.value;
      while (rows.size > 0 && this.#takesKnown(rows.timeAt(rows.first))) rows.first++;
      if (rows.size > 0) yield rows;
    }
  }

  /** Whether an earlier scan of the range took a record; call it once for each. */
  #takesKnown(at: Timestamp): boolean {
    if (this.#known === 0 || compareTimestamps(at, this.#taken!.at) !== 0) return false;
    this.#known--;
    return true;
  }

  /** Returns the time before which nothing can be written any more. */
  #settled(to: Timestamp | undefined): Timestamp | undefined {
    if (this.target.state.kind === 'terminated' && !this.target.mayRestart) return to;
    const settled = timestampFromMs(this.#context.resolvedAtMs - SETTLED_MS);
    return to === undefined || compareTimestamps(to, settled) > 0 ? settled : to;
  }

  /**
   * Returns the end of the range that was read: the time of the read, or after its last record, because future lines
   * are not written yet.
   */
  #end(): Timestamp | undefined {
    const { to } = this.#options.range;
    const readAt = timestampFromMs(this.#context.resolvedAtMs);
    const last = this.position && nextTime(this.position.at);
    const reached = last === undefined || compareTimestamps(last, readAt) < 0 ? readAt : last;
    return to === undefined || compareTimestamps(to, reached) > 0 ? reached : to;
  }
}

/** Returns the position after this many further lines. */
function movedTo(
  position: ScanPosition | undefined,
  count: number,
  timeAt: (index: number) => Timestamp,
): ScanPosition | undefined {
  if (count <= 0) return position;
  const at = timeAt(count - 1);
  const order = position === undefined ? 1 : compareTimestamps(at, position.at);
  // A clock that was set back does not move the position back.
  if (order < 0) return position;
  let same = 0;
  for (let index = 0; index < count; index++) if (compareTimestamps(timeAt(index), at) === 0) same++;
  return { at, shown: order === 0 ? position!.shown + same : same };
}

const NEVER: Timestamp = { seconds: Number.NEGATIVE_INFINITY, nanos: 0 };

/** Whether a gap is the same for every reader, so that it belongs to what is kept. */
function isKept(cause: GapCause): cause is Lost['cause'] {
  return isLost(cause) || cause.code === 'rotated';
}

export function isRows(batch: ScanBatch): batch is KeptRows {
  return batch instanceof KeptRows;
}

function isBefore(at: Timestamp, to: Timestamp | undefined): boolean {
  return to === undefined || compareTimestamps(at, to) < 0;
}

interface Piece extends Interval {
  /** Undefined: it must be requested. */
  readonly segment: KeptSegment | undefined;
}

/**
 * Returns the first piece of a range: as much as one segment has, or what precedes the next one. Undefined: nothing is
 * left.
 */
function nextPiece(segments: readonly KeptSegment[], range: Interval): Piece | undefined {
  const { from } = range;
  if (intervals(range).length === 0) return undefined;
  const [own] = segments
    .flatMap((segment) => intersection([segment], [range]).map((both) => ({ ...both, segment })))
    .sort((a, b) => compareStarts(a.from, b.from) || compareEnds(b.to, a.to));
  if (own === undefined) return { ...range, segment: undefined };
  const isFirst = compareStarts(own.from, from) === 0;
  return isFirst ? own : { from, to: own.from, segment: undefined };
}
