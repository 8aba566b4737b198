import { answerStopped } from '@logtool/kube/src/errors.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { ROTATED } from '../run/failure-policy.ts';
import { fetchContainer } from '../run/fetch-container.ts';
import { firstTime } from '../run/first-record.ts';
import { BodyError } from '../run/line-parser.ts';
import { probeEnd } from '../run/log-end.ts';
import { type AnswerEnd, failureIn, LogReader } from '../run/log-reader.ts';
import { addressRun, type LogRequest } from '../run/open-log.ts';
import { classifyFailure, PodReplaced, StreamAbort } from '../run/read-failure.ts';
import { reportGap } from '../run/report-container.ts';
import { FOLLOW } from '../run/request-start.ts';
import { isOtherRun } from '../run/served-run.ts';
import type { Walk } from '../run/walk.ts';
import type { LogSlots } from './log-slots.ts';
import { type SilenceWatch, UNHEARD_MS, watchSilence } from './silence-watch.ts';
import { SkipWatch } from './skip-watch.ts';

/**
 * Longer than any silence before a check (watchSilence), together with the previous one: the server withheld what was
 * written during them.
 */
const WITHHELD_SECONDS = 600;

/** A connection that lasts this long shows that connections no longer break. */
const STEADY_MS = 30_000;

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
  /** What to follow while no line of the run is known. */
  readonly start: LogRequest;
  /** Whether the log will disappear soon. */
  readonly isUrgent: () => boolean;
  /** The connection before stalled: this one has answered only once it brings a line, or the log has no new one. */
  readonly hasStalled: boolean;
  /** Called when the server answers with something other than a refusal. */
  onAnswer(): void;
  onRecords(records: readonly LogRecord[]): Promise<void>;
}

/** One connection to the log of a run, starting at a position. */
export class FollowConnection {
  readonly #context: ReadContext;
  readonly #run: FollowedRun;
  readonly #reader: LogReader;
  readonly #stream = new AbortController();
  #watch: SilenceWatch | undefined;
  #awaitsKnown = false;
  /** It must begin with a line that is known, and has not sent it. */
  #isUnheard: boolean;
  #isAnswered = false;
  #isChecked = false;
  /** It has not begun, and the log has lines that it should have brought. */
  #hasStalled = false;

  constructor(context: ReadContext, run: FollowedRun) {
    this.#context = context;
    this.#run = run;
    const { walk, start } = run;
    this.#isUnheard = walk.hasLines;
    const listener = {
      answered: () => {
        if (!run.hasStalled) this.#noteAnswer();
      },
      heard: () => {
        this.#isUnheard = false;
        this.#hasStalled = false;
        this.#noteAnswer();
        this.#watch?.heard();
      },
      took: () => {
        if (walk.isUnsettled) this.#abortUnsettled();
      },
    };
    this.#reader = new LogReader(
      // A follow delivers everything that has arrived immediately.
      { ...context, batchLines: Number.POSITIVE_INFINITY },
      addressRun(run.target, run.runId, false),
      walk,
      listener,
      { ...FOLLOW, start: { ...start, follow: true } },
    );
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
    const watch = watchSilence(this.#context.clock, {
      isStalled: () => this.#isStalled(),
      onStall: () => this.#endStalled(),
      repeats: this.#isUnheard,
    });
    this.#watch = watch;
    try {
      return await this.#take(watch);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (turnOver && error instanceof StreamAbort) {
        // It was too short to bring new lines of a quiet log.
        this.#run.walk.forgetRepeats();
        return { kind: 'turn-over' };
      }
      // The end of the body was a cut, and no failure to report.
      if (error instanceof BodyError && error.isCutTimestamp)
        return { kind: 'broken', error: new StreamAbort() };
      const failure = classifyFailure(error);
      if (failure.kind === 'waiting') return { kind: 'waiting', reason: failure.reason };
      return { kind: 'broken', error };
    } finally {
      watch.stop();
      this.abort();
      signal.removeEventListener('abort', onAbort);
      slot.release();
    }
  }

  /** After its end: whether it lasted long enough not to count as failed, even without new lines. */
  wasSteady(): boolean {
    return this.#reader.wasAnsweredFor(STEADY_MS);
  }

  /** After its end: whether the log has lines that it should have brought, and it brought none. */
  get hasStalled(): boolean {
    return this.#hasStalled || (this.#run.hasStalled && !this.#isAnswered);
  }

  #noteAnswer(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#run.onAnswer();
  }

  /** A connection that stalls before its first line is a failure to report: since the one before, nothing was read. */
  #endStalled(): void {
    if (this.#hasStalled) this.#stream.abort(answerStopped(UNHEARD_MS));
    else this.abort();
  }

  async #take(watch: SilenceWatch): Promise<StreamEnd> {
    const answer = await this.#reader.answer({ signal: this.#stream.signal });
    const skips = new SkipWatch();
    try {
      for (;;) {
        const before = this.#context.backend && this.#run.walk.position;
        const step = await answer.next();
        if (step.done === true) return endOf(step.value);
        const jump = skips.took(step.value, this.#context.clock.steady());
        if (before !== undefined && jump !== undefined && (await this.#beginsFile(jump.to))) {
          // The next connection begins after the last line before the skipped file, which the node still has.
          this.#run.walk.restore(before);
          return { kind: 'broken', error: new StreamAbort() };
        }
        await watch.taking(this.#run.onRecords(step.value));
        if (before === undefined && jump !== undefined && (await this.#beginsFile(jump.to)))
          reportGap(this.#context, this.#run.target, ROTATED, jump.from, jump.to);
      }
    } finally {
      // A body that is not read to its end keeps its connection open.
      this.abort();
      await answer.return({ kind: 'clean', rest: undefined });
    }
  }

  /** Whether a just received line is at the start of the newest file, or before it: then the stream skipped a file. */
  async #beginsFile(at: Timestamp): Promise<boolean> {
    const first = await firstTime({ ...this.#context, signal: this.#stream.signal }, this.#reader.run);
    return first !== undefined && compareTimestamps(first, at) >= 0;
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
    const isFirstCheck = this.#isUnheard && !this.#isChecked;
    this.#isChecked = true;
    const fetched = await fetchContainer(this.#context, target);
    if (fetched === 'gone' || isOtherRun(fetched, runId)) return true;
    const seen = walk.last;
    try {
      const end = await probeEnd(this.#context, this.#reader.run);
      if (end !== undefined) {
        // Does not compare which is later: a node's clock may have been set back.
        if (seen !== undefined && compareTimestamps(end.last.at, seen) === 0) {
          this.#noteAnswer();
          return false;
        }
        const { at } = end.last;
        this.#hasStalled = this.#isUnheard;
        if (this.#reader.beganAfter(at)) walk.withheldFrom(at.seconds - WITHHELD_SECONDS);
        return true;
      }
      // All known lines were rotated away before this answer, and maybe more; it can still bring later ones.
      return walk.hasLines && !walk.aligned && !isFirstCheck;
    } catch (error) {
      if (this.#context.signal.aborted) throw error;
      return false;
    }
  }
}

function endOf(end: AnswerEnd): StreamEnd {
  if (end.kind === 'clean') {
    const failure = failureIn(end);
    if (failure !== undefined) throw failure;
  }
  if (end.kind !== 'other-run') return end;
  if (end.served === 'replaced') throw new PodReplaced();
  return { kind: 'other-run', fetched: end.served };
}
