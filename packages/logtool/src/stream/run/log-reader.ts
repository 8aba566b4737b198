import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { ROTATED } from './failure-policy.ts';
import { BodyError, type Fragment, LineParser, MAX_LINE_BYTES } from './line-parser.ts';
import { endsWith } from './log-end.ts';
import { type LogRequest, linesOf, openLog, type RunAddress } from './open-log.ts';
import { isStart, type Position } from './position.ts';
import { nameOf, reportGap } from './report-container.ts';
import { type ReadPolicy, startOf } from './request-start.ts';
import { NO_NODE } from './run-outcome.ts';
import { otherRunInDoubt, otherRunServed, type Served } from './served-run.ts';
import type { Walk } from './walk.ts';

/** How one answer of the log API ended, if nothing failed. */
export type AnswerEnd = CleanEnd | OtherRun | { readonly kind: 'waiting'; readonly reason: WaitReason };

/** The pod reports that it is the log of another run, or another pod has the name now. */
interface OtherRun {
  readonly kind: 'other-run';
  readonly served: Served;
  /** Found before the first line of the answer counted. */
  readonly isAtStart: boolean;
}

/**
 * The body ended cleanly, which may be a lost connection. `rest`: the last, unterminated line; `fragment`: the line
 * without its start, which may be the text of a failure if it is unterminated too.
 */
export interface CleanEnd {
  readonly kind: 'clean';
  readonly rest: LogRecord | undefined;
  readonly fragment?: Fragment | undefined;
}

/** The requested lines did not reach back to what is known. */
interface TooShort {
  readonly kind: 'too-short';
}

/** The new records among some, or the sign that the answer is not the requested one. */
type Taken = readonly LogRecord[] | AnswerEnd | TooShort;

type Batches<End> = AsyncGenerator<readonly LogRecord[], End, undefined>;

interface AnswerOptions {
  /** Ends only this answer. */
  readonly signal?: AbortSignal;
  /** Whether a search for the number of lines that reaches back may succeed. */
  readonly isSearchable?: boolean;
}

interface Gap {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** Observes an answer while it is read. */
interface AnswerListener {
  /** Called when the server returns the log for this request. */
  answered(request: LogRequest): void;
  /** Called when bytes arrived. */
  heard?(): void;
  /** Called when these lines were taken; of them, `fresh` are new. */
  took(lines: readonly LogRecord[], fresh: readonly LogRecord[]): void;
}

/**
 * Reads the log of one run, answer by answer, to its current end or following it, and resumes each answer at the walk's
 * position. It decides where an answer starts, and ensures that it belongs to the intended run, that it reaches back to
 * what is known, and that it reports what is missing. The byte-for-byte copy (copy/) compares bytes instead.
 */
export class LogReader {
  readonly #context: ReadContext;
  readonly #walk: Walk;
  readonly #listener: AnswerListener;
  readonly #policy: ReadPolicy;
  #run: RunAddress;
  readonly #isFromStart: boolean;
  #bytesRead = 0;
  #answeredMs: number | undefined;
  /** The time from which the current answer was requested. */
  #since: Timestamp | undefined;
  /** The walk's position before the current answer, if that resumes it. */
  #before: Position | undefined;
  #countsLines = false;
  /**
   * The number of lines did not reach back. If only the end of the log shows it, the next answer is requested by time.
   */
  #isTooShort = false;
  /** The current answer begins with the end of a long line, and the only known line is such an end too. */
  #beginsInKnown = false;
  /** If the current answer does not reach back to what is known, files that the node rotated away may. */
  #mayReadFiles = false;
  /** Whether the current answer is known to belong to the intended run. */
  #isChecked: boolean;

  constructor(
    context: ReadContext,
    run: RunAddress,
    walk: Walk,
    listener: AnswerListener,
    policy: ReadPolicy,
  ) {
    this.#context = context;
    this.#run = run;
    this.#walk = walk;
    this.#listener = listener;
    this.#policy = policy;
    this.#isFromStart = Object.values(policy.start).every((limit) => limit === undefined) && !walk.hasLines;
    this.#isChecked = policy.confirms !== 'first';
  }

  get run(): RunAddress {
    return this.#run;
  }

  /** Changes the address of the same log: the run is now the previous one. */
  readdress(run: RunAddress): void {
    this.#run = run;
  }

  /** Whether the current answer, or the last one, was requested from a time after this one. */
  beganAfter({ seconds }: Timestamp): boolean {
    return this.#since !== undefined && seconds < this.#since.seconds;
  }

  /** Whether the last request was answered, this long ago at least. */
  wasAnsweredFor(durationMs: number): boolean {
    return this.#answeredMs !== undefined && this.#context.clock.steady() - this.#answeredMs >= durationMs;
  }

  /**
   * Requests the log from where the walk stands. Yields the new records of an answer that reaches back to what is
   * known, in batches in file order; each is valid until the next is requested. If it ends as `other-run`, the walk is
   * back at its earlier position. Throws what the client and the body throw.
   */
  async answer({
    signal = this.#context.signal,
    isSearchable = true,
  }: AnswerOptions = {}): Promise<Batches<AnswerEnd>> {
    // Each request is answered with the run of its own time: only known lines prove which one that is.
    if (this.#policy.confirms !== 'never' && !this.#walk.hasLines) this.#isChecked = false;
    this.#answeredMs = undefined;
    const facts = {
      isFromStart: this.#isFromStart,
      bytesRead: this.#bytesRead,
      isSearchable: isSearchable && !this.#isTooShort,
    };
    const context = { ...this.#context, signal };
    const { request, tails } = await startOf(context, this.#run, this.#walk, this.#policy, facts);
    this.#since = request.sinceTime;
    // The common case avoids a second generator, whose promises would cost time for each batch.
    if (tails.length === 0 || this.#isTooShort) return this.#byTime(request, signal);
    return this.#byTails(tails, request, signal);
  }

  async *#byTails(tails: readonly number[], request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    for (const tailLines of tails) {
      this.#countsLines = true;
      this.#isTooShort = false;
      // A body that is not read to its end keeps its connection open.
      const own = new AbortController();
      const either = AbortSignal.any([signal, own.signal]);
      const end = yield* this.#answer({ ...request, tailLines }, either);
      if (end.kind !== 'too-short') return end;
      own.abort();
    }
    return yield* this.#byTime(request, signal);
  }

  #byTime(request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    this.#countsLines = false;
    this.#isTooShort = false;
    if (this.#context.backend !== undefined && request.follow === true)
      return this.#byTimeOrFiles(request, signal);
    // Without a requested number of lines, there are never too few.
    return this.#answer(request, signal) as Batches<AnswerEnd>;
  }

  /** A follow reads the newest file; what it lacks of the others is read first, to the end. */
  async *#byTimeOrFiles(request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    this.#mayReadFiles = true;
    const end = yield* this.#answer(request, signal);
    this.#mayReadFiles = false;
    if (end.kind !== 'too-short') return end;
    return yield* this.#answer({ ...request, follow: undefined }, signal) as Batches<AnswerEnd>;
  }

  async *#answer(request: LogRequest, signal: AbortSignal): Batches<AnswerEnd | TooShort> {
    const body = await this.#open(request, signal);
    if (body === undefined) return NO_NODE;
    const mayLackStarts = request.sinceTime !== undefined;
    this.#beginsInKnown = false;
    const onFirstLeftOut = (line: Uint8Array) => {
      this.#beginsInKnown = isEndOf(this.#before?.run?.only, line);
    };
    const parser = new LineParser(this.#run.identity, this.#walk.counter, { mayLackStarts, onFirstLeftOut });
    try {
      for await (const chunk of body) {
        this.#bytesRead += chunk.length;
        this.#listener.heard?.();
        for (const lines of linesOf(chunk, parser, this.#context.batchLines)) {
          const taken = this.#take(lines, signal);
          const fresh = taken instanceof Promise ? await taken : taken;
          if ('kind' in fresh) return fresh;
          if (fresh.length > 0) yield fresh;
          // Suspended generators hold their last value: with a hundred lanes that is most of all records.
          lines.length = 0;
        }
      }
    } finally {
      this.#reportCut(parser);
      if (this.wasAnsweredFor(this.#policy.quietMs)) this.#walk.forgetRepeats();
    }
    const rest = parser.end();
    return { kind: 'clean', rest, fragment: parser.fragment };
  }

  /** Opens the body of an answer; undefined if the pod has no node yet. */
  async #open(request: LogRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { position } = this.#walk;
    this.#before = isStart(position) ? undefined : position;
    // Until it is answered.
    this.#walk.missAnswer();
    const body = await openLog({ ...this.#context, signal }, this.#run, request);
    if (body === undefined) return undefined;
    this.#answeredMs = this.#context.clock.steady();
    this.#listener.answered(request);
    this.#walk.beginResume();
    return body;
  }

  #reportCut({ cutLines }: LineParser): void {
    if (cutLines === 0) return;
    const data = { container: nameOf(this.#run.target), lines: cutLines, limitBytes: MAX_LINE_BYTES };
    this.#context.report({ type: 'notice', code: 'line-cut', data });
  }

  /** Returns synchronously if no request is needed: a promise for each batch would cost more than reading it. */
  #take(lines: readonly LogRecord[], signal: AbortSignal): Taken | Promise<Taken> {
    if (lines.length === 0) return lines;
    if (!this.#isChecked) return this.#takeFirst(lines, signal);
    const fresh = this.admit((onGap) => this.#walk.admit(lines, onGap));
    if (fresh instanceof Promise) return fresh.then((taken) => this.#noteTaken(lines, taken));
    return this.#noteTaken(lines, fresh);
  }

  #noteTaken(lines: readonly LogRecord[], taken: Taken): Taken {
    if (!('kind' in taken)) this.#listener.took(lines, taken);
    return taken;
  }

  /** Verifies that the first lines belong to the intended run. */
  async #takeFirst(lines: readonly LogRecord[], signal: AbortSignal): Promise<Taken> {
    return (await this.check(lines[0], signal)) ?? this.#take(lines, signal);
  }

  /**
   * Asks the pod which run answers, if that is unknown so far: it shows it for the current answer and all earlier ones.
   * `first`: the first line of the answer, if it has one. Rejects only when a signal is aborted.
   */
  async check(
    first: LogRecord | undefined,
    signal: AbortSignal = this.#context.signal,
  ): Promise<OtherRun | undefined> {
    if (this.#isChecked) return undefined;
    this.#isChecked = true;
    const { awaitsName } = this.#policy;
    const served = await otherRunServed(this.#context, this.#run, first, awaitsName ? signal : undefined);
    return served && { kind: 'other-run', served, isAtStart: true };
  }

  /** Passes the records that an admission returns, unless it shows that the current answer is not the requested one. */
  admit(
    admission: (onGap: (from: Timestamp, to: Timestamp) => void) => readonly LogRecord[],
  ): Taken | Promise<Taken> {
    let gap: Gap | undefined;
    const fresh = admission((from, to) => {
      gap = { from, to };
    });
    return gap === undefined ? fresh : this.#admitAfter(gap, fresh);
  }

  async #admitAfter({ from, to }: Gap, fresh: readonly LogRecord[]): Promise<Taken> {
    if (this.#beginsInKnown) return fresh;
    const end = this.#before && (await this.#judgeGap());
    if (end === undefined) reportGap(this.#context, this.#run.target, ROTATED, from, to);
    else this.undo();
    return end ?? fresh;
  }

  /** Judges missing known lines: too few were requested, another run answers, or the log was rotated (undefined). */
  async #judgeGap(): Promise<AnswerEnd | TooShort | undefined> {
    this.#isTooShort = this.#countsLines;
    if (this.#isTooShort) return { kind: 'too-short' };
    return (await this.isOtherRun()) ?? (this.#mayReadFiles ? { kind: 'too-short' } : undefined);
  }

  /** Whether another run answers than the intended one, if the answer contains nothing known. */
  async isOtherRun(): Promise<OtherRun | undefined> {
    const served = await otherRunInDoubt(this.#context, this.#run);
    return served && { kind: 'other-run', served, isAtStart: false };
  }

  /** Returns the walk to its position before the current answer. */
  undo(): void {
    if (this.#before !== undefined) this.#walk.restore(this.#before);
  }

  /** Whether the current answer continues earlier deliveries. */
  get resumes(): boolean {
    return this.#before !== undefined;
  }
}

/** Returns the failure that the end of a body may be: the node reports its failures as text, with status 200. */
export function failureIn({ fragment }: CleanEnd): BodyError | undefined {
  return fragment?.isOpen === true ? new BodyError(fragment.text) : undefined;
}

/**
 * Whether a line without its start is the long line of which a tail returned the end as a separate line
 * (test/recorded/pods-log/tail-counts-fragments-*.json): if the request's time lies within the line, the node omits its
 * start.
 */
function isEndOf(only: LogRecord | undefined, line: Uint8Array): boolean {
  return only !== undefined && only.message.length > 0 && endsWith(line, only.message);
}
