import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { cutNotice } from './cut-notice.ts';
import { EmptyEnds } from './empty-ends.ts';
import { FailurePolicy, POD_DELETED, RUN_REMOVED } from './failure-policy.ts';
import { LineParser } from './line-parser.ts';
import { linesOf } from './lines-of.ts';
import { EndTracker, type LogEnd, probeEnd } from './log-end.ts';
import { previousRunId } from './pod-look.ts';
import { Position } from './position.ts';
import { resumeQuery, SMALL_LOG_BYTES } from './resume-query.ts';
import { MAX_TRIES, pauseBeforeTry, retrying } from './retrying.ts';
import { askLog, type RunAddress } from './run-address.ts';
import type { RunOutcome, RunReadOptions, RunStart } from './run-outcome.ts';
import { otherRunInDoubt, otherRunServed } from './served-run.ts';
import { mayBeRemoved } from './source-failure.ts';

type OnGap = (from: Timestamp, to: Timestamp) => void;
const ROTATED = 'the log was rotated on the node while it was read';
const WAITS = { firstMs: 100, maxMs: 5_000 };

/**
 * Reads one run of one container to its present end, in file order, each line once, whatever happens to the
 * connection in between. One reader serves one read.
 */
export class RunReader {
  readonly position: Position;
  /** How the read ended; undefined while it goes on, and when its consumer ended it. */
  outcome: RunOutcome | undefined;
  readonly failures: FailurePolicy;
  readonly #context: ReadContext;
  #run: RunAddress;
  readonly #options: RunReadOptions;
  readonly #tracker = new EndTracker();
  readonly #counter = { seq: 0 };
  #tries = 0;
  #progressed = false;
  #confirmed: boolean;
  #emptyEnds = new EmptyEnds();
  #lastError: unknown;
  /** The read began with the first line of the run. */
  readonly #fromStart: boolean;
  #bytesRead = 0;
  /** The present answer was asked for by a number of lines as well as by time. */
  #countsLines = false;
  /** The next resume is by time alone, for the number of lines was too small. */
  #byTimeAlone = false;

  constructor(context: ReadContext, run: RunAddress, options: RunReadOptions) {
    this.#context = context;
    this.failures = new FailurePolicy(context);
    this.#run = run;
    this.#options = options;
    this.position = options.position ?? new Position();
    this.#confirmed = options.confirmRun !== true;
    this.#fromStart = Object.values(options.start).every((v) => v === undefined) && !this.position.hasLines;
  }

  /** Batches of records in file order; each is there until the next is asked for. Look at `outcome` behind it. */
  async *batches(): AsyncGenerator<readonly LogRecord[], void, undefined> {
    while (this.outcome === undefined) {
      this.#progressed = false;
      let wait: number | undefined;
      let failed = false;
      try {
        yield* this.#readOnce();
        if (this.outcome !== undefined) return;
      } catch (error) {
        if (this.#context.signal.aborted) throw this.#context.signal.reason;
        failed = true;
        wait = await this.#onFailure(error);
        if (this.outcome !== undefined) return;
      }
      this.#tries = this.#progressed ? 0 : this.#tries + 1;
      if (failed && this.#options.thenFollow && this.failures.isAway)
        this.#tries = Math.min(this.#tries, MAX_TRIES - 1);
      if (this.#tries >= MAX_TRIES)
        return this.#giveUp(new Error('the log ended before its last line, again and again'));
      const attempt = Math.max(0, this.#tries - 1);
      if (failed || !this.#progressed) await pauseBeforeTry(this.#context, attempt, WAITS, wait ?? 0);
    }
  }

  async *#readOnce(): AsyncGenerator<readonly LogRecord[], void, undefined> {
    // Each request is answered with the run of its own moment; only known lines show that it is the one of before.
    if (this.#options.confirmRun === true && !this.position.hasLines) this.#confirmed = false;
    const since = this.position.since;
    const before = since === undefined ? undefined : this.position.fork();
    const resumed = await this.#resumeFrom(since);
    this.#countsLines = resumed?.tailLines !== undefined;
    const response = await askLog(this.#context, this.#run, resumed ?? this.#options.start);
    this.failures.onAnswer();
    if (response.status === 204) {
      this.outcome = { kind: 'waiting', reason: 'the pod has no node yet' };
      return;
    }
    if (since !== undefined) this.position.beginResume();
    this.#tracker.beginAnswer(resumed === undefined ? this.#options.start.tailLines : undefined);
    const parser = new LineParser(this.#run.source, this.#counter);
    try {
      for await (const chunk of response.body) {
        this.#bytesRead += chunk.length;
        for (const { lines, failure } of linesOf(chunk, parser, this.#context.batchLines)) {
          if (lines.length > 0) {
            const batch = await this.#take(lines, before);
            if (batch === 'other-place' || this.outcome !== undefined) return;
            if (batch.length > 0) yield batch;
            // Suspended generators hold what they gave last: with a hundred lanes that is most of all records.
            lines.length = 0;
          }
          if (failure !== undefined) throw failure.error;
        }
      }
    } finally {
      if (parser.cutLines > 0) this.#context.report(cutNotice(this.#run.target, parser.cutLines));
    }
    yield* this.#onCleanEnd(parser.end(), before);
    if (this.outcome?.kind === 'complete' && this.position.isUnsettled)
      yield* this.#giveLast(before, (onGap) => this.position.settle(onGap));
  }

  /** Admits what is new; at the first records makes sure that they are those of the run that was meant. */
  async #take(
    lines: readonly LogRecord[],
    before: Position | undefined,
  ): Promise<readonly LogRecord[] | 'other-place'> {
    if (!this.#confirmed && !(await this.#confirm(lines[0]))) return [];
    const fresh = await this.#admit(before, (onGap) => this.position.admit(lines, onGap));
    if (fresh === 'other-place') return fresh;
    this.#tracker.note(lines);
    if (fresh.length > 0) {
      this.#progressed = true;
      this.#tries = 0;
      this.failures.onProgress();
    }
    return fresh;
  }

  /** Lines may be missing in front of what is admitted: asks again where the answer itself was too short. */
  async #admit(
    before: Position | undefined,
    admit: (onGap: OnGap) => readonly LogRecord[],
  ): Promise<readonly LogRecord[] | 'other-place'> {
    let gap: { readonly from: Timestamp; readonly to: Timestamp } | undefined;
    const fresh = admit((from, to) => {
      gap = { from, to };
    });
    if (gap !== undefined && before !== undefined) {
      if (this.#countsLines) {
        // The log may have outgrown the number of lines.
        this.position.restore(before);
        this.#byTimeAlone = true;
        this.#progressed = true;
        return 'other-place';
      }
      if (await this.#isOtherRun(before)) return 'other-place';
    }
    if (gap !== undefined) this.#reportGap(gap.from, gap.to, ROTATED);
    return fresh;
  }

  async #resumeFrom(since: Timestamp | undefined): Promise<RunStart | undefined> {
    if (since === undefined || (this.#options.isNewRun === true && !this.position.hasLines)) return undefined;
    const isSmall = this.#fromStart && this.#bytesRead < SMALL_LOG_BYTES;
    // In what seems to be removed no place is looked for.
    const isByTime = this.#byTimeAlone || isSmall || mayBeRemoved(this.#lastError, this.#run);
    this.#byTimeAlone = false;
    return isByTime ? { sinceTime: since } : resumeQuery(this.#context, this.#run, since);
  }

  /** Whether the present answer, and all before it, are of the run that was meant. */
  async #confirm(first: LogRecord | undefined): Promise<boolean> {
    this.#confirmed = true;
    const look = await otherRunServed(this.#context, this.#run, first);
    if (look === undefined) return true;
    if (look === 'replaced') this.#onReplaced();
    else if (this.position.hasLines && this.#run.previous) {
      this.#reportGap(this.position.max, undefined, RUN_REMOVED);
      this.outcome = { kind: 'absent' };
    } else this.outcome = { kind: 'moved', target: look };
    return false;
  }

  /**
   * An answer does not go on where the last one ended. Where the container was started again in the middle of the
   * read, the rest of this run is now the previous one, or was removed.
   */
  async #isOtherRun(before: Position): Promise<boolean> {
    const look = await otherRunInDoubt(this.#context, this.#run);
    if (look === undefined) return false;
    this.position.restore(before);
    if (look === 'replaced') this.#onReplaced();
    else if (!this.#run.previous && previousRunId(look) === this.#run.source.key.containerId) {
      this.#run = { target: look, source: this.#run.source, previous: true };
      this.#emptyEnds = new EmptyEnds();
    } else {
      this.#reportGap(this.position.max, undefined, RUN_REMOVED);
      this.outcome = { kind: 'complete' };
    }
    this.#progressed = true;
    return true;
  }

  /** Another pod has the name: what is answered is none of this one's. */
  #onReplaced(): void {
    if (this.position.hasLines) this.#reportGap(this.position.max, undefined, POD_DELETED);
    this.outcome = { kind: 'gone' };
  }

  async *#onCleanEnd(
    rest: LogRecord | undefined,
    before: Position | undefined,
  ): AsyncGenerator<readonly LogRecord[], void, undefined> {
    this.failures.onEnd(this.position.aligned);
    if (!this.#tracker.isAtEnd(rest)) {
      const answer = await retrying(this.#context, this.#run, () => probeEnd(this.#context, this.#run));
      // Behind the probe, for that too is believed of this run.
      if (!this.#confirmed && !(await this.#confirm(rest))) return;
      if ('outcome' in answer) {
        if (answer.outcome.kind === 'failed') throw answer.outcome.error;
        this.#reportGap(this.position.max, undefined, 'the log went away while it was read');
        this.outcome = answer.outcome;
        return;
      }
      const end = answer.value;
      if (end === undefined) return this.#onEmptyEnd(rest !== undefined, before);
      if (rest !== undefined && this.#tracker.isRestEnd(rest, end)) {
        const isHeldBack = end.last.partial && !this.#options.giveUnterminated;
        const last = isHeldBack ? [] : [{ ...rest, partial: end.last.partial }];
        yield* this.#giveLast(before, (onGap) => this.position.admit(last, onGap));
        return;
      }
      if (this.#endsBeforeStart(end)) {
        this.outcome = { kind: 'complete' };
        return;
      }
      const behind = this.#tracker.linesBehind(end);
      if (behind !== undefined) {
        const last = behind.map((line) => ({ ...line, seq: this.#counter.seq++ }));
        yield* this.#giveLast(before, (onGap) => this.position.admit(last, onGap));
        return;
      }
      this.#tracker.setBound(end);
    }
    if (this.#tracker.isAtEnd(rest)) this.outcome = { kind: 'complete' };
  }

  /** Nothing more is in the time asked for: the last line is in front of it, also where a clock was set back. */
  #endsBeforeStart({ last }: LogEnd): boolean {
    if (last.at.seconds >= (this.#options.start.sinceTime?.seconds ?? -Infinity)) return false;
    // A resume by time, behind a cut, may leave out lines that were stamped earlier.
    if (this.#lastError === undefined && !this.#progressed) return true;
    return !this.#tracker.hasLines && !this.position.hasLines;
  }

  /** What comes at the very end of the log; or nothing, where it turns out to be that of another run. */
  async *#giveLast(
    before: Position | undefined,
    admit: (onGap: OnGap) => readonly LogRecord[],
  ): AsyncGenerator<readonly LogRecord[], void, undefined> {
    this.outcome = undefined;
    const fresh = await this.#admit(before, admit);
    if (fresh === 'other-place') return;
    this.outcome = { kind: 'complete' };
    if (fresh.length > 0) yield fresh;
  }

  async #onEmptyEnd(hasRest: boolean, before: Position | undefined): Promise<void> {
    const meaning = this.#emptyEnds.meaning(this.position.hasLines, hasRest);
    if (meaning === 'unsure') return;
    if (meaning === 'rotated' && before !== undefined && (await this.#isOtherRun(before))) return;
    if (meaning === 'rotated') this.#reportGap(this.position.max, undefined, ROTATED);
    this.outcome = { kind: 'complete' };
  }

  /** Acts on a failed try; returns how long to wait at least. */
  async #onFailure(error: unknown): Promise<number | undefined> {
    this.#lastError = error;
    const verdict = await this.failures.judge(error, this.#run, this.position.hasLines);
    if (verdict.kind === 'again') return verdict.afterMs;
    if (verdict.kind === 'give-up') return void this.#giveUp(error);
    if (verdict.gap !== undefined) {
      this.#reportGap(this.position.hasLines ? this.position.max : undefined, undefined, verdict.gap);
    }
    this.outcome = verdict.outcome;
    return undefined;
  }

  #giveUp(error: unknown): void {
    if (this.position.hasLines && (!this.#options.thenFollow || this.#run.previous))
      this.#reportGap(this.position.max, undefined, 'the log could not be read to its end');
    this.outcome = { kind: 'failed', error: this.#lastError ?? error };
  }

  #reportGap(from: Timestamp | undefined, to: Timestamp | undefined, why: string): void {
    this.#context.report({ type: 'gap', target: this.#run.target, from, to, why });
  }
}
