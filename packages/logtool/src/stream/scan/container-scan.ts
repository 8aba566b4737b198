import { compareTimestamps, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { type Interval, nextTime } from '../../domain/coverage/interval.ts';
import type { ScanPosition } from '../../domain/coverage/scan.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { ContainerLane } from '../window/container-lane.ts';

export interface ContainerScanOptions {
  readonly range: Interval;
  readonly previous: 'auto' | 'no' | 'only';
  /** Where an earlier scan of the range stopped. */
  readonly position: ScanPosition | undefined;
}

/** The range of one container, read from its beginning on, and how much of it was read completely. */
export class ContainerScan {
  readonly target: ContainerTarget;
  /** Where the read stands; undefined before its first record. */
  position: ScanPosition | undefined;
  isOver = false;
  /** All of the range was read, as far as it lies in the past. */
  isComplete = false;
  readonly #context: ReadContext;
  readonly #options: ContainerScanOptions;

  constructor(context: ReadContext, target: ContainerTarget, options: ContainerScanOptions) {
    this.#context = context;
    this.target = target;
    this.#options = options;
    this.position = options.position;
  }

  /** Before this time all was read. Undefined: from the beginning of the range on, nothing was. */
  get frontier(): Timestamp | undefined {
    return this.position?.at ?? this.#options.range.from;
  }

  /** The interval that was read completely. */
  get covered(): Interval {
    const from = this.#options.position?.at ?? this.#options.range.from;
    return { from, to: this.isComplete ? this.#end() : this.position?.at };
  }

  /** The records of the range in the total order; each batch is valid until the next is asked for, and `advance` follows it. */
  async *batches(): AsyncGenerator<readonly LogRecord[], void, undefined> {
    const { range, previous, position } = this.#options;
    const start = position?.at ?? range.from;
    const lane = new ContainerLane(this.#context, this.target, {
      from: start && { kind: 'inclusive', at: start },
      to: range.to && { kind: 'strict', at: range.to },
      previous,
      thenFollow: false,
    });
    let known = position?.shown ?? 0;
    for await (const batch of lane.batches()) {
      const inside = batch.filter((record) => {
        if (this.#isAfter(record.at)) return false;
        return known === 0 || compareTimestamps(record.at, position!.at) !== 0 || known-- === 0;
      });
      if (inside.length === 0) continue;
      yield inside;
    }
    const outcome = lane.end.outcome?.kind;
    // No outcome: it came to a record after the range.
    this.isComplete =
      outcome === undefined || outcome === 'complete' || outcome === 'absent' || outcome === 'waiting';
  }

  /** The records of a batch were taken in. */
  advance(records: readonly LogRecord[]): void {
    const { at } = records.at(-1)!;
    // A clock that was set back moves nothing back.
    if (this.position !== undefined && compareTimestamps(at, this.position.at) < 0) return;
    const same = records.filter((record) => compareTimestamps(record.at, at) === 0).length;
    const isStill = this.position !== undefined && compareTimestamps(at, this.position.at) === 0;
    this.position = { at, shown: isStill ? this.position!.shown + same : same };
  }

  #isAfter(at: Timestamp): boolean {
    const { to } = this.#options.range;
    return to !== undefined && compareTimestamps(at, to) >= 0;
  }

  /** What is not written yet is not read: the range ends at the time of the read, or after its last record. */
  #end(): Timestamp | undefined {
    const { to } = this.#options.range;
    const readAt = timestampFromMs(this.#context.resolvedAtMs);
    const last = this.position && nextTime(this.position.at);
    const reached = last === undefined || compareTimestamps(last, readAt) < 0 ? readAt : last;
    return to === undefined || compareTimestamps(to, reached) > 0 ? reached : to;
  }
}
