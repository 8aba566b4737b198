import {
  type ContainerTarget,
  currentRunId,
  endOfRunsBefore,
  oldestNamedRun,
} from '../../domain/container.ts';
import type { GapCause } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import type { Admission } from './answer-check.ts';
import { EndTracker } from './end-tracker.ts';
import { FailurePolicy, POD_DELETED, ROTATED, RUN_REMOVED } from './failure-policy.ts';
import { BodyError } from './line-parser.ts';
import { type LogEnd, probeEnd } from './log-end.ts';
import { type AnswerEnd, type CleanEnd, failureIn, LogReader } from './log-reader.ts';
import type { LogRequest, RunAddress } from './open-log.ts';
import { mayBeRemoved } from './read-failure.ts';
import { reportGap } from './report-container.ts';
import { READ_TO_END } from './request-start.ts';
import { type RepeatedRead, readUntilOver, retrying } from './retrying.ts';
import { EMPTY_ENDS, type RunOutcome, type RunReadOptions } from './run-outcome.ts';
import { Walk } from './walk.ts';

type Batches = AsyncGenerator<readonly LogRecord[], void, undefined>;

/**
 * Reads one run of one container to its current end, in file order, each line once, whatever happens to the connection.
 * One reader serves one read.
 */
export class RunReader implements RepeatedRead<readonly LogRecord[], AnswerEnd> {
  readonly walk: Walk;
  /** How the read ended; undefined while it continues, and if its consumer ended it. */
  outcome: RunOutcome | undefined;
  readonly failures: FailurePolicy;
  readonly #context: ReadContext;
  readonly #options: RunReadOptions;
  readonly #reader: LogReader;
  readonly #tracker = new EndTracker();
  #emptyEnds = 0;

  constructor(context: ReadContext, run: RunAddress, options: RunReadOptions) {
    this.#context = context;
    this.failures = new FailurePolicy(context);
    this.#options = options;
    this.walk = options.walk ?? new Walk();
    const { start, confirmRun } = options;
    const listener = {
      answered: (request: LogRequest) => {
        this.failures.onAnswer();
        this.#tracker.beginAnswer(request === start ? request.tailLines : undefined);
      },
      took: (lines: readonly LogRecord[], fresh: readonly LogRecord[]) => this.#onLines(lines, fresh),
    };
    this.#reader = new LogReader(context, run, this.walk, listener, {
      ...READ_TO_END,
      start,
      confirms: confirmRun === true ? 'first' : 'never',
    });
  }

  get run(): RunAddress {
    return this.#reader.run;
  }

  get hasLines(): boolean {
    return this.walk.hasLines;
  }

  get thenFollow(): boolean {
    return this.#options.thenFollow === true;
  }

  /**
   * Yields batches of records in file order; each is valid until the next is requested. Read `outcome` after the last.
   */
  batches(): Batches {
    return readUntilOver(this.#context, this);
  }

  begin(): ReturnType<LogReader['answer']> {
    // Does not search for a position in a log that seems to be removed.
    return this.#reader.answer({ isSearchable: !mayBeRemoved(this.failures.lastError, this.run) });
  }

  async *onEnd(end: AnswerEnd): Batches {
    if (end.kind !== 'clean') return this.#onOtherEnd(end);
    yield* this.#onCleanEnd(end);
    if (!this.#isComplete) return;
    // What is written from now on is no repetition.
    this.walk.forgetRepeats();
    if (this.walk.isUnsettled) yield* this.#giveLast((onGap) => this.walk.settle(onGap));
  }

  get #isComplete(): boolean {
    return this.outcome?.kind === 'complete';
  }

  #onLines(lines: readonly LogRecord[], fresh: readonly LogRecord[]): void {
    this.#tracker.note(lines);
    if (fresh.length > 0) this.failures.onProgress();
  }

  /** Handles an answer that was not the requested one. */
  #onOtherEnd(end: AnswerEnd): void {
    if (end.kind === 'waiting') this.outcome = end;
    else if (end.kind !== 'other-run') return;
    else if (end.served === 'replaced') this.#onReplaced();
    else if (end.isAtStart) this.#onMoved(end.served);
    else this.#onOtherRun(end.served);
  }

  /** Handles another run in place of the intended one, from the first line on. */
  #onMoved(target: ContainerTarget): void {
    if (this.walk.hasLines && this.run.previous) {
      this.#reportRemoved(target);
      this.outcome = { kind: 'absent' };
    } else this.outcome = { kind: 'moved', target };
  }

  /**
   * Handles another run. If the container restarted in the middle of the read, the rest of this run is now the previous
   * one, or was removed.
   */
  #onOtherRun(served: ContainerTarget): void {
    this.failures.hasProgressed = true;
    if (this.#reader.check.followToPrevious(served)) this.#emptyEnds = 0;
    else {
      this.#reportRemoved(served);
      this.outcome = { kind: 'complete' };
    }
  }

  /** Reports the rest of this run as removed. `served`: the container as it is now. */
  #reportRemoved(served: ContainerTarget): void {
    const end = endOfRunsBefore(served, oldestNamedRun(served));
    reportGap(this.#context, this.run.target, RUN_REMOVED, this.walk.max, end);
  }

  /** Handles another pod with the same name: its answers do not belong to this one. */
  #onReplaced(): void {
    if (this.walk.hasLines) this.reportGap(POD_DELETED);
    this.outcome = { kind: 'gone' };
  }

  async *#onCleanEnd(answer: CleanEnd): Batches {
    const { rest } = answer;
    const failure = failureIn(answer);
    if (failure === undefined) this.failures.onEnd(this.walk.aligned);
    if (!this.#tracker.isAtEnd(rest)) {
      const probed = await this.#probe(answer, failure);
      if (probed === undefined) return;
      const last = this.#lastLines(rest, probed.end);
      if (last !== undefined) {
        yield* this.#giveLast((onGap) => this.walk.admit(last, onGap));
        return;
      }
      if (this.#endsBeforeStart(probed.end)) {
        this.outcome = { kind: 'complete' };
        return;
      }
      if (failure !== undefined) throw failure;
      this.#tracker.setBound(probed.end);
    }
    if (this.#tracker.isAtEnd(rest)) this.outcome = { kind: 'complete' };
  }

  /** Requests the current end of the log; undefined if the answer decided what to do. */
  async #probe(
    { rest, fragment }: CleanEnd,
    failure: BodyError | undefined,
  ): Promise<{ readonly end: LogEnd } | undefined> {
    const probe = () => probeEnd(this.#context, this.run, { needsStart: fragment !== undefined });
    // A possible failure text is not an answer: the whole read is retried.
    const answer =
      failure === undefined
        ? await retrying(this.#context, this.run, probe)
        : { value: await this.#probeDoubtful(failure, probe) };
    // After the probe, which is also attributed to this run.
    const other = await this.#reader.check.confirm(rest);
    if (other !== undefined) {
      this.#onOtherEnd(other);
      return undefined;
    }
    if ('outcome' in answer) {
      if (answer.outcome.kind === 'failed') throw answer.outcome.error;
      reportGap(this.#context, this.run.target, { code: 'log-gone', data: {} }, this.walk.max);
      this.outcome = answer.outcome;
      return undefined;
    }
    if (answer.value !== undefined) return { end: answer.value };
    await this.#onEmptyEnd(rest !== undefined || fragment !== undefined);
    return undefined;
  }

  /** Requests the end of the log once: a node that cannot read the log reports that to every request. */
  #probeDoubtful<T>(failure: BodyError, probe: () => Promise<T>): Promise<T> {
    if (this.failures.lastError instanceof BodyError) throw failure;
    return probe();
  }

  /** Returns the lines at the end of the log that the answer lacked, if they are certain. */
  #lastLines(rest: LogRecord | undefined, end: LogEnd): readonly LogRecord[] | undefined {
    if (rest !== undefined && this.#tracker.isRestEnd(rest, end)) {
      const isHeldBack = end.last.partial && !this.#options.giveUnterminated;
      return isHeldBack ? [] : [{ ...rest, partial: end.last.partial }];
    }
    if (this.#endsBeforeStart(end)) return undefined;
    return this.#tracker.linesAfter(end)?.map((line) => ({ ...line, seq: this.walk.counter.seq++ }));
  }

  /**
   * Whether the requested time range contains nothing more: the last line precedes it, which includes a clock set back.
   */
  #endsBeforeStart({ last }: LogEnd): boolean {
    if (last.at.seconds >= (this.#options.start.sinceTime?.seconds ?? -Infinity)) return false;
    // A resume by time, after a lost connection, may leave out lines with earlier timestamps.
    if (this.failures.lastError === undefined && !this.failures.hasProgressed) return true;
    return !this.#tracker.hasLines && !this.walk.hasLines;
  }

  /** Gives what comes at the very end of the log; or nothing, if it turns out to belong to another run. */
  async *#giveLast(admission: Admission<readonly LogRecord[]>): Batches {
    this.outcome = undefined;
    const fresh = await this.#reader.admit(admission);
    if ('kind' in fresh) return fresh.kind === 'too-short' ? undefined : this.#onOtherEnd(fresh);
    this.outcome = { kind: 'complete' };
    if (fresh.length > 0) yield fresh;
  }

  /** Handles an empty answer. `hasRest`: the answer ended with an unterminated line, so it was not empty. */
  async #onEmptyEnd(hasRest: boolean): Promise<void> {
    this.#emptyEnds++;
    const { hasLines } = this.walk;
    if (hasRest || this.#emptyEnds < (hasLines ? EMPTY_ENDS.withLines : EMPTY_ENDS.withoutLines)) return;
    const other = hasLines && this.#reader.check.resumes ? await this.#reader.check.isOtherRun() : undefined;
    if (other !== undefined) {
      this.#reader.check.undo();
      return this.#onOtherEnd(other);
    }
    if (hasLines) this.reportGap(ROTATED);
    this.outcome = { kind: 'complete' };
  }

  reportGap(cause: GapCause): void {
    const { previous, target } = this.run;
    // What is missing of the previous run was written before the current one; a deleted pod lacks both.
    const isOfRun = previous && cause !== POD_DELETED;
    const end = isOfRun ? endOfRunsBefore(target, currentRunId(target)) : undefined;
    reportGap(this.#context, target, cause, this.walk.hasLines ? this.walk.max : undefined, end);
  }
}
