import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerTarget } from '../../domain/container.ts';

/** Fewer lines than this do not show how long a line may take. */
const MIN_LINES = 3;
/** The greatest delay applies for this long, and for up to as long again. */
const BUCKET_MS = 10_000;
/** Clocks drift apart: a delay measured longer ago shows nothing. */
const MAX_AGE_MS = 600_000;
/** A connection first delivers earlier lines: for this long, it may have more of them. */
const CATCH_UP_MS = 1_000;
/** A line may take this much longer than all recent lines of its node. */
const MARGIN_MS = 15;
/**
 * The two pipes of a container get their timestamps separately, so a line may directly follow one with a later
 * timestamp.
 */
const MIN_SETTLE_MS = 2;
/** Maximum step back between lines of one file, unless the node's clock was set. */
const MAX_STEP_BACK_MS = 200;
/** Rounding error of times in ms; smaller differences count as equal. */
const ROUNDING_MS = 0.001;

/**
 * How long the lines of one node take from their timestamp to their arrival. The timestamp comes from the node's clock
 * and the arrival from a steady one, so a delay also contains their difference and may be any number; it is only ever
 * added to a timestamp of the same node.
 */
class ArrivalDelays {
  readonly #clock: Clock;
  #lines = 0;
  #max = Number.NEGATIVE_INFINITY;
  #previousMax = Number.NEGATIVE_INFINITY;
  #bucketMs = 0;
  #lastMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a line with this timestamp (ms since the epoch) that arrived now. */
  note(stampMs: number): void {
    const now = this.#clock.steady();
    if (this.#lines === 0) this.#bucketMs = now;
    if (now - this.#bucketMs >= BUCKET_MS) {
      this.#previousMax = this.#max;
      this.#max = Number.NEGATIVE_INFINITY;
      this.#bucketMs = now;
    }
    this.#lines++;
    this.#lastMs = now;
    this.#max = Math.max(this.#max, now - stampMs);
  }

  /** The greatest delay of the last lines in ms; infinite if too little is known. */
  get maxMs(): number {
    const isKnown = this.#lines >= MIN_LINES && this.#clock.steady() - this.#lastMs < MAX_AGE_MS;
    return isKnown ? Math.max(this.#max, this.#previousMax) : Number.POSITIVE_INFINITY;
  }
}

/** A followed container, from the view of the live merge. Times of records are in ms since the epoch. */
export class LiveContainer {
  readonly #clock: Clock;
  #delays: ArrivalDelays;
  #maxMs = Number.NEGATIVE_INFINITY;
  #stepBackMs = 0;
  #connectedMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#delays = new ArrivalDelays(clock);
  }

  /** Shares delays by node, once its node is known: delays learned from one container apply to all of them. */
  share(delays: ArrivalDelays): void {
    this.#delays = delays;
  }

  /** Records that its connection is open. */
  connected(): void {
    this.#connectedMs = this.#clock.steady();
  }

  /** Records that it has no connection, so that its next records are unknown. */
  away(): void {
    this.#connectedMs = undefined;
  }

  /** Records an arrived record. */
  note(stampMs: number): void {
    const stepBackMs = this.#maxMs - stampMs;
    if (stepBackMs > 0 && stepBackMs <= MAX_STEP_BACK_MS)
      this.#stepBackMs = Math.max(this.#stepBackMs, stepBackMs);
    this.#maxMs = Math.max(this.#maxMs, stampMs);
    if (this.#isCaughtUp) this.#delays.note(stampMs);
  }

  /** How long a record waits for one that follows it in the same file with an earlier timestamp. */
  get settleMs(): number {
    return Math.max(MIN_SETTLE_MS, 2 * this.#stepBackMs);
  }

  /** When (steady clock) it can no longer deliver a record from before this time; infinite: unknown. */
  clearMs(stampMs: number): number {
    return this.#passedMs >= stampMs ? Number.NEGATIVE_INFINITY : stampMs + this.#waitMs;
  }

  /** Time before which all records have arrived. */
  get clearedTo(): number {
    return Math.max(this.#passedMs, this.#clock.steady() - this.#waitMs + ROUNDING_MS);
  }

  /** Time up to which its file has nothing more. */
  get #passedMs(): number {
    return this.#maxMs - this.#stepBackMs - ROUNDING_MS;
  }

  get #waitMs(): number {
    return this.#isCaughtUp ? this.#delays.maxMs + MARGIN_MS : Number.POSITIVE_INFINITY;
  }

  get #isCaughtUp(): boolean {
    return this.#connectedMs !== undefined && this.#clock.steady() - this.#connectedMs >= CATCH_UP_MS;
  }
}

/**
 * The containers whose live records are merged. A record needs to wait only while another container may still deliver
 * an earlier one: not if that container already delivered a later record, and not after the time that lines of its node
 * take to arrive. If neither is known, as for a connecting container, the caller's own limit applies.
 */
export class LiveContainers {
  readonly #clock: Clock;
  readonly #sources = new Set<LiveContainer>();
  /** By node: its containers share a clock and a network path. */
  readonly #delays = new Map<string, ArrivalDelays>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(target: ContainerTarget): LiveContainer {
    const source = new LiveContainer(this.#clock);
    this.#sources.add(source);
    this.shareNode(source, target);
    return source;
  }

  /** Shares the delays of a source's node. A pod has no node at first. */
  shareNode(source: LiveContainer, { placement: { node } }: ContainerTarget): void {
    if (node === undefined) return;
    const delays = this.#delays.get(node) ?? new ArrivalDelays(this.#clock);
    this.#delays.set(node, delays);
    source.share(delays);
  }

  leave(source: LiveContainer): void {
    this.#sources.delete(source);
  }

  /** When (steady clock) no other container can deliver an earlier record any more. */
  clearMs(own: LiveContainer, stampMs: number): number {
    let latest = Number.NEGATIVE_INFINITY;
    for (const source of this.#sources)
      if (source !== own) latest = Math.max(latest, source.clearMs(stampMs));
    return latest;
  }

  /** Returns the time up to which all records of all containers but one have arrived. */
  clearedTo(): (own: LiveContainer) => number {
    let [lowest, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let lowestSource: LiveContainer | undefined;
    for (const source of this.#sources) {
      const { clearedTo } = source;
      if (clearedTo < lowest) [lowest, second, lowestSource] = [clearedTo, lowest, source];
      else if (clearedTo < second) second = clearedTo;
    }
    return (own) => (own === lowestSource ? second : lowest);
  }
}
