import { currentRunId } from '../../domain/container.ts';
import { isFiltering } from '../../domain/filter.ts';
import type { Frame, GapCause } from '../../domain/frame.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { AnswerCheck, type OtherRun } from '../run/answer-check.ts';
import { FailurePolicy, POD_DELETED, RUN_REMOVED } from '../run/failure-policy.ts';
import { previousRunId } from '../run/fetch-container.ts';
import { BodyError, sameBytes } from '../run/line-parser.ts';
import { probeEnd } from '../run/log-end.ts';
import { addressRun, type LogRequest, openLog, type RunAddress } from '../run/open-log.ts';
import { reportGap, reportOutcome } from '../run/report-container.ts';
import { type RepeatedRead, readUntilOver, retrying } from '../run/retrying.ts';
import { EMPTY_ENDS, NO_NODE, type RunOutcome } from '../run/run-outcome.ts';
import type { WindowInput } from '../window/window-result.ts';
import { type BytePosition, ByteWalk, countLines } from './byte-walk.ts';

/** Lines to request to check whether the log continues after the copied part: more if it grew by as many meanwhile. */
const FIRST_CHECK_LINES = 1000;
const MAX_CHECK_LINES = 512_000;
/** Maximum checks of the log's end after one copy. */
const MAX_FETCHES = 3;
/** An answer without a newline, up to this length, may be a failure of the node instead of a log. */
const DOUBTFUL_BYTES = 2048;
const LF = 10;

/**
 * Copies one container's log byte for byte, if the query allows it: the output of `kubectl logs`, at the same cost.
 * Returns whether it did; if not, it read nothing.
 */
export async function* passThrough(
  context: ReadContext,
  input: WindowInput,
  plan: EnginePlan,
): AsyncGenerator<Frame, boolean, undefined> {
  const run = runToCopy(input, plan);
  if (run === undefined) return false;
  const copy = new Copy(context, run, copyQuery(plan));
  for await (const bytes of copy.chunks()) yield { type: 'bytes', bytes };
  reportOutcome(context, run.target, copy.outcome);
  yield { type: 'end', live: false, prev: undefined, next: undefined, cut: false };
  return true;
}

/** Whether a plan leaves the bytes of one container unchanged. */
export function mayCopy({ raw, cursors, window, filter }: EnginePlan): boolean {
  return raw && !cursors && !window.follow && window.to === undefined && !isFiltering(filter);
}

/** Returns the run to copy; undefined if only its lines can identify it. */
function runToCopy(input: WindowInput, plan: EnginePlan): RunAddress | undefined {
  const { window } = plan;
  const target = input.targets[0];
  if (!mayCopy(plan)) return undefined;
  if (target === undefined || input.targets.length > 1) return undefined;
  if (window.selection.kind === 'head') return undefined;
  if (window.from !== undefined && window.sinceSeconds === undefined) {
    if (window.from.kind !== 'inclusive' || window.from.at.nanos !== 0) return undefined;
  }
  if (window.previous === 'only') {
    return target.lastContainerId === undefined
      ? undefined
      : addressRun(target, target.lastContainerId, true);
  }
  if (window.previous === 'auto' && previousRunId(target) !== undefined) return undefined;
  return addressRun(target, currentRunId(target), false);
}

/** Returns the log request for the copy. */
export function copyQuery({ window }: EnginePlan): LogRequest {
  const { selection, sinceSeconds, from } = window;
  return {
    timestamps: false,
    ...(selection.kind === 'tail' ? { tailLines: selection.count } : {}),
    ...(sinceSeconds !== undefined
      ? { sinceSeconds }
      : from?.kind === 'inclusive'
        ? { sinceTime: from.at }
        : {}),
  };
}

/** Ends as the other run that turned out to answer, if one did. */
type Chunks = AsyncGenerator<Uint8Array, OtherRun | undefined, undefined>;

class Copy implements RepeatedRead<Uint8Array, OtherRun | undefined> {
  readonly #context: ReadContext;
  readonly failures: FailurePolicy;
  readonly thenFollow = false;
  readonly #query: LogRequest;
  readonly #walk: ByteWalk;
  readonly #check: AnswerCheck<BytePosition>;
  #checkLines: number;
  #emptyEnds = 0;
  outcome: RunOutcome | undefined;

  constructor(context: ReadContext, run: RunAddress, query: LogRequest) {
    const { tailLines, sinceSeconds } = query;
    this.#context = context;
    this.failures = new FailurePolicy(context);
    this.#query = query;
    this.#walk = new ByteWalk({
      tailLines,
      moves: tailLines !== undefined || sinceSeconds !== undefined,
    });
    this.#check = new AnswerCheck(context, run, this.#walk);
    // Requests the same lines first: if a log repeats itself, more of it looks as if it began where the copy did.
    this.#checkLines = Math.min(tailLines ?? FIRST_CHECK_LINES, FIRST_CHECK_LINES);
  }

  chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    return readUntilOver(this.#context, this);
  }

  get run(): RunAddress {
    return this.#check.run;
  }

  get hasLines(): boolean {
    return this.#walk.hasLines;
  }

  async begin(): Promise<Chunks | undefined> {
    const body = await openLog(this.#context, this.run, this.#query);
    if (body === undefined) {
      this.outcome = NO_NODE;
      return undefined;
    }
    this.failures.onAnswer();
    return this.hasLines ? this.#copyAfter(body) : this.#copyFirst(body);
  }

  /** Holds the first bytes until they are certainly a log: a node reports its failures as text, with status 200. */
  async *#copyFirst(body: AsyncIterable<Uint8Array>): Chunks {
    let held: Buffer | undefined = Buffer.alloc(0);
    for await (const chunk of body) {
      if (held === undefined) {
        yield this.#give(chunk);
        continue;
      }
      held = Buffer.concat([held, chunk]);
      if (held.length < DOUBTFUL_BYTES && held.indexOf(LF) === -1) continue;
      yield this.#give(held);
      held = undefined;
    }
    if (held === undefined || held.length === 0) return undefined;
    // With timestamps a failure becomes visible; otherwise the log is this one unterminated line.
    const end = await probeEnd(this.#context, this.run);
    if (end === undefined || !sameBytes(end.last.message, held)) throw new BodyError(held.toString());
    yield this.#give(held);
    return undefined;
  }

  /**
   * Copies the part of a repeated answer after the delivered bytes. Without timestamps two runs may begin with the same
   * bytes, so the pod confirms which run answers before anything new counts.
   */
  async *#copyAfter(body: AsyncIterable<Uint8Array>): Chunks {
    this.#check.begin(this.#walk.position);
    this.#check.doubt();
    this.#walk.beginResume();
    for await (const chunk of body) {
      const fresh = await this.#check.admit((onGap) => this.#walk.admit(chunk, onGap));
      if ('kind' in fresh) return fresh.kind === 'other-run' ? fresh : undefined;
      // Rotated: the rest of the log is requested from its start.
      if (!this.hasLines) return undefined;
      if (fresh.length === 0) continue;
      const other = await this.#check.confirm(undefined);
      if (other !== undefined) {
        this.#check.undo();
        return other;
      }
      this.failures.onProgress();
      yield fresh;
    }
    return undefined;
  }

  /** Handles another run than the copied one: the next request is for the previous run, if that is it now. */
  #onOtherRun({ served }: OtherRun): void {
    if (this.#check.followToPrevious(served)) return;
    this.reportGap(served === 'replaced' ? POD_DELETED : RUN_REMOVED);
    this.outcome = { kind: 'absent' };
  }

  /**
   * Checks a clean end, which may be a lost connection: the current end of the log shows it, and has the rest. The copy
   * is complete if it has what the log had at a check, not if a container that keeps writing pauses.
   */
  async *onEnd(other: OtherRun | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    if (other !== undefined) this.#onOtherRun(other);
    if (this.outcome === undefined) yield* this.#copyRest();
  }

  async *#copyRest(): AsyncGenerator<Uint8Array, void, undefined> {
    let rests = 0;
    let last: Buffer = Buffer.alloc(0);
    for (let fetched = 0; fetched < MAX_FETCHES; fetched++) {
      const found = await this.#readEnd();
      if (found === undefined) return;
      last = found.last;
      const { rest } = found;
      if (rest === undefined) {
        this.#checkLines = Math.max(FIRST_CHECK_LINES, this.#checkLines);
        continue;
      }
      if (rest.length > 0) {
        yield this.#give(rest);
        rests++;
      }
      // A check may break off as well: the second one counts any lines beyond the first.
      if (rest.length === 0 || (rests === 2 && this.#walk.endsLine)) return this.#complete();
      if (!this.#walk.endsLine) return;
    }
    this.#onUnknownEnd(last);
  }

  /** Handles that none of the last lines is among the delivered ones. */
  #onUnknownEnd(last: Buffer): void {
    // Fewer lines than requested: the log was rotated after the copy.
    if (countLines(last) < this.#checkLines && this.#walk.endsLine) this.#complete();
    this.#checkLines = Math.min(MAX_CHECK_LINES, this.#checkLines * 8);
  }

  #complete(): void {
    this.outcome = { kind: 'complete' };
  }

  /**
   * Reads the current end of the log, and the part that the copy lacks; undefined if there is nothing to compare, the
   * copy has ended, or another run answered.
   */
  async #readEnd(): Promise<{ readonly last: Buffer; readonly rest: Buffer | undefined } | undefined> {
    if (this.#walk.isFull) {
      this.#complete();
      return undefined;
    }
    const answer = await retrying(this.#context, this.run, () => this.#readLast());
    if ('outcome' in answer) {
      this.outcome = answer.outcome;
      return undefined;
    }
    const isEmpty = answer.value.length === 0;
    if (isEmpty && !this.hasLines && ++this.#emptyEnds >= EMPTY_ENDS.withoutLines) this.#complete();
    if (isEmpty || !this.hasLines) return undefined;
    const rest = this.#walk.restOf(answer.value);
    if (rest !== undefined && rest.length > 0) {
      this.#check.doubt();
      const other = await this.#check.confirm(undefined);
      if (other !== undefined) {
        this.#onOtherRun(other);
        return undefined;
      }
    }
    return { last: answer.value, rest };
  }

  async #readLast(): Promise<Buffer> {
    const request = { ...this.#query, tailLines: this.#checkLines };
    const pieces: Uint8Array[] = [];
    for await (const chunk of (await openLog(this.#context, this.run, request)) ?? []) pieces.push(chunk);
    return Buffer.concat(pieces);
  }

  reportGap(cause: GapCause): void {
    reportGap(this.#context, this.run.target, cause);
  }

  /** Records the next part, and returns it. */
  #give(more: Uint8Array): Uint8Array {
    const bytes = this.#walk.give(more);
    if (bytes.length > 0) this.failures.onProgress();
    return bytes;
  }
}
