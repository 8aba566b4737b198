import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type Bound, boundTime } from '../../domain/window.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { ROTATED } from '../run/failure-policy.ts';
import { fetchContainer, fetchOrLast } from '../run/fetch-container.ts';
import { firstTime } from '../run/first-record.ts';
import { addressRun } from '../run/open-log.ts';
import { reportContainer, reportGap, reportOutcome } from '../run/report-container.ts';
import { RunReader } from '../run/run-reader.ts';
import { Walk } from '../run/walk.ts';
import { sinceFor } from '../window/bounds.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import { isUrgent } from './deletion.ts';
import { FollowConnection } from './follow-connection.ts';
import {
  type FollowEffect,
  type FollowEvent,
  type FollowState,
  type InstantEffect,
  isLasting,
  type Known,
  knownAtStart,
} from './follow-state.ts';
import { finalStatus, initialState, step } from './follow-step.ts';
import type { LiveInput } from './live-merge.ts';
import type { LogSlots } from './log-slots.ts';
import type { SharedBackoff } from './shared-backoff.ts';

/** How often to fetch a container that waits to start, without an event about its start. */
const POLL_POLICY = { firstMs: 1_000, maxMs: 10_000 };
/** Maximum time between a request and the event about it. */
const MAX_EVENT_LAG_MS = 2_000;

/** What all followers of a view share, and where each begins. */
interface FollowerOptions extends Omit<LiveInput, 'leave'> {
  readonly previous: 'auto' | 'no' | 'only';
  readonly from: Bound | undefined;
  readonly lastLines: number | undefined;
  readonly slots: LogSlots;
  readonly backoff: SharedBackoff;
  /** Called when the request for its log has a result: an open connection, or a failure. */
  readonly onAnswer: () => void;
}

/**
 * Follows one container across connections, restarts and the end of its pod: only performs the effects of its state
 * machine (follow-step.ts). `run` resolves when the container has finished, left or is unreadable; it rejects only when
 * the signal is aborted.
 */
export class ContainerFollower {
  readonly id: string;
  readonly #context: ReadContext;
  readonly #options: FollowerOptions;
  readonly #walk: Walk;
  readonly #polls: Backoff;
  #state: FollowState;
  #connection: FollowConnection | undefined;
  /** Whether the last connection brought nothing, although the log has new lines. */
  #hasStalled = false;
  /** Ends the current pause or wait. */
  #wake: AbortController | undefined;
  /** Listeners that wait for an event about the pod. */
  readonly #onChange = new Set<() => void>();

  constructor(
    context: ReadContext,
    target: ContainerTarget,
    end: LaneEnd | undefined,
    options: FollowerOptions,
  ) {
    this.id = target.id;
    this.#context = { ...context, lastStatus: () => this.#finalStatus() };
    this.#options = options;
    this.#walk = new Walk(end?.position);
    this.#polls = new Backoff(POLL_POLICY, context.random);
    const { previous, from, lastLines } = options;
    const known = knownAtStart({
      target,
      wanted: { previous, from: from && boundTime(from), sinceMs: context.clock.now() },
      runId: end?.runId,
      wasRead: end?.outcome?.kind === 'complete',
      isUnnamed: currentRunId(target) === '',
      lastLines,
    });
    this.#state = initialState(known);
  }

  get #known(): Known {
    return this.#state.known;
  }

  /** Its position, for a later follower to resume; undefined if its pod is deleted. */
  get end(): LaneEnd | undefined {
    const { deletion, wasRead, target, runId } = this.#known;
    if (deletion.sinceMs !== undefined) return undefined;
    const outcome = wasRead ? ({ kind: 'complete' } as const) : undefined;
    return { target, runId, position: this.#walk.position, outcome };
  }

  readonly isLeaving = () => this.#known.isLeaving;

  /** Records that the container changed: restarted, started, ended. */
  update(target: ContainerTarget): void {
    this.#onPodEvent({ type: 'pod-changed', target });
  }

  /** Records that the pod was deleted, or no longer matches. */
  leave(target: ContainerTarget): void {
    this.#onPodEvent({ type: 'pod-left', target });
  }

  #onPodEvent(event: FollowEvent): void {
    this.#notice(event);
    for (const resolve of this.#onChange) resolve();
  }

  async run(): Promise<void> {
    await this.#play({ type: 'begin' });
  }

  /** Takes an event, and those of its tasks in turn, until nothing is left to do. */
  async #play(first: FollowEvent): Promise<void> {
    let event: FollowEvent | undefined = first;
    while (event !== undefined) event = await this.#perform(this.#take(event));
  }

  #take(event: FollowEvent): readonly FollowEffect[] {
    const { hasLines, aligned, isAmongKnown, first, max } = this.#walk;
    const walk = { hasLines, aligned, isAmongKnown, first, max };
    const now = { atMs: this.#context.clock.steady(), walk };
    const [state, effects] = step(this.#state, event, now);
    this.#state = state;
    return effects;
  }

  /** Takes an event that is independent of the running task: it starts no other task. */
  #notice(event: FollowEvent): void {
    for (const effect of this.#take(event)) {
      if (isLasting(effect)) throw new Error(`the effect ${effect.type} takes time`);
      this.#performAtOnce(effect);
    }
  }

  /** Performs effects in order; returns the event of the last one, a task, or undefined if everything is done. */
  async #perform(effects: readonly FollowEffect[]): Promise<FollowEvent | undefined> {
    for (const effect of effects) {
      switch (effect.type) {
        case 'connect':
          return this.#connect();
        case 'fetch-pod':
          return {
            type: 'pod-fetched',
            pod: await fetchOrLast(this.#context, this.#known.target, this.isLeaving),
          };
        case 'read-run':
          return this.#readRun(effect.previous, effect.isOver);
        case 'await-final-status':
          return { type: 'final-status', last: await this.#finalStatus() };
        case 'pause':
          return this.#pause(effect);
        case 'await-change':
          return this.#awaitChange();
        case 'give':
          await this.#options.push([effect.record]);
          break;
        case 'find-beginning':
          return { type: 'beginning-found', first: effect.first, beginsAt: await this.#findBeginning() };
        default:
          this.#performAtOnce(effect);
      }
    }
    return undefined;
  }

  #performAtOnce(effect: InstantEffect): void {
    const { target } = this.#known;
    switch (effect.type) {
      case 'close-connection':
        this.#connection?.abort();
        return;
      case 'wake':
        this.#polls.reset();
        this.#wake?.abort();
        return;
      case 'check-left':
        void this.#checkLeft();
        return;
      case 'begin-run': {
        const lost = this.#walk.beginRun();
        if (lost !== undefined) reportGap(this.#context, target, ROTATED, lost);
        return;
      }
      case 'answered':
        this.#options.backoff.answered(this.id);
        return;
      case 'hurry':
        this.#options.slots.hurry();
        return;
      case 'see':
        this.#options.see(effect.target);
        return;
      case 'frame':
        this.#context.report(effect.frame);
        return;
      case 'report':
        reportContainer(this.#context, target, effect.report);
        return;
      case 'report-outcome':
        reportOutcome(this.#context, target, effect.outcome);
        return;
      case 'gap':
        reportGap(this.#context, target, effect.cause, effect.from, effect.to);
        return;
      default:
        effect satisfies never;
    }
  }

  async #connect(): Promise<FollowEvent> {
    const { target, runId, lastLines, hasLeft } = this.#known;
    const { slots, from, connected, away, onAnswer } = this.#options;
    const connection = new FollowConnection(this.#context, {
      target,
      runId,
      start: { sinceTime: sinceFor(from), tailLines: lastLines },
      walk: this.#walk,
      hasStalled: this.#hasStalled,
      isUrgent: () => isUrgent(this.#known.deletion, this.#context.clock.steady()),
      onAnswer: () => {
        connected();
        onAnswer();
        this.#notice({ type: 'connected' });
      },
      onRecords: (records) => this.#push(records),
    });
    this.#connection = connection;
    if (hasLeft) connection.abort();
    try {
      const end = await connection.read(slots);
      const isSilence = end.kind === 'broken' && isKubeError(end.error, 'connection');
      if (!isSilence && end.kind !== 'turn-over') onAnswer();
      return { type: 'disconnected', end, wasSteady: connection.wasSteady() };
    } finally {
      this.#hasStalled = connection.hasStalled;
      away();
      this.#connection = undefined;
    }
  }

  async #push(records: readonly LogRecord[]): Promise<void> {
    await this.#play({ type: 'records' });
    await this.#options.push(records);
  }

  /** Requests the time of the first line of the run. */
  #findBeginning(): Promise<Timestamp | undefined> {
    const { target, runId } = this.#known;
    return firstTime(this.#context, addressRun(target, runId, runId !== currentRunId(target)));
  }

  /**
   * Reads a run to its end. Includes its unterminated last line if it has ended; otherwise that line comes complete
   * later.
   */
  async #readRun(previous: boolean, isOver: boolean): Promise<FollowEvent> {
    const { target, runId } = this.#known;
    const walk = this.#walk;
    // Only the outcome shows what gaps after its last line mean.
    const gaps: Frame[] = [];
    const report = (frame: Frame) => {
      if (frame.type === 'gap') gaps.push(frame);
      else this.#context.report(frame);
    };
    const context = { ...this.#context, report };
    const reader = new RunReader(context, addressRun(target, runId, previous), {
      start: { sinceTime: sinceFor(this.#options.from) },
      walk,
      giveUnterminated: isOver,
      confirmRun: true,
    });
    for await (const batch of reader.batches()) {
      // If the reader is interrupted after these lines, it will not return to earlier ones.
      for (const gap of gaps.splice(0)) this.#context.report(gap);
      await this.#push(batch);
    }
    const { outcome, failures } = reader;
    // The log no longer contains a known line. Reports that once.
    const lost = outcome?.kind === 'complete' && !walk.aligned ? walk.loseRun() : undefined;
    if (lost !== undefined) reportGap(context, target, ROTATED, lost);
    return { type: 'run-read', outcome, gaps, isDoubtful: failures.isDoubtful };
  }

  /** Waits for the pod's final status, which comes with the event of its deletion. */
  async #finalStatus(): Promise<ContainerTarget | undefined> {
    const { clock, signal } = this.#context;
    const endMs = clock.steady() + MAX_EVENT_LAG_MS;
    while (!this.#known.isLeaving && clock.steady() < endMs) {
      const changed = new AbortController();
      const onChange = () => changed.abort();
      this.#onChange.add(onChange);
      await this.#sleep(endMs - clock.steady(), changed);
      this.#onChange.delete(onChange);
    }
    signal.throwIfAborted();
    return finalStatus(this.#known);
  }

  async #pause({ attempt, end }: Extract<FollowEffect, { type: 'pause' }>): Promise<FollowEvent> {
    if (this.#known.change === 'over') return { type: 'waited' };
    this.#wake = new AbortController();
    const signal = AbortSignal.any([this.#context.signal, this.#wake.signal]);
    try {
      await this.#options.backoff.pause({ ...this.#context, signal }, this.id, attempt, end);
    } catch (error) {
      if (this.#context.signal.aborted || !signal.aborted) throw error;
    } finally {
      this.#wake = undefined;
    }
    return { type: 'waited' };
  }

  async #awaitChange(): Promise<FollowEvent> {
    if (this.#known.change !== 'none') return { type: 'waited' };
    this.#wake = new AbortController();
    await this.#sleep(this.#polls.nextMs(), this.#wake);
    this.#wake = undefined;
    return { type: 'waited' };
  }

  /** Waits this long, or until `end` is aborted. Rejects when the signal is aborted. */
  async #sleep(delayMs: number, end: AbortController): Promise<void> {
    const { clock, signal } = this.#context;
    try {
      await sleep(clock, delayMs, AbortSignal.any([signal, end.signal]));
    } catch {
      signal.throwIfAborted();
    }
  }

  async #checkLeft(): Promise<void> {
    const askedMs = this.#context.clock.steady();
    const fetched = await fetchContainer(this.#context, this.#known.target).catch(() => 'unknown' as const);
    this.#notice({ type: 'left-checked', isGone: fetched === 'gone', askedMs });
  }
}
