import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Frame } from '../../../domain/frame.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { LogLack } from '../../../domain/verdicts/log-lack.ts';
import type { Window } from '../../../domain/window.ts';
import { readFailureOf } from '../read-failure.ts';
import type { ReadLog } from '../read-lines.ts';
import { bucketsOf } from './find-errors.ts';
import { LogDigest } from './log-digest.ts';
import { IS_END } from './log-gaps.ts';

/** Maximum logs to read at once; more take turns. */
const LANES = 20;
/** The budget of all logs together. */
export const BUDGET = { bytes: 64 * 1024 * 1024, ms: 3_000 };

/** A log whose range was not completely read. */
export interface CutLog {
  readonly target: ContainerTarget;
  /** The last line that was read; undefined if none was. */
  readonly until: Timestamp | undefined;
  readonly why: LogLack;
}

export interface ReadDigests {
  /** Where the read began: later than requested if the logs are too large. */
  readonly from: Timestamp;
  readonly digests: readonly LogDigest[];
  readonly cut: readonly CutLog[];
}

interface Reading {
  readonly readLog: ReadLog;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly budget?: typeof BUDGET;
}

/**
 * Reads the logs of containers over a range, each record once, within one budget of bytes and time for all of
 * them: a node that does not answer delays nothing. Each container may use its share of the budget, and more
 * if no other waits for it. If the logs turn out to be larger than the budget, reads them again from a later
 * time, so that their newest part is read completely. Throws the signal's reason.
 */
export async function readDigests(
  targets: readonly ContainerTarget[],
  range: ReadRange,
  { readLog, clock, signal, budget = BUDGET }: Reading,
): Promise<ReadDigests> {
  const purse = new Purse(budget, clock);
  const stop = new AbortController();
  const cancel = clock.after(budget.ms, () => stop.abort());
  try {
    const whole = await new Reads(targets, range, purse).run(readLog, signal, stop.signal, true);
    if (whole.laterFrom === undefined) return whole;
    const later = { ...range, from: whole.laterFrom };
    return await new Reads(targets, later, purse).run(readLog, signal, stop.signal, false);
  } finally {
    cancel();
    stop.abort();
  }
}

interface ReadRange {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** One read of all logs over a range. */
class Reads {
  readonly #range: ReadRange;
  readonly #purse: Purse;
  readonly #digests: readonly LogDigest[];
  readonly #done = new Set<LogDigest>();
  readonly #share: number;
  /** The share of the budget that was spent before the first record: until then, only waits need time. */
  #spentBefore: number | undefined;
  #waiting: number;
  #laterFrom: Timestamp | undefined;
  /** Ends this read once all logs are to be read again: one that does not answer must not hold that up. */
  readonly #again = new AbortController();

  constructor(targets: readonly ContainerTarget[], range: ReadRange, purse: Purse) {
    const buckets = bucketsOf(range.from, range.to);
    this.#range = range;
    this.#purse = purse;
    this.#digests = targets.map((target) => new LogDigest(target, buckets));
    this.#waiting = targets.length;
    this.#share = purse.left / Math.max(1, targets.length);
  }

  /** `mayRestart`: ends early if the logs are too large, and returns from when on they would fit. */
  async run(
    readLog: ReadLog,
    signal: AbortSignal,
    stop: AbortSignal,
    mayRestart: boolean,
  ): Promise<ReadDigests & { readonly laterFrom: Timestamp | undefined }> {
    const { from, to } = this.#range;
    const window: Window = {
      selection: { kind: 'all' },
      from: { kind: 'inclusive', at: from },
      to: { kind: 'inclusive', at: to },
      follow: false,
      previous: 'auto',
    };
    const cut: CutLog[] = [];
    await inParallel(LANES, this.#digests, async (digest) => {
      const previousMs = this.#previousMs;
      this.#waiting--;
      const ends = AbortSignal.any([signal, stop, this.#again.signal]);
      const frames = readLog(digest.target, window, ends, previousMs);
      const why = this.#endedBy(stop) ?? (await this.#read(digest, frames, { signal, stop, mayRestart }));
      digest.finish();
      this.#done.add(digest);
      digest.isComplete = why === undefined;
      if (why !== undefined) cut.push({ target: digest.target, until: digest.last, why });
    });
    return { from, digests: this.#digests, cut, laterFrom: this.#laterFrom };
  }

  /** Returns why the log was not read completely; undefined if it was. */
  async #read(
    digest: LogDigest,
    frames: AsyncIterable<Frame>,
    { signal, stop, mayRestart }: { signal: AbortSignal; stop: AbortSignal; mayRestart: boolean },
  ): Promise<CutLog['why'] | undefined> {
    const end = new LogEnd(digest);
    try {
      for await (const frame of frames) {
        end.take(frame);
        if (frame.type === 'records' && !this.#take(digest, frame.records, mayRestart)) return 'bytes';
      }
      return end.why;
    } catch (error) {
      if (signal.aborted) throw error;
      const ended = this.#endedBy(stop);
      if (ended !== undefined) return ended;
      if (isKubeError(error)) return readFailureOf(error);
      throw error;
    }
  }

  #endedBy(stop: AbortSignal): CutLog['why'] | undefined {
    if (stop.aborted) return 'time';
    return this.#again.signal.aborted ? 'bytes' : undefined;
  }

  /** Returns whether to read more of this log. */
  #take(digest: LogDigest, records: readonly LogRecord[], mayRestart: boolean): boolean {
    this.#spentBefore ??= this.#purse.spentShare;
    const before = digest.bytes;
    for (const record of records) digest.add(record);
    this.#purse.spend(digest.bytes - before);
    if (mayRestart && this.#laterFrom === undefined) {
      this.#laterFrom = this.#fittingFrom();
      if (this.#laterFrom !== undefined) this.#again.abort();
    }
    return this.#laterFrom === undefined && this.#mayReadOn(digest);
  }

  /** Returns how long to wait for the previous run of the next log; as much time remains for the rest. */
  get #previousMs(): number {
    const { ms, leftMs } = this.#purse;
    const share = Math.min(ms * PREVIOUS_SHARE, leftMs / 2);
    // An answer states it in seconds.
    return Math.max(100, Math.round(share / 100) * 100);
  }

  /** Waiting logs keep their shares. */
  #mayReadOn({ bytes }: LogDigest): boolean {
    return this.#purse.left > (bytes < this.#share ? 0 : this.#waiting * this.#share);
  }

  /**
   * Returns from when on the logs fit into the rest of the budget; undefined if the whole range may fit, or
   * if it is too early to tell.
   */
  #fittingFrom(): Timestamp | undefined {
    const spent = this.#purse.spentShare - (this.#spentBefore ?? 0);
    if (spent < SAMPLE_SHARE) return undefined;
    // Logs that have not answered do not represent the others.
    const answered = this.#digests.filter(({ bytes }) => bytes > 0);
    const bytes = answered.reduce((sum, digest) => sum + digest.bytes, 0);
    const scale = ((spent / Math.max(1, bytes)) * this.#digests.length) / Math.max(1, answered.length);
    const { to } = this.#range;
    const rates = answered.map((digest) => this.#rateOf(digest));
    const needed = rates.reduce((sum, { rate, begin }) => sum + rate * (to.seconds - begin), 0) * scale;
    if (needed <= TOO_LARGE) return undefined;
    const perSecond = rates.reduce((sum, { rate }) => sum + rate, 0) * scale;
    const seconds = (FITTING_SHARE * (1 - this.#purse.spentShare)) / perSecond;
    return { seconds: to.seconds - Math.max(1, Math.floor(seconds)), nanos: 0 };
  }

  /** Returns a log's bytes per second, from its first line on. */
  #rateOf(digest: LogDigest) {
    const { from, to } = this.#range;
    const begin = (digest.beginning[0] ?? from).seconds;
    const end = this.#done.has(digest) ? to.seconds : (digest.last ?? from).seconds;
    return { begin, rate: digest.bytes / Math.max(1, end - begin) };
  }
}

/** Why a log is not read to the end of the range, as far as its frames have come; notes its gaps. */
class LogEnd {
  readonly #digest: LogDigest;
  #gap: GapFrame | undefined;
  why: CutLog['why'] | undefined;

  constructor(digest: LogDigest) {
    this.#digest = digest;
  }

  take(frame: Frame): void {
    if (frame.type === 'records' && this.#gap !== undefined) {
      // Lines of a later run follow: it was the end of an earlier one.
      takeGap(this.#digest, { ...this.#gap, to: frame.records[0]?.at });
      this.#gap = undefined;
      this.why = undefined;
    }
    if (this.why === undefined && frame.type === 'gap' && isEnd(frame)) this.#gap = frame;
    this.why ??= lackOf(frame);
    noteGap(this.#digest, frame);
  }
}

/** Returns why a log was not read to the end of the range. */
function lackOf(frame: Frame): CutLog['why'] | undefined {
  if (frame.type === 'source' && frame.state === 'failed') return readFailureOf(frame.error);
  return frame.type === 'gap' && isEnd(frame) ? frame.cause.code : undefined;
}

type GapFrame = Extract<Frame, { readonly type: 'gap' }>;

function noteGap(digest: LogDigest, frame: Frame): void {
  if (frame.type === 'gap' && !isEnd(frame)) takeGap(digest, frame);
}

function takeGap({ gaps, last }: LogDigest, { from, to, cause }: GapFrame): void {
  const answer = cause.code === 'previous-unreadable' ? cause.data.why : undefined;
  gaps.push({ why: cause.code, answer, from, to, isAfterLine: last !== undefined });
}

/** Whether nothing more of the log comes: a gap with an end is in a run before the current one. */
function isEnd({ cause, to }: GapFrame): boolean {
  return IS_END[cause.code] && to === undefined;
}

/** After using this share of the budget, estimates whether the logs fit. */
const SAMPLE_SHARE = 1 / 8;
/** They do not fit if they need this many budgets. */
const TOO_LARGE = 1.5;
/** Selects their newest part so that it needs this share of the rest. */
const FITTING_SHARE = 0.7;

/** A previous run that does not answer may use this share of the time. */
const PREVIOUS_SHARE = 1 / 3;

/** The budget of all reads. */
class Purse {
  readonly #budget: typeof BUDGET;
  readonly #clock: Clock;
  readonly #begun: number;
  #left: number;

  constructor(budget: typeof BUDGET, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#begun = clock.steady();
    this.#left = budget.bytes;
  }

  /** Remaining bytes. */
  get left(): number {
    return this.#left;
  }

  /** The whole time in ms. */
  get ms(): number {
    return this.#budget.ms;
  }

  /** Remaining time in ms. */
  get leftMs(): number {
    return Math.max(0, this.#budget.ms - this.#passedMs);
  }

  get #passedMs(): number {
    return this.#clock.steady() - this.#begun;
  }

  /** The used share of the bytes or of the time, whichever is larger. */
  get spentShare(): number {
    const { bytes, ms } = this.#budget;
    return Math.max(1 - this.#left / bytes, this.#passedMs / ms);
  }

  spend(bytes: number): void {
    this.#left -= bytes;
  }
}
