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
 * Lines from the end to resume with, in addition to the time: by time only, the node reads the whole file, 2 s for 1 GB
 * (test/recorded/pods-log/size-1GB-*.json). If these do not reach back to what is known, the follower requests more.
 */
const FIRST_TAIL = 1_000;
const MAX_TAIL = 30_000;
/** With fewer failures, a log may just be quiet. */
const MIN_STUCK_FAILURES = 2;

/**
 * Longer than any silence before a check (watchSilence), together with the previous one: the server withheld what was
 * written during them.
 */
const WITHHELD_SECONDS = 600;

/** A connection that lasts this long shows that connections no longer break. */
const STEADY_MS = 30_000;
/** Lines written before the connection arrive within this time. */
const EARLY_MS = 5_000;

/** Lines written before the connection arrive at once: this long, lines may wait for a known one that follows them. */
const UNSETTLED_MS = 2_000;

/** How one connection to a followed log ended. */
export type StreamEnd =
  /** `rest`: the last, unterminated line. */
  | { readonly kind: 'clean'; readonly rest: LogRecord | undefined }
  | { readonly kind: 'waiting'; readonly reason: WaitReason }
  /** Another run answered. */
  | { readonly kind: 'other-run'; readonly fetched: ContainerTarget }
  /** Other containers wait to be followed. */
  | { readonly kind: 'turn-over' }
  | { readonly kind: 'broken'; readonly error: unknown };

interface FollowedRun {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly walk: Walk;
  /** Consecutive connections that delivered nothing. */
  readonly failures: number;
  readonly from: Bound | undefined;
  /** Lines to begin with if the run has been unreadable so far; undefined: all. */
  readonly lastLines: number | undefined;
  /** Whether the log will disappear soon. */
  readonly isUrgent: () => boolean;
  /** Called when the server answers with something other than a refusal. */
  onAnswer(): void;
  onRecords(records: readonly LogRecord[]): Promise<void>;
}

/** One connection to the log of a run, starting at a position. */
export class FollowConnection {
  readonly #context: ReadContext;
  readonly #run: FollowedRun;
  readonly #address: RunAddress;
  /** Start time of the requested lines. */
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

  /** Resolves when the connection ends; rejects only when the signal is aborted. */
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

  /** After its end: whether it may have broken before it reached new lines. A quiet log takes longer than that. */
  get #brokeEarly(): boolean {
    return this.#answeredMs !== undefined && this.#context.clock.steady() - this.#answeredMs < EARLY_MS;
  }

  /** After its end: whether it lasted long enough not to count as failed, even without new lines. */
  wasSteady(): boolean {
    return this.#answeredMs !== undefined && this.#context.clock.steady() - this.#answeredMs >= STEADY_MS;
  }

  /** Returns the numbers of lines from the end to request, in turn; after them only the time applies. */
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
      // A follow delivers everything that has arrived immediately.
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
      // Known lines show by themselves that the run is the intended one.
      { isChecked: walk.hasLines },
    );
    // A body that is not read to its end keeps its connection open.
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

  /** Whether a just received line is at the start of the newest file, or before it: then the stream skipped a file. */
  async #beginsFile(at: Timestamp): Promise<boolean> {
    const first = await firstTime({ ...this.#context, signal: this.#stream.signal }, this.#address);
    return first !== undefined && compareTimestamps(first, at) >= 0;
  }

  /** Asks the pod which run is served instead; known lines would have shown it. */
  async #check(): Promise<Served | undefined> {
    const { target, runId } = this.#run;
    const fetched = await fetchNamedRun(this.#context, target, runId, this.#stream.signal);
    return fetched === 'replaced' || isOtherRun(fetched, runId) ? fetched : undefined;
  }

  /**
   * Ends a connection whose held lines stay unresolved. A follow has no end that would resolve them, but a read to the
   * end does. Otherwise they would wait for the silence check, a minute (behaviour-follow-hazards.test.ts).
   */
  #abortUnsettled(): void {
    if (this.#awaitsKnown) return;
    this.#awaitsKnown = true;
    const { signal } = this.#stream;
    sleep(this.#context.clock, UNSETTLED_MS, signal).then(
      () => {
        if (this.#run.walk.isUnsettled) this.abort();
      },
      // The connection has ended.
      () => undefined,
    );
  }

  /** Whether the log continues, or the run has ended, without a sign from the stream. */
  async #isStalled(): Promise<boolean> {
    const { target, runId, walk } = this.#run;
    const fetched = await fetchContainer(this.#context, target);
    if (fetched === 'gone' || isOtherRun(fetched, runId)) return true;
    const seen = walk.last;
    try {
      const end = await probeEnd(this.#context, this.#address);
      if (end !== undefined) {
        // Does not compare which is later: a node's clock may have been set back.
        if (seen !== undefined && compareTimestamps(end.last.at, seen) === 0) return false;
        const { seconds } = end.last.at;
        if (this.#since !== undefined && seconds < this.#since.seconds)
          walk.withheldFrom(seconds - WITHHELD_SECONDS);
        return true;
      }
      // All known lines were rotated away before this answer, and maybe more.
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
