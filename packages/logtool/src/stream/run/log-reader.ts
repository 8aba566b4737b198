import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import {
  type Admission,
  AnswerCheck,
  type Misfit,
  type OtherRun,
  type Reach,
  type TooShort,
} from './answer-check.ts';
import { BodyError, type Fragment, LineParser, MAX_LINE_BYTES } from './line-parser.ts';
import { endsWith } from './log-end.ts';
import { type LogRequest, linesOf, openLog, type RunAddress } from './open-log.ts';
import { isStart, type Position } from './position.ts';
import { nameOf } from './report-container.ts';
import { type ReadPolicy, startOf } from './request-start.ts';
import { NO_NODE } from './run-outcome.ts';
import type { Walk } from './walk.ts';

/** How one answer of the log API ended, if nothing failed. */
export type AnswerEnd = CleanEnd | OtherRun | { readonly kind: 'waiting'; readonly reason: WaitReason };

/**
 * The body ended cleanly, which may be a lost connection. `rest`: the last, unterminated line; `fragment`: the line
 * without its start, which may be the text of a failure if it is unterminated too.
 */
export interface CleanEnd {
  readonly kind: 'clean';
  readonly rest: LogRecord | undefined;
  readonly fragment?: Fragment | undefined;
}

/** The new records among some, or the sign that the answer is not the requested one. */
type Taken = readonly LogRecord[] | Misfit;

type Batches<End> = AsyncGenerator<readonly LogRecord[], End, undefined>;

interface AnswerOptions {
  /** Ends only this answer. */
  readonly signal?: AbortSignal;
  /** Whether a search for the number of lines that reaches back may succeed. */
  readonly isSearchable?: boolean;
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
 * position. It decides where an answer starts; AnswerCheck decides, for the byte-for-byte copy (copy/) too, whether it is
 * of the intended run and what is missing.
 */
export class LogReader {
  readonly check: AnswerCheck<Position>;
  readonly #context: ReadContext;
  readonly #walk: Walk;
  readonly #listener: AnswerListener;
  readonly #policy: ReadPolicy;
  readonly #isFromStart: boolean;
  #bytesRead = 0;
  #answeredMs: number | undefined;
  /** The time from which the current answer was requested. */
  #since: Timestamp | undefined;
  /** The current answer begins with the end of a long line, and the only known line is such an end too. */
  #beginsInKnown = false;

  constructor(
    context: ReadContext,
    run: RunAddress,
    walk: Walk,
    listener: AnswerListener,
    policy: ReadPolicy,
  ) {
    this.#context = context;
    this.check = new AnswerCheck(context, run, walk, policy);
    this.#walk = walk;
    this.#listener = listener;
    this.#policy = policy;
    this.#isFromStart = Object.values(policy.start).every((limit) => limit === undefined) && !walk.hasLines;
    if (policy.confirms === 'first') this.check.doubt();
  }

  get run(): RunAddress {
    return this.check.run;
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
    if (this.#policy.confirms !== 'never' && !this.#walk.hasLines) this.check.doubt();
    this.#answeredMs = undefined;
    const facts = {
      isFromStart: this.#isFromStart,
      bytesRead: this.#bytesRead,
      isSearchable: isSearchable && !this.check.isTooShort,
    };
    const context = { ...this.#context, signal };
    const { request, tails } = await startOf(context, this.run, this.#walk, this.#policy, facts);
    this.#since = request.sinceTime;
    // The common case avoids a second generator, whose promises would cost time for each batch.
    if (tails.length === 0 || this.check.isTooShort) return this.#byTime(request, signal);
    return this.#byTails(tails, request, signal);
  }

  async *#byTails(tails: readonly number[], request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    for (const tailLines of tails) {
      // A body that is not read to its end keeps its connection open.
      const own = new AbortController();
      const either = AbortSignal.any([signal, own.signal]);
      const end = yield* this.#answer({ ...request, tailLines }, either, { countsLines: true });
      if (end.kind !== 'too-short') return end;
      own.abort();
    }
    return yield* this.#byTime(request, signal);
  }

  #byTime(request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    if (this.#context.backend !== undefined && request.follow === true)
      return this.#byTimeOrFiles(request, signal);
    // Without a requested number of lines, there are never too few.
    return this.#answer(request, signal) as Batches<AnswerEnd>;
  }

  /** A follow reads the newest file; what it lacks of the others is read first, to the end. */
  async *#byTimeOrFiles(request: LogRequest, signal: AbortSignal): Batches<AnswerEnd> {
    const end = yield* this.#answer(request, signal, { mayReadFiles: true });
    if (end.kind !== 'too-short') return end;
    return yield* this.#answer({ ...request, follow: undefined }, signal) as Batches<AnswerEnd>;
  }

  async *#answer(request: LogRequest, signal: AbortSignal, reach: Reach = {}): Batches<AnswerEnd | TooShort> {
    const body = await this.#open(request, signal, reach);
    if (body === undefined) return NO_NODE;
    const mayLackStarts = request.sinceTime !== undefined;
    this.#beginsInKnown = false;
    const onFirstLeftOut = (line: Uint8Array) => {
      this.#beginsInKnown = isEndOf(this.check.before?.run?.only, line);
    };
    const parser = new LineParser(this.run.identity, this.#walk.counter, { mayLackStarts, onFirstLeftOut });
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
  async #open(
    request: LogRequest,
    signal: AbortSignal,
    reach: Reach,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { position } = this.#walk;
    this.check.begin(isStart(position) ? undefined : position, reach);
    // Until it is answered.
    this.#walk.missAnswer();
    const body = await openLog({ ...this.#context, signal }, this.run, request);
    if (body === undefined) return undefined;
    this.#answeredMs = this.#context.clock.steady();
    this.#listener.answered(request);
    this.#walk.beginResume();
    return body;
  }

  #reportCut({ cutLines }: LineParser): void {
    if (cutLines === 0) return;
    const data = { container: nameOf(this.run.target), lines: cutLines, limitBytes: MAX_LINE_BYTES };
    this.#context.report({ type: 'notice', code: 'line-cut', data });
  }

  /** Returns synchronously if no request is needed: a promise for each batch would cost more than reading it. */
  #take(lines: readonly LogRecord[], signal: AbortSignal): Taken | Promise<Taken> {
    if (lines.length === 0) return lines;
    if (!this.check.isConfirmed) return this.#takeFirst(lines, signal);
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
    return (await this.check.confirm(lines[0], signal)) ?? this.#take(lines, signal);
  }

  /** Passes the records that an admission returns, unless it shows that the current answer is not the requested one. */
  admit(admission: Admission<readonly LogRecord[]>): Taken | Promise<Taken> {
    return this.check.admit((onGap) =>
      admission((from, to) => {
        if (!this.#beginsInKnown) onGap(from, to);
      }),
    );
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
