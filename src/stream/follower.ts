import { sleep } from '../domain/clock.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { Frame } from '../domain/frame.ts';
import type { LogRecord } from '../domain/record.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Bound } from '../domain/window.ts';
import { backoffMs } from '../kube/backoff.ts';
import { sinceFor } from './bounds.ts';
import type { LaneEnd } from './container-lane.ts';
import { FollowConnection, StreamAbort, type StreamEnd } from './follow-connection.ts';
import type { LogSlots } from './log-slots.ts';
import { currentRunId, lookAtPod, previousRunId } from './pod-look.ts';
import { Position } from './position.ts';
import type { ReadContext } from './read-context.ts';
import { addressRun, RunReader } from './run-reader.ts';
import { classifyFailure } from './source-failure.ts';
import { errorText, reportOutcome, reportSource, waitingReason } from './source-report.ts';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
/** How often a container that waits to start is looked at, if no event says that it did. */
const LONGEST_POLL_MS = 10_000;
const FEW_TRIES = 3;
/**
 * A pod that was being deleted when its log ended cleanly, and is gone so soon afterwards, ended its log itself: the
 * kubelet removes a pod only when its containers are over, and ends their follows within a second or so.
 */
const ENDED_WITH_POD_MS = 10_000;

export interface FollowerOptions {
  readonly previous: 'auto' | 'no' | 'only';
  readonly from: Bound | undefined;
  readonly slots: LogSlots;
  push(records: readonly LogRecord[]): Promise<void>;
}

/**
 * Follows one container over connections, restarts and the end of its pod. `run` resolves when the container is
 * finished, has left or cannot be read; it rejects only when the signal is aborted.
 */
export class ContainerFollower {
  readonly id: string;
  readonly #context: ReadContext;
  readonly #options: FollowerOptions;
  readonly #position: Position;
  #target: ContainerTarget;
  #runId: string;
  /** Number of events about the container: a wait ends when it moves. */
  #news = 0;
  #wakeUp: (() => void) | undefined;
  #leaving = false;
  #connection: FollowConnection | undefined;
  #deletingSinceMs: number | undefined;
  /** When the log ended cleanly last, in the time of a deletion, and with what unterminated line. */
  #lastEnd: { readonly atMs: number; readonly rest: LogRecord | undefined } | undefined;
  #everRead: boolean;
  /** The run whose end was read already. */
  #drained: string | undefined;
  #told = '';
  #tries = 0;
  /** 401 and 403 in a row. */
  #denials = 0;

  constructor(
    context: ReadContext,
    target: ContainerTarget,
    end: LaneEnd | undefined,
    options: FollowerOptions,
  ) {
    this.id = target.id;
    this.#context = context;
    this.#options = options;
    this.#target = target;
    this.#position = end?.position ?? new Position();
    this.#runId = end?.runId ?? '';
    this.#everRead = end?.outcome?.kind === 'complete';
  }

  /** The container changed: restarted, started, ended. */
  update(target: ContainerTarget): void {
    this.#see(target);
    this.#news++;
    this.#wakeUp?.();
  }

  /** The pod was deleted, or does not match any more. */
  leave(target: ContainerTarget): void {
    this.#leaving = true;
    this.update(target);
    if (!target.deleting) void this.#endUnlessDeleted();
  }

  /** A pod deleted by force never said so before; its log goes on until the container is over. */
  async #endUnlessDeleted(): Promise<void> {
    const atMs = this.#context.clock.now();
    const look = await lookAtPod(this.#context, this.#target).catch(() => 'unknown' as const);
    if (look === 'gone') this.#deletingSinceMs ??= atMs;
    else this.#connection?.abort();
  }

  async run(): Promise<void> {
    if (this.#runId === '') await this.#begin();
    for (;;) {
      const news = this.#news;
      const end = await this.#followOnce();
      if (end.kind === 'turn-over') continue;
      this.#noteEnd(end);
      if (end.kind === 'waiting') {
        this.#tell('waiting', waitingReason(this.#target, end.reason));
        if (this.#leaving) return this.#left();
        await this.#waitForNews(news);
        continue;
      }
      if (end.kind === 'broken') {
        if (await this.#isOver(end.error)) return;
      }
      const look = end.kind === 'other-run' ? end.look : await this.#look();
      if (look === 'gone') {
        await this.#lastWords(end.kind === 'broken');
        return this.#left();
      }
      if (await this.#afterEnd(look, news)) return;
      if (this.#tries > 0) await this.#backOff(end.kind === 'broken' ? retryAfter(end.error) : 0);
      this.#tries++;
    }
  }

  /** A container that joined: the run before the present one belongs to it too, where it is wanted. */
  async #begin(): Promise<void> {
    const previousId = previousRunId(this.#target);
    if (this.#options.previous !== 'no' && previousId !== undefined) {
      this.#runId = previousId;
      await this.#readRest(true);
    }
    this.#runId = currentRunId(this.#target);
    this.#position.beginRun();
  }

  async #followOnce(): Promise<StreamEnd> {
    const connection = new FollowConnection(this.#context, {
      target: this.#target,
      runId: this.#runId,
      position: this.#position,
      from: this.#options.from,
      onAnswer: () => {
        this.#denials = 0;
        this.#tellBack();
      },
      onRecords: (records) => {
        this.#tries = 0;
        this.#everRead = true;
        this.#told = '';
        return this.#options.push(records);
      },
      onGap: (from, to) => this.#gap(from, to, 'the log was rotated on the node'),
    });
    this.#connection = connection;
    try {
      return await connection.read(this.#options.slots);
    } finally {
      this.#connection = undefined;
    }
  }

  #see(target: ContainerTarget): void {
    this.#target = target;
    if (target.deleting) this.#deletingSinceMs ??= this.#context.clock.now();
  }

  #noteEnd(end: StreamEnd): void {
    const atMs = this.#context.clock.now();
    const announced = this.#deletingSinceMs !== undefined && this.#deletingSinceMs < atMs;
    if (end.kind === 'clean' && announced) this.#lastEnd = { atMs, rest: end.rest };
  }

  /** Whether the last clean end was that of the container, now that its pod is gone. */
  #endedWithPod(): boolean {
    return this.#lastEnd !== undefined && this.#context.clock.now() - this.#lastEnd.atMs <= ENDED_WITH_POD_MS;
  }

  /** The pod is gone: its last, unterminated line; or the notice that something may be missing. */
  async #lastWords(isBroken: boolean): Promise<void> {
    if (this.#drained === this.#runId) return;
    if (!this.#endedWithPod()) {
      const how = isBroken ? 'while its log was cut off' : 'before the end of its log was certain';
      return this.#gap(this.#position.max, undefined, `the pod was deleted ${how}`);
    }
    const rest = this.#lastEnd?.rest;
    if (rest === undefined) return;
    const records = this.#position.admit([rest]);
    if (records.length > 0) await this.#options.push(records);
  }

  /** Decides what an end meant by the state of the pod; true when there is nothing more to come. */
  async #afterEnd(look: ContainerTarget | 'unknown', news: number): Promise<boolean> {
    if (look === 'unknown') return this.#leaving && (await this.#leaveNow());
    const present = currentRunId(look);
    this.#see(look);
    if (present !== this.#runId) {
      await this.#turnTo(look, present);
      return false;
    }
    if (look.state.kind === 'running') return this.#leaving && !look.deleting && (await this.#leaveNow());
    if (this.#drained !== this.#runId) {
      await this.#readRest(false);
      this.#drained = this.#runId;
    }
    if (this.#leaving) {
      this.#left();
      return true;
    }
    if (look.state.kind === 'terminated' && !look.mayRestart) {
      this.#tell(
        'finished',
        look.state.exitCode === 0 ? look.state.reason : `${look.state.reason} (${look.state.exitCode})`,
      );
      return true;
    }
    if (look.state.kind === 'waiting') this.#tell('waiting', look.state.reason);
    this.#tries = 0;
    await this.#waitForNews(news);
    return false;
  }

  /** Another run has begun: the rest of the one before it first. */
  async #turnTo(look: ContainerTarget, present: string): Promise<void> {
    const last = look.lastContainerId;
    if (this.#runId !== '' && this.#drained !== this.#runId) {
      if (last === this.#runId) await this.#readRest(true);
      else this.#gap(this.#position.max, undefined, 'the container was started again more than once');
    }
    if (last !== undefined && last !== this.#runId && last !== present && this.#runId !== '') {
      this.#runId = last;
      this.#position.beginRun();
      await this.#readRest(true);
    }
    if (this.#runId !== '') this.#tell('restarted', `restart ${look.restartCount}`);
    this.#runId = present;
    this.#position.beginRun();
    this.#tries = 0;
  }

  /** Reads a run that is over to its end, its unterminated last line too. */
  async #readRest(previous: boolean): Promise<void> {
    const gaps: Frame[] = [];
    const report = (frame: Frame) => {
      if (frame.type === 'gap') gaps.push(frame);
      else this.#context.report(frame);
    };
    const reader = new RunReader(
      { ...this.#context, report },
      addressRun(this.#target, this.#runId, previous),
      {
        start: { sinceTime: sinceFor(this.#options.from) },
        position: this.#position,
        giveUnterminated: true,
        confirmRun: true,
      },
    );
    for await (const batch of reader.batches()) await this.#options.push(batch);
    const { outcome } = reader;
    if (outcome?.kind === 'gone' && !previous && this.#endedWithPod()) return this.#lastWords(false);
    for (const gap of gaps) this.#context.report(gap);
    if (outcome?.kind === 'moved') return this.#readRest(true);
    if (outcome?.kind === 'absent' || outcome?.kind === 'gone') {
      if (!this.#position.hasLines)
        this.#gap(undefined, undefined, 'a run ended and was removed before it could be read');
    } else reportOutcome(this.#context, this.#target, outcome);
  }

  async #isOver(error: unknown): Promise<boolean> {
    const failure = classifyFailure(error);
    this.#denials = failure.kind === 'denied' ? this.#denials + 1 : 0;
    const isDenied = this.#denials >= FEW_TRIES && !this.#everRead;
    if (isDenied || (failure.kind === 'fatal' && !(error instanceof StreamAbort))) {
      reportSource(this.#context, this.#target, 'failed', errorText(error), error);
      return true;
    }
    if (!(error instanceof StreamAbort)) this.#tell('reconnecting', errorText(error), error);
    return false;
  }

  /** The pod no longer matches: its last lines, then it leaves. */
  async #leaveNow(): Promise<boolean> {
    await this.#readRest(false);
    this.#left();
    return true;
  }

  #left(): void {
    const why = this.#deletingSinceMs === undefined ? 'it does not match any more' : 'the pod was deleted';
    reportSource(this.#context, this.#target, 'left', why);
  }

  /** The pod as it is now; where it cannot be looked at, as the events had it. */
  async #look(): Promise<ContainerTarget | 'gone' | 'unknown'> {
    const look = await lookAtPod(this.#context, this.#target);
    if (look !== 'unknown') return look;
    return this.#leaving ? 'gone' : this.#target;
  }

  async #waitForNews(news: number): Promise<void> {
    if (this.#news !== news) return;
    const attempt = this.#polls++;
    const waitMs = backoffMs(attempt, {
      firstMs: 1_000,
      maxMs: LONGEST_POLL_MS,
      random: this.#context.random,
    });
    const done = new AbortController();
    this.#wakeUp = () => {
      this.#polls = 0;
      done.abort();
    };
    const { signal, clock } = this.#context;
    try {
      await sleep(clock, waitMs, AbortSignal.any([signal, done.signal]));
    } catch {
      if (signal.aborted) throw signal.reason;
    } finally {
      this.#wakeUp = undefined;
    }
  }

  #polls = 0;

  async #backOff(atLeastMs: number): Promise<void> {
    const { clock, random, signal } = this.#context;
    const options = { firstMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS, random };
    await sleep(clock, Math.max(atLeastMs, backoffMs(this.#tries - 1, options)), signal);
  }

  /** Says a state once, not at every try. */
  #tell(state: 'waiting' | 'restarted' | 'reconnecting' | 'finished', detail: string, error?: unknown): void {
    const told = state === 'reconnecting' ? state : `${state} ${detail}`;
    if (this.#told === told) return;
    this.#told = told;
    reportSource(this.#context, this.#target, state, detail, error);
  }

  /** Only a connection that was told to be lost is told to be back. */
  #tellBack(): void {
    if (this.#told !== 'reconnecting') return;
    this.#told = '';
    reportSource(this.#context, this.#target, 'reconnected', '');
  }

  #gap(from: Timestamp | undefined, to: Timestamp | undefined, why: string): void {
    this.#context.report({ type: 'gap', target: this.#target, from, to, why });
  }
}

function retryAfter(error: unknown): number {
  const failure = classifyFailure(error);
  return failure.kind === 'retry' ? (failure.afterMs ?? 0) : 0;
}
