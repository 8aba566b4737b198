import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { ROTATED } from './failure-policy.ts';
import { previousRunId } from './fetch-container.ts';
import type { RunAddress } from './open-log.ts';
import { reportGap } from './report-container.ts';
import { otherRunInDoubt, otherRunServed, type Served } from './served-run.ts';

/** The pod reports that it is the log of another run, or another pod has the name now. */
export interface OtherRun {
  readonly kind: 'other-run';
  readonly served: Served;
  /** Found before the first line of the answer counted. */
  readonly isAtStart: boolean;
}

/** The requested range did not reach back to what is known. */
export interface TooShort {
  readonly kind: 'too-short';
}

/** How an answer fails to be the one that was asked for. */
export type Misfit = OtherRun | TooShort;

/** Called if what is known is not in an answer; the times of what is before and after it, if they are known. */
type OnGap = (from?: Timestamp, to?: Timestamp) => void;

/** Passes what is new in an answer, and calls `onGap` if something may be missing before it. */
export type Admission<Fresh> = (onGap: OnGap) => Fresh;

/** What a reader has delivered of a log, as records (Walk) or as bytes. */
interface Delivered<P> {
  restore(position: P): void;
}

/** Why an answer may lack what is known, although nothing is missing. */
export interface Reach {
  /** It was requested by a number of lines from the end. */
  readonly countsLines?: boolean;
  /** Files that the node rotated away may reach further back. */
  readonly mayReadFiles?: boolean;
}

interface Gap {
  readonly from: Timestamp | undefined;
  readonly to: Timestamp | undefined;
}

/**
 * Ensures that each answer belongs to the intended run and continues what is known, and reports what is missing. If an
 * answer turns out to be of another run, or too short, returns its reader to the position before it. `P`: a position.
 */
export class AnswerCheck<P> {
  readonly #context: ReadContext;
  #run: RunAddress;
  readonly #delivered: Delivered<P>;
  /** Waits for the name of a run that is served slightly before the pod's status names it. */
  readonly #awaitsName: boolean;
  #isConfirmed = true;
  /** The position before the current answer, if that resumes it. */
  #before: P | undefined;
  #reach: Reach = {};
  #isTooShort = false;

  constructor(
    context: ReadContext,
    run: RunAddress,
    delivered: Delivered<P>,
    { awaitsName = false }: { readonly awaitsName?: boolean } = {},
  ) {
    this.#context = context;
    this.#run = run;
    this.#delivered = delivered;
    this.#awaitsName = awaitsName;
  }

  get run(): RunAddress {
    return this.#run;
  }

  /**
   * Addresses the run as the previous one, if the pod reports that it is by now; returns whether it is. Otherwise the
   * node has removed it, or the pod was replaced.
   */
  followToPrevious(served: Served): boolean {
    const { previous, identity } = this.#run;
    const isPrevious =
      served !== 'replaced' && !previous && previousRunId(served) === identity.key.containerId;
    if (isPrevious) this.#run = { target: served, identity, previous: true };
    return isPrevious;
  }

  /** Requires that the next lines are confirmed: each request is answered with the run of its own time. */
  doubt(): void {
    this.#isConfirmed = false;
  }

  /** Whether the current answer is known to belong to the intended run. */
  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** Begins an answer. `before`: the position that it resumes; undefined if nothing was delivered. */
  begin(before: P | undefined, reach: Reach = {}): void {
    this.#before = before;
    this.#reach = reach;
    this.#isTooShort = false;
  }

  /** The position that the current answer resumes. */
  get before(): P | undefined {
    return this.#before;
  }

  /** Whether the current answer continues earlier deliveries. */
  get resumes(): boolean {
    return this.#before !== undefined;
  }

  /** Whether the lines that were counted did not reach back to what is known. */
  get isTooShort(): boolean {
    return this.#isTooShort;
  }

  /**
   * Asks the pod which run answers, if that is unknown so far: it shows it for the current answer and all earlier ones.
   * `first`: the first line of the answer, if it has one. Rejects only when a signal is aborted.
   */
  async confirm(first: LogRecord | undefined, signal = this.#context.signal): Promise<OtherRun | undefined> {
    if (this.#isConfirmed) return undefined;
    this.#isConfirmed = true;
    const served = await otherRunServed(
      this.#context,
      this.#run,
      first,
      this.#awaitsName ? signal : undefined,
    );
    return served && { kind: 'other-run', served, isAtStart: true };
  }

  /**
   * Passes what an admission returns, unless it shows that the current answer is not the requested one. Returns
   * synchronously if no request is needed: a promise for each batch would cost more than reading it.
   */
  admit<Fresh extends object>(admission: Admission<Fresh>): Fresh | Promise<Fresh | Misfit> {
    let gap: Gap | undefined;
    const fresh = admission((from, to) => {
      gap = { from, to };
    });
    return gap === undefined ? fresh : this.#admitAfter(gap, fresh);
  }

  async #admitAfter<Fresh>({ from, to }: Gap, fresh: Fresh): Promise<Fresh | Misfit> {
    const misfit = this.resumes ? await this.#judgeGap() : undefined;
    if (misfit === undefined) reportGap(this.#context, this.#run.target, ROTATED, from, to);
    else this.undo();
    return misfit ?? fresh;
  }

  /** Judges missing known lines: too few were requested, another run answers, or the log was rotated (undefined). */
  async #judgeGap(): Promise<Misfit | undefined> {
    this.#isTooShort = this.#reach.countsLines === true;
    if (this.#isTooShort) return { kind: 'too-short' };
    return (
      (await this.isOtherRun()) ?? (this.#reach.mayReadFiles === true ? { kind: 'too-short' } : undefined)
    );
  }

  /** Whether another run answers than the intended one, if the answer contains nothing known. */
  async isOtherRun(): Promise<OtherRun | undefined> {
    const served = await otherRunInDoubt(this.#context, this.#run);
    return served && { kind: 'other-run', served, isAtStart: false };
  }

  /** Returns to the position before the current answer. */
  undo(): void {
    if (this.#before !== undefined) this.#delivered.restore(this.#before);
  }
}
