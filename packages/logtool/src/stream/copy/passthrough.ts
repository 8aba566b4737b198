import { currentRunId } from '../../domain/container.ts';
import { isFiltering } from '../../domain/filter.ts';
import type { Frame, GapCause } from '../../domain/frame.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { FailurePolicy, POD_DELETED, ROTATED, RUN_REMOVED } from '../run/failure-policy.ts';
import { previousRunId } from '../run/fetch-container.ts';
import { BodyError, sameBytes } from '../run/line-parser.ts';
import { probeEnd } from '../run/log-end.ts';
import { addressRun, type LogRequest, openLog, type RunAddress } from '../run/open-log.ts';
import { reportGap, reportOutcome } from '../run/report-container.ts';
import { type RepeatedRead, readUntilOver, retrying } from '../run/retrying.ts';
import { EMPTY_ENDS, NO_NODE, type RunOutcome } from '../run/run-outcome.ts';
import { otherRunInDoubt, otherRunServed, type Served } from '../run/served-run.ts';
import type { WindowInput } from '../window/window-result.ts';

/** Lines to request to check whether the log continues after the copied part: more if it grew by as many meanwhile. */
const FIRST_CHECK_LINES = 1000;
const MAX_CHECK_LINES = 512_000;
/** Maximum checks of the log's end after one copy. */
const MAX_FETCHES = 3;
/** An answer without a newline, up to this length, may be a failure of the node instead of a log. */
const DOUBTFUL_BYTES = 2048;
/** Number of last delivered bytes to keep, to find the position again. */
const KEPT_BYTES = 4096;
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

class Copy implements RepeatedRead<Uint8Array, void> {
  readonly #context: ReadContext;
  run: RunAddress;
  readonly failures: FailurePolicy;
  readonly thenFollow = false;
  readonly #query: LogRequest;
  #given = 0;
  /** Number of delivered lines, counted if the request limits them. */
  #lines = 0;
  #checkLines: number;
  #emptyEnds = 0;
  #kept: Buffer = Buffer.alloc(0);
  outcome: RunOutcome | undefined;

  constructor(context: ReadContext, run: RunAddress, query: LogRequest) {
    this.#context = context;
    this.run = run;
    this.failures = new FailurePolicy(context);
    this.#query = query;
    // Requests the same lines first: if a log repeats itself, more of it looks as if it began where the copy did.
    this.#checkLines = Math.min(query.tailLines ?? FIRST_CHECK_LINES, FIRST_CHECK_LINES);
  }

  chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    return readUntilOver(this.#context, this);
  }

  get hasLines(): boolean {
    return this.#given > 0;
  }

  async begin(): Promise<AsyncGenerator<Uint8Array, void, undefined> | undefined> {
    const body = await openLog(this.#context, this.run, this.#query);
    if (body === undefined) {
      this.outcome = NO_NODE;
      return undefined;
    }
    this.failures.onAnswer();
    return this.hasLines ? this.#copyAfter(body) : this.#copyFirst(body);
  }

  /** Holds the first bytes until they are certainly a log: a node reports its failures as text, with status 200. */
  async *#copyFirst(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
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
    if (held === undefined || held.length === 0) return;
    // With timestamps a failure becomes visible; otherwise the log is this one unterminated line.
    const end = await probeEnd(this.#context, this.run);
    if (end === undefined || !sameBytes(end.last.message, held)) throw new BodyError(held.toString());
    yield this.#give(held);
  }

  /**
   * Copies the part of a repeated answer after the delivered bytes. Without timestamps two runs may begin with the same
   * bytes, so it checks with the pod which run answers.
   */
  async *#copyAfter(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const moves = this.#query.tailLines !== undefined || this.#query.sinceSeconds !== undefined;
    const position = moves ? new MovedPosition(this.#kept) : new FixedPosition(this.#given, this.#kept);
    let isChecked = false;
    for await (const chunk of body) {
      const rest = position.later(chunk);
      if (rest.length === 0 && !position.isElsewhere) continue;
      if (!isChecked && (await this.#isOtherRun(position.isElsewhere))) return;
      isChecked = true;
      if (position.isElsewhere) return this.#beginAgain();
      yield this.#give(rest);
    }
  }

  /** Starts over after a log rotation: the current log follows a gap. */
  #beginAgain(): void {
    this.reportGap(ROTATED);
    this.#given = 0;
    this.#kept = Buffer.alloc(0);
  }

  /**
   * Whether another run answers than the copied one. If that is the previous run now, the next attempt requests the
   * previous one.
   */
  async #isOtherRun(isInDoubt: boolean): Promise<boolean> {
    const served = await (isInDoubt
      ? otherRunInDoubt(this.#context, this.run)
      : otherRunServed(this.#context, this.run, undefined));
    if (served === undefined) return false;
    const previous = this.#asPrevious(served);
    if (previous !== undefined) this.run = previous;
    else {
      this.reportGap(served === 'replaced' ? POD_DELETED : RUN_REMOVED);
      this.outcome = { kind: 'absent' };
    }
    return true;
  }

  #asPrevious(served: Served): RunAddress | undefined {
    const { containerId } = this.run.identity.key;
    const isPrevious = served !== 'replaced' && !this.run.previous && served.lastContainerId === containerId;
    return isPrevious ? addressRun(served, containerId, true) : undefined;
  }

  /**
   * Checks a clean end, which may be a lost connection: the current end of the log shows it, and has the rest. The copy
   * is complete if it has what the log had at a check, not if a container that keeps writing pauses.
   */
  async *onEnd(): AsyncGenerator<Uint8Array, void, undefined> {
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
      if (rest.length === 0 || (rests === 2 && this.#endsLine)) return this.#complete();
      if (!this.#endsLine) return;
    }
    this.#onUnknownEnd(last);
  }

  /** Handles that none of the last lines is among the delivered ones. */
  #onUnknownEnd(last: Buffer): void {
    // Fewer lines than requested: the log was rotated after the copy.
    if (countLines(last) < this.#checkLines && this.#endsLine) this.#complete();
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
    if (this.#isFull) {
      this.outcome = { kind: 'complete' };
      return undefined;
    }
    const answer = await retrying(this.#context, this.run, () => this.#readLast());
    if ('outcome' in answer) {
      this.outcome = answer.outcome;
      return undefined;
    }
    const isEmpty = answer.value.length === 0;
    if (isEmpty && !this.hasLines && ++this.#emptyEnds >= EMPTY_ENDS.withoutLines) this.#complete();
    if (isEmpty || this.#given === 0) return undefined;
    const rest = this.#restOf(answer.value);
    if (rest !== undefined && rest.length > 0 && (await this.#isOtherRun(false))) return undefined;
    return { last: answer.value, rest };
  }

  /**
   * Returns the part of the log's last lines after the delivered bytes; undefined if the delivered bytes are not among
   * them.
   */
  #restOf(last: Buffer): Buffer | undefined {
    if (this.#given < last.length) {
      const start = Math.max(0, this.#given - this.#kept.length);
      if (last.subarray(start, this.#given).equals(this.#kept)) return last.subarray(this.#given);
    }
    const known = this.#kept.subarray(-Math.min(this.#kept.length, last.length));
    if (last.subarray(-known.length).equals(known)) return last.subarray(last.length);
    const at = last.lastIndexOf(this.#kept);
    return at === -1 ? undefined : last.subarray(at + this.#kept.length);
  }

  /** Whether all lines of a tail were delivered: later lines do not belong to it. */
  get #isFull(): boolean {
    const { tailLines } = this.#query;
    return tailLines !== undefined && this.#lines >= tailLines;
  }

  get #endsLine(): boolean {
    return this.#kept.at(-1) === LF;
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

  /** Records the next part, and returns it; limits a tail to its number of lines. */
  #give(more: Uint8Array): Uint8Array {
    const bytes = this.#upToTail(more);
    this.#given += bytes.length;
    if (bytes.length > 0) this.failures.onProgress();
    this.#kept =
      bytes.length >= KEPT_BYTES
        ? Buffer.from(bytes.subarray(bytes.length - KEPT_BYTES))
        : Buffer.concat([this.#kept, bytes]).subarray(-KEPT_BYTES);
    return bytes;
  }

  #upToTail(bytes: Uint8Array): Uint8Array {
    const { tailLines } = this.#query;
    if (tailLines === undefined) return bytes;
    if (this.#lines >= tailLines) return bytes.subarray(bytes.length);
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
      if (++this.#lines >= tailLines) return bytes.subarray(0, at + 1);
    }
    return bytes;
  }
}

/** Finds the position after this many bytes, and verifies that the bytes before it are those delivered earlier. */
class FixedPosition {
  #left: number;
  readonly #kept: Buffer;
  #tail: Buffer = Buffer.alloc(0);
  #isReached = false;
  /** The bytes at that position differ: the log was rotated. */
  isElsewhere = false;

  constructor(given: number, kept: Buffer) {
    this.#left = given;
    this.#kept = kept;
  }

  later(chunk: Uint8Array): Uint8Array {
    if (this.#isReached) return chunk;
    const skipped = chunk.subarray(0, this.#left);
    this.#left -= skipped.length;
    this.#tail = Buffer.concat([this.#tail, skipped.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    if (this.#left > 0) return chunk.subarray(chunk.length);
    this.#isReached = true;
    this.isElsewhere = !this.#tail.subarray(-this.#kept.length).equals(this.#kept);
    return chunk.subarray(skipped.length);
  }
}

/** Finds the position after the last delivered bytes, in an answer whose beginning moves with time. */
class MovedPosition {
  readonly #kept: Buffer;
  #held: Buffer = Buffer.alloc(0);
  #isFound = false;
  readonly isElsewhere = false;

  constructor(kept: Buffer) {
    this.#kept = kept;
  }

  later(chunk: Uint8Array): Uint8Array {
    if (this.#isFound) return chunk;
    this.#held = Buffer.concat([this.#held, chunk]);
    const at = this.#held.indexOf(this.#kept);
    if (at === -1) {
      this.#held = this.#held.subarray(-(this.#kept.length + chunk.length));
      return chunk.subarray(chunk.length);
    }
    this.#isFound = true;
    return this.#held.subarray(at + this.#kept.length);
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}
