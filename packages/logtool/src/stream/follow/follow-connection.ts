import { sleep } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { ROTATED } from '../run/failure-policy.ts';
import { fetchContainer } from '../run/fetch-container.ts';
import { firstTime } from '../run/first-record.ts';
import { BodyError } from '../run/line-parser.ts';
import { probeEnd } from '../run/log-end.ts';
import { type AnswerEnd, LogReader } from '../run/log-reader.ts';
import { addressRun, type RunAddress } from '../run/open-log.ts';
import { sinceAt } from '../run/position.ts';
import { nearestTail } from '../run/resume-query.ts';
import { fetchNamedRun, isOtherRun, type Served } from '../run/served-run.ts';
import { classifyFailure, isCutTimestamp, PodReplaced, StreamAbort } from '../run/source-failure.ts';
import { reportGap } from '../run/source-report.ts';
import type { Walk } from '../run/walk.ts';
import { sinceFor } from '../window/bounds.ts';
import type { LogSlots } from './log-slots.ts';
import { type SilenceWatch, watchSilence } from './silence-watch.ts';
import { SkipWatch } from './skip-watch.ts';

/**
 * Lines from the end to resume with, besides the time: by time only, the node reads the whole file, 2 s for 1
 * GB (test/recorded/pods-log/size-1GB-*.json). If these do not reach back to what is known, more are
 * requested.
 */
const FIRST_TAIL = 1_000;
const MAX_TAIL = 30_000;
/** Before, a log may just be quiet. */
const MIN_STUCK_FAILURES = 2;

/** Longer than any silence before somebody looks (watchSilence), and the one before it: what came in them was withheld. */
const WITHHELD_SECONDS = 600;

/** A connection that lasts so long shows that the breaks are over. */
const STEADY_MS = 30_000;
/** What was written before comes within this time. */
const EARLY_MS = 5_000;

/** What was written before comes at once: for so long, lines may wait for a known one that comes after them. */
const UNSETTLED_MS = 2_000;

/** How one connection to a followed log ended. */
export type StreamEnd =
  /** `rest`: the line without its end that came last. */
  | { readonly kind: 'clean'; readonly rest: LogRecord | undefined }
  | { readonly kind: 'waiting'; readonly reason: WaitReason }
  /** Another run answered. */
  | { readonly kind: 'other-run'; readonly fetched: ContainerTarget }
  /** Others wait to be followed. */
  | { readonly kind: 'turn-over' }
  | { readonly kind: 'broken'; readonly error: unknown };

interface FollowedRun {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly walk: Walk;
  /** Connections in a row that brought nothing. */
  readonly failures: number;
  readonly from: Bound | undefined;
  /** Lines to begin with if the run could not be read so far; all when undefined. */
  readonly lastLines: number | undefined;
  /** Whether the log is about to be gone. */
  readonly isUrgent: () => boolean;
  /** Something other than a refusal was answered. */
  onAnswer(): void;
  onRecords(records: readonly LogRecord[]): Promise<void>;
}

/** One connection to the log of a run, from the position on. */
export class FollowConnection {
  readonly #context: ReadContext;
  readonly #run: FollowedRun;
  readonly #address: RunAddress;
  /** From when on lines were asked for. */
  #since: Timestamp | undefined;
  readonly #stream = new AbortController();
  #awaitsKnown = false;
  #answeredMs: number | undefined;

  constructor(context: ReadContext, run: FollowedRun) {
    this.#context = context;
    this.#run = run;
    this.#address = addressRun(run.target, run.runId, false);
  }

  /** Ends the connection as `broken` with a StreamAbort. */
  abort(): void {
    this.#stream.abort(new StreamAbort());
  }

  /** Resolves when the connection is over; rejects only when the signal is aborted. */
  async read(slots: LogSlots): Promise<StreamEnd> {
    const { signal } = this.#context;
    let turnOver = false;
    const onTurnOver = () => {
      turnOver = true;
      this.abort();
    };
    const slot = await slots.take(onTurnOver, signal, this.#run.isUrgent);
    const onAbort = () => this.#stream.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const watch = watchSilence(
      this.#context.clock,
      () => this.#isStalled(),
      () => this.abort(),
    );
    try {
      return await this.#ask(watch, await this.#tails());
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (turnOver && error instanceof StreamAbort) return { kind: 'turn-over' };
      if (isCutTimestamp(error)) return { kind: 'broken', error: new StreamAbort() };
      const failure = classifyFailure(error);
      if (failure.kind === 'waiting') return { kind: 'waiting', reason: failure.reason };
      return { kind: 'broken', error };
    } finally {
      watch.stop();
      if (!this.#brokeEarly) this.#run.walk.forgetRepeats();
      this.abort();
      signal.removeEventListener('abort', onAbort);
      slot.release();
    }
  }

  /** After its end: whether it may have broken before it came to what is new. A quiet log is waited for longer. */
  get #brokeEarly(): boolean {
    return this.#answeredMs !== undefined && this.#context.clock.steady() - this.#answeredMs < EARLY_MS;
  }

  /** After its end: whether it lasted long enough not to count as failed, though nothing was written. */
  wasSteady(): boolean {
    return this.#answeredMs !== undefined && this.#context.clock.steady() - this.#answeredMs >= STEADY_MS;
  }

  /** Lines from the end to request, one number after the other; after them only the time. */
  async #tails(): Promise<readonly number[]> {
    const { walk, lastLines, failures } = this.#run;
    if (!walk.hasLines) return lastLines === undefined ? [] : [lastLines];
    if (walk.hasWithheld) return [];
    const { isStuck, max } = walk;
    const nearest =
      isStuck && failures >= MIN_STUCK_FAILURES && max !== undefined
        ? await nearestTail({ ...this.#context, signal: this.#stream.signal }, this.#address, max)
        : undefined;
    return nearest === undefined ? [FIRST_TAIL, MAX_TAIL] : [nearest, FIRST_TAIL, MAX_TAIL];
  }

  async #ask(watch: SilenceWatch, tails: readonly number[]): Promise<StreamEnd> {
    const { walk, from } = this.#run;
    const since = sinceAt(walk.position, this.#context.clock.now()) ?? sinceFor(from);
    this.#since = since;
    const request = { follow: true, ...(since === undefined ? {} : { sinceTime: since }) };
    const reader = new LogReader(
      // A follow takes what comes at once.
      { ...this.#context, batchLines: Number.POSITIVE_INFINITY },
      this.#address,
      walk,
      {
        answered: () => {
          this.#answeredMs = this.#context.clock.steady();
          this.#run.onAnswer();
        },
        heard: () => watch.heard(),
        check: () => this.#check(),
        took: () => {
          if (walk.isUnsettled) this.#abortUnsettled();
        },
      },
      // Known lines show by themselves that the run is the one that was meant.
      { isChecked: walk.hasLines },
    );
    // A body that is not read to its end keeps its connection.
    const own = new AbortController();
    const signal = AbortSignal.any([this.#stream.signal, own.signal]);
    const answer = reader.answer(request, { resumes: true, tails, signal });
    const skips = new SkipWatch();
    try {
      for (;;) {
        const step = await answer.next();
        if (step.done === true) return endOf(step.value);
        const jump = skips.took(step.value, this.#context.clock.steady());
        await watch.taking(this.#run.onRecords(step.value));
        if (jump !== undefined && (await this.#beginsFile(jump.to)))
          reportGap(this.#context, this.#address.target, ROTATED, jump.from, jump.to);
      }
    } finally {
      own.abort();
      await answer.return({ kind: 'clean', rest: undefined });
    }
  }

  /** Whether a line that came just now stands at the start of the newest file, or before it: a file was skipped. */
  async #beginsFile(at: Timestamp): Promise<boolean> {
    const first = await firstTime({ ...this.#context, signal: this.#stream.signal }, this.#address);
    return first !== undefined && compareTimestamps(first, at) >= 0;
  }

  /** What is served in place of the run, by its pod; known lines would have shown it. */
  async #check(): Promise<Served | undefined> {
    const { target, runId } = this.#run;
    const fetched = await fetchNamedRun(this.#context, target, runId, this.#stream.signal);
    return fetched === 'replaced' || isOtherRun(fetched, runId) ? fetched : undefined;
  }

  /**
   * A follow has no end that shows what the lines held back are, and a read to the end does. Without it they wait for the
   * watch for silence, a minute (behaviour-follow-hazards.test.ts).
   */
  #abortUnsettled(): void {
    if (this.#awaitsKnown) return;
    this.#awaitsKnown = true;
    const { signal } = this.#stream;
    sleep(this.#context.clock, UNSETTLED_MS, signal).then(
      () => {
        if (this.#run.walk.isUnsettled) this.abort();
      },
      // The connection is over.
      () => undefined,
    );
  }

  /** Whether the log continues, or the run is over, without a sign from the stream. */
  async #isStalled(): Promise<boolean> {
    const { target, runId, walk } = this.#run;
    const fetched = await fetchContainer(this.#context, target);
    if (fetched === 'gone' || isOtherRun(fetched, runId)) return true;
    const seen = walk.last;
    try {
      const end = await probeEnd(this.#context, this.#address);
      if (end !== undefined) {
        // Not by the later one: a node's clock may have been set back.
        if (seen !== undefined && compareTimestamps(end.last.at, seen) === 0) return false;
        const { seconds } = end.last.at;
        if (this.#since !== undefined && seconds < this.#since.seconds)
          walk.withheldFrom(seconds - WITHHELD_SECONDS);
        return true;
      }
      // All that is known was rotated away before this answer, and maybe more with it.
      return walk.hasLines && !walk.aligned;
    } catch (error) {
      if (this.#context.signal.aborted) throw error;
      return false;
    }
  }
}

function endOf(end: AnswerEnd): StreamEnd {
  if (end.kind === 'clean' && end.fragment?.isOpen === true) throw new BodyError(end.fragment.text);
  if (end.kind !== 'other-run') return end;
  if (end.served === 'replaced') throw new PodReplaced();
  return { kind: 'other-run', fetched: end.served };
}
