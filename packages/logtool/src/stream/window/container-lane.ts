import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import type { ReadContext } from '../read-context.ts';
import { currentRunId, PREVIOUS_RUN } from '../run/pod-look.ts';
import { Position } from '../run/position.ts';
import { addressRun } from '../run/run-address.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { RunReader } from '../run/run-reader.ts';
import { reportOutcome } from '../run/source-report.ts';
import { isBeforeFrom, isBehindTo, sinceFor } from './bounds.ts';
import { Lookahead } from './lookahead.ts';

export interface LaneOptions {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly previous: 'auto' | 'no' | 'only';
  /** The container is followed afterwards. */
  readonly thenFollow: boolean;
  /** So many records behind the window are given, where there are as many: the first tells that it is over. */
  readonly behind?: number;
}

/** Where the read of a container ended, to go on from there. */
export interface LaneEnd {
  readonly target: ContainerTarget;
  readonly runId: string;
  readonly position: Position;
  readonly outcome: RunOutcome | undefined;
}

/** All that the cluster has of one container inside a window: the run before, then the present one, in order. */
export class ContainerLane {
  readonly #context: ReadContext;
  readonly #options: LaneOptions;
  readonly #position = new Position();
  readonly #lookahead = new Lookahead();
  #target: ContainerTarget;
  #runId = '';
  #outcome: RunOutcome | undefined;
  /** Records behind the window that were given. */
  #given = 0;
  #behind = false;
  #hasGiven = false;
  #isSetBack = false;

  constructor(context: ReadContext, target: ContainerTarget, options: LaneOptions) {
    this.#context = context;
    this.#target = target;
    this.#options = options;
  }

  get end(): LaneEnd {
    return { target: this.#target, runId: this.#runId, position: this.#position, outcome: this.#outcome };
  }

  /** Batches in the total order. Ends behind the window; whether it did, the merge sees by the record behind it. */
  async *batches(): AsyncGenerator<LogRecord[], void, undefined> {
    const done = new Set<string>();
    for (;;) {
      const previousId = PREVIOUS_RUN[this.#options.previous](this.#target);
      if (previousId !== undefined && !done.has(previousId)) {
        done.add(previousId);
        yield* this.#readRun(previousId, true);
        if (this.#behind) return;
        if (this.#outcome?.kind === 'moved') {
          this.#target = this.#outcome.target;
          // Nothing of it was given. Who reads that run alone gets the one that took its place.
          if (this.#options.previous !== 'only') this.#reportLostRuns();
          continue;
        }
        if (this.#options.previous === 'auto') this.#outcome = { kind: 'complete' };
      }
      if (this.#options.previous === 'only') break;
      yield* this.#readRun(currentRunId(this.#target), false);
      if (this.#outcome?.kind !== 'moved') break;
      const lost = this.#runId;
      this.#target = this.#outcome.target;
      // A run without a name was the first one, which was not named yet.
      const { lastContainerId, restartCount } = this.#target;
      if (lost === '' ? restartCount > 1 : lastContainerId !== lost) this.#reportLostRuns();
    }
    if (this.#behind) return;
    const rest = this.#inside(this.#lookahead.flush());
    if (rest.length > 0) yield rest;
    // Following goes on from there: it tells of what does not pass.
    if (this.#options.thenFollow && this.#outcome?.kind === 'failed') return;
    reportOutcome(this.#context, this.#target, this.#outcome);
  }

  async *#readRun(runId: string, previous: boolean): AsyncGenerator<LogRecord[]> {
    this.#runId = runId;
    this.#position.beginRun();
    const { state } = this.#target;
    const reader = new RunReader(this.#context, addressRun(this.#target, runId, previous), {
      start: { sinceTime: sinceFor(this.#options.from) },
      position: this.#position,
      isNewRun: true,
      giveUnterminated: previous || !this.#options.thenFollow || state.kind === 'terminated',
      thenFollow: this.#options.thenFollow,
      confirmRun: mayHaveMoved(this.#target),
    });
    for await (const batch of reader.batches()) {
      const ready = this.#inside(this.#lookahead.push(batch));
      if (ready.length > 0) yield ready;
      if (this.#behind) return;
    }
    this.#outcome = reader.outcome;
  }

  /** Drops what lies in front of the window. The first records behind its end are kept, and end the lane. */
  #inside(records: LogRecord[]): LogRecord[] {
    const { from, to } = this.#options;
    let kept = records;
    if (from !== undefined && kept.some((record) => isBeforeFrom(record.at, from))) {
      const last = kept.findLastIndex((record) => isBeforeFrom(record.at, from));
      kept = kept.filter((record) => !isBeforeFrom(record.at, from));
      if (this.#hasGiven || kept.length > records.length - 1 - last) this.#reportSetBack();
    }
    this.#hasGiven ||= kept.length > 0;
    if (to === undefined) return kept;
    const most = this.#options.behind ?? 1;
    for (let index = kept.findIndex((record) => isBehindTo(record.at, to)); index !== -1; index++) {
      if (index === kept.length) break;
      if (!isBehindTo(kept[index]!.at, to) || ++this.#given < most) continue;
      this.#behind = true;
      return kept.slice(0, index + 1);
    }
    return kept;
  }

  /** Pages go by time: what is stamped in front of where one begins, but written behind it, is on none. */
  #reportSetBack(): void {
    if (this.#isSetBack || this.#options.from?.kind !== 'cursor') return;
    this.#isSetBack = true;
    const { pod, container } = this.#target;
    const text = `the clock of ${pod}/${container} was set back: lines that it wrote after that have timestamps before this page, and are not shown; --all shows them`;
    this.#context.report({ type: 'notice', code: 'clock-set-back', text });
  }

  #reportLostRuns(): void {
    const why = 'the container was started again more than once before it was read';
    this.#context.report({ type: 'gap', target: this.#target, from: this.#position.max, to: undefined, why });
  }
}

/** Whether another run may have taken the place of the one that was resolved. */
export function mayHaveMoved(target: ContainerTarget): boolean {
  return target.state.kind !== 'terminated' || target.mayRestart;
}
