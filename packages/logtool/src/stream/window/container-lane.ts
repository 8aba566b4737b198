import { whyOf } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import {
  type ContainerTarget,
  currentRunId,
  endOfRunsBefore,
  oldestNamedRun,
} from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, boundTime, isAfterTo, isBeforeFrom } from '../../domain/window.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { RESTARTED_TWICE } from '../run/failure-policy.ts';
import { PREVIOUS_RUN } from '../run/fetch-container.ts';
import { addressRun } from '../run/open-log.ts';
import type { Position } from '../run/position.ts';
import { nameOf, reportGap, reportOutcome } from '../run/report-container.ts';
import { reportGoneRuns, reportLateBeginning, type WantedRange } from '../run/report-lost.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { RunReader } from '../run/run-reader.ts';
import { type LinePatience, untilSilent } from '../run/until-silent.ts';
import { Walk } from '../run/walk.ts';
import { sinceFor } from './bounds.ts';
import { Lookahead } from './lookahead.ts';

interface LaneOptions {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly previous: 'auto' | 'no' | 'only';
  /** The container is followed afterwards. */
  readonly thenFollow: boolean;
  /** The last record before the window that was read earlier. */
  readonly readTo?: Timestamp | undefined;
}

/** Where the read of a container ended, to continue from there. */
export interface LaneEnd {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly position: Position;
  readonly outcome: RunOutcome | undefined;
}

interface LaneRun {
  readonly id: string;
  readonly isPrevious: boolean;
}

/** Reads without a layer around the reader where nothing limits it: each container of a large view would pay for it. */
function batchesOf(reader: RunReader, patience: LinePatience | undefined) {
  return patience === undefined ? reader.batches() : untilSilent(reader, patience);
}

/**
 * Everything that the cluster has of one container inside a window: the previous run, then the current one, in order.
 */
export class ContainerLane {
  readonly #context: ReadContext;
  readonly #options: LaneOptions;
  readonly #walk = new Walk();
  readonly #lookahead = new Lookahead();
  #target: ContainerTarget;
  #runId = '';
  #outcome: RunOutcome | undefined;
  /** Earlier runs that were read. */
  readonly #previousRead = new Set<string>();
  /** Whether the node has an earlier run than the one that is read. */
  #hasEarlier = false;
  #hasReportedGone = false;
  /** The container as it was resolved: reports of its restarts say what was lost since. */
  readonly #resolved: ContainerTarget;
  #later = false;
  #hasGiven = false;
  /** A line with a time before the window followed one inside of it: the node's clock was set back. */
  isSetBack = false;

  constructor(context: ReadContext, target: ContainerTarget, options: LaneOptions) {
    this.#context = context;
    this.#target = target;
    this.#resolved = target;
    this.#options = options;
  }

  get end(): LaneEnd {
    return {
      target: this.#target,
      runId: this.#runId,
      position: this.#walk.position,
      outcome: this.#outcome,
    };
  }

  /** Yields batches in the total order. Ends after the window; the record after it shows the merge that it did. */
  async *batches(): AsyncGenerator<LogRecord[], void, undefined> {
    for (let run = this.#nextRun(); run !== undefined; run = this.#runAfter(run)) {
      const patience = this.#patienceFor(run);
      const reader = this.#open(run, patience?.stop.signal);
      let isBegun = false;
      for await (const batch of batchesOf(reader, patience)) {
        if (!isBegun) await this.#beginRun(run, reader, batch[0]);
        isBegun = true;
        const ready = this.#inside(this.#lookahead.push(batch));
        if (ready.length > 0) yield ready;
        if (this.#later) return;
      }
      this.#outcome = reader.outcome;
      this.#hasEarlier ||= run.isPrevious && reader.outcome?.kind !== 'absent';
    }
    this.#reportGoneRuns(this.#hasEarlier, undefined);
    const rest = this.#inside(this.#lookahead.flush());
    if (rest.length > 0) yield rest;
    reportReadEnd(this.#context, this.end, this.#options.thenFollow);
  }

  /** Whether the window begins where somebody chose, not where another page ends. */
  get #isRange(): boolean {
    return this.#options.from?.kind !== 'cursor';
  }

  /** Reports what the node no longer has before the first record of a run. */
  async #beginRun({ isPrevious }: LaneRun, { run }: RunReader, first: LogRecord | undefined): Promise<void> {
    this.#reportGoneRuns(isPrevious || this.#hasEarlier, first?.at);
    if (first !== undefined && this.#isRange)
      await reportLateBeginning(this.#context, run, first.at, {
        ...this.#range,
        hasEarlier: this.#hasEarlier,
      });
  }

  get #range(): WantedRange {
    const { from, to, readTo } = this.#options;
    return { from: from && boundTime(from), to: to && boundTime(to), readTo };
  }

  /** Returns the run to read after that one; undefined if all were read. */
  #runAfter({ isPrevious }: LaneRun): LaneRun | undefined {
    const goesOn = isPrevious ? this.#afterPrevious() : this.#afterCurrent();
    return goesOn ? this.#nextRun() : undefined;
  }

  /** Returns the oldest wanted run that was not read. */
  #nextRun(): LaneRun | undefined {
    const { previous } = this.#options;
    const previousId = PREVIOUS_RUN[previous](this.#target);
    if (previousId !== undefined && !this.#previousRead.has(previousId)) {
      this.#previousRead.add(previousId);
      return { id: previousId, isPrevious: true };
    }
    return previous === 'only' ? undefined : { id: currentRunId(this.#target), isPrevious: false };
  }

  /** Whether to read another run after the previous one. */
  #afterPrevious(): boolean {
    const { previous } = this.#options;
    const hasMoved = this.#turnToMoved();
    // No line of it was given. A reader of only that run gets the one that replaced it.
    if (hasMoved && previous !== 'only') this.#reportLostRuns();
    if (!hasMoved && previous === 'auto') {
      this.#reportUnread();
      this.#outcome = { kind: 'complete' };
    }
    return hasMoved || previous !== 'only';
  }

  /** Reports a run before the current one of which no line could be read; the read goes on with the next run. */
  #reportUnread(): void {
    if (this.#outcome?.kind !== 'failed' || this.#walk.hasLines) return;
    const why = whyOf(this.#outcome.error);
    const end = endOfRunsBefore(this.#target, currentRunId(this.#target));
    reportGap(this.#context, this.#target, { code: 'previous-unreadable', data: { why } }, undefined, end);
  }

  /** Whether to read another run in place of the current one. */
  #afterCurrent(): boolean {
    const lost = this.#runId;
    if (!this.#turnToMoved()) return false;
    // A run without a name was the first one, which had no name yet.
    const { lastContainerId, restartCount } = this.#target;
    if (lost === '' ? restartCount > 1 : lastContainerId !== lost) this.#reportLostRuns();
    return true;
  }

  /** Whether the log turned out to belong to another run; then updates the container. */
  #turnToMoved(): boolean {
    if (this.#outcome?.kind !== 'moved') return false;
    this.#target = this.#outcome.target;
    return true;
  }

  /** Other runs follow a run before the current one, so its silence must not hold them up. */
  #patienceFor({ isPrevious }: LaneRun): LinePatience | undefined {
    const { clock, previousMs: limitMs } = this.#context;
    if (!isPrevious || this.#options.previous !== 'auto' || limitMs === undefined) return undefined;
    return { clock, limitMs, stop: new AbortController() };
  }

  #open({ id, isPrevious }: LaneRun, stop: AbortSignal | undefined): RunReader {
    this.#runId = id;
    this.#walk.beginRun();
    const { state } = this.#target;
    const all = this.#context;
    const context = stop === undefined ? all : { ...all, signal: AbortSignal.any([all.signal, stop]) };
    return new RunReader(context, addressRun(this.#target, id, isPrevious), {
      start: { sinceTime: sinceFor(this.#options.from) },
      walk: this.#walk,
      giveUnterminated: isPrevious || !this.#options.thenFollow || state.kind === 'terminated',
      thenFollow: this.#options.thenFollow,
      confirmRun: mayHaveMoved(this.#target),
    });
  }

  /** Drops records before the window. Keeps the first record after its end, which ends the lane. */
  #inside(records: LogRecord[]): LogRecord[] {
    const { from, to } = this.#options;
    let kept = records;
    if (from !== undefined && kept.some((record) => isBeforeFrom(record.at, from))) {
      const last = kept.findLastIndex((record) => isBeforeFrom(record.at, from));
      kept = kept.filter((record) => !isBeforeFrom(record.at, from));
      if (this.#hasGiven || kept.length > records.length - 1 - last) this.#noteSetBack();
    }
    this.#hasGiven ||= kept.length > 0;
    if (to === undefined) return kept;
    const index = kept.findIndex((record) => isAfterTo(record.at, to));
    this.#later = index !== -1;
    return this.#later ? kept.slice(0, index + 1) : kept;
  }

  /**
   * Reports a clock that was set back. Pages go by time: a record with a time before the start of a page, but written
   * after it, is on none.
   */
  #noteSetBack(): void {
    const isFirst = !this.isSetBack;
    this.isSetBack = true;
    if (!isFirst || this.#options.from?.kind !== 'cursor') return;
    const data = { container: nameOf(this.#target) };
    this.#context.report({ type: 'notice', code: 'clock-set-back', data });
  }

  /** Reports once which runs the node no longer has: see lostRuns. */
  #reportGoneRuns(hasPrevious: boolean, first: Timestamp | undefined): void {
    if (this.#hasReportedGone) return;
    this.#hasReportedGone = true;
    if (this.#options.previous === 'auto' && this.#isRange)
      reportGoneRuns(this.#context, this.#resolved, this.#range, { hasPrevious, first });
  }

  #reportLostRuns(): void {
    const end = endOfRunsBefore(this.#target, oldestNamedRun(this.#target));
    reportGap(this.#context, this.#target, RESTARTED_TWICE, this.#walk.max, end);
  }
}

/** Reports a container that could not be read properly. If it is followed, the follower reports persistent failures. */
export function reportReadEnd(context: ReadContext, { target, outcome }: LaneEnd, thenFollow: boolean): void {
  if (!thenFollow || outcome?.kind !== 'failed') reportOutcome(context, target, outcome);
}

/** Whether another run may have replaced the resolved one. */
export function mayHaveMoved(target: ContainerTarget): boolean {
  return target.state.kind !== 'terminated' || target.mayRestart;
}
