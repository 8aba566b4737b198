import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';
import { currentRunId, lookAtPod, lookOrLast, previousRunId, runReadUnnamed } from '../run/pod-look.ts';
import { Position } from '../run/position.ts';
import { readRunRest } from '../run/run-rest.ts';
import {
  finishedText,
  reportOutcome,
  reportSource,
  restartedText,
  waitingReason,
} from '../run/source-report.ts';
import { StreamAbort } from '../run/stream-abort.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import { Denials } from './denials.ts';
import { FollowConnection, type StreamEnd } from './follow-connection.ts';
import type { FollowerOptions } from './follower-options.ts';
import { PodDeletion } from './pod-deletion.ts';
import { PodNews } from './pod-news.ts';
import { Struggle } from './resume-start.ts';
import { SourceVoice } from './source-voice.ts';

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
  readonly #news = new PodNews();
  readonly #deletion: PodDeletion;
  readonly #voice: SourceVoice;
  #leaving = false;
  /** The pod lives on, so that its log need not end: no connection waits for that. */
  #hasLeft = false;
  #connection: FollowConnection | undefined;
  #everRead: boolean;
  /** The run whose end was read already. */
  #drained: string | undefined;
  #tries = 0;
  /** Those that the pod told of when it named the present run, -1 before the first: news may be older than that. */
  #restarts: number;
  #lastLines: number | undefined;
  readonly #denials = new Denials();
  readonly #struggle: Struggle;

  constructor(
    context: ReadContext,
    target: ContainerTarget,
    end: LaneEnd | undefined,
    options: FollowerOptions,
  ) {
    this.id = target.id;
    this.#context = { ...context, lastStatus: () => this.#lastStatus() };
    this.#options = options;
    this.#deletion = new PodDeletion(context.clock, target, () => options.slots.hurry());
    this.#voice = new SourceVoice(context);
    this.#struggle = new Struggle(context.clock);
    this.#lastLines = options.lastLines;
    this.#target = target;
    this.#restarts = currentRunId(target) === '' && target.restartCount === 0 ? -1 : target.restartCount;
    this.#position = end?.position ?? new Position();
    this.#runId = end?.runId ?? '';
    this.#everRead = end?.outcome?.kind === 'complete';
  }

  /** Where it stands, to be taken up by a follower to come; undefined when its pod is deleted. */
  get end(): LaneEnd | undefined {
    if (this.#deletion.begun) return undefined;
    const outcome = this.#everRead ? ({ kind: 'complete' } as const) : undefined;
    return { target: this.#target, runId: this.#runId, position: this.#position, outcome };
  }

  readonly isLeaving = () => this.#leaving;

  /** The container changed: restarted, started, ended. */
  update(target: ContainerTarget): void {
    this.#see(target);
    this.#news.came(target.state.kind === 'terminated');
  }

  /** The pod was deleted, or does not match any more. */
  leave(target: ContainerTarget): void {
    this.#leaving = true;
    this.update(target);
    if (!target.deleting) void this.#endUnlessDeleted();
  }

  /** A pod deleted by force never said so; its log goes on until the container is over. */
  async #endUnlessDeleted(): Promise<void> {
    const atMs = this.#context.clock.steady();
    const look = await lookAtPod(this.#context, this.#target).catch(() => 'unknown' as const);
    if (look === 'gone') this.#deletion.begin(atMs);
    else {
      this.#hasLeft = true;
      this.#connection?.abort();
    }
  }

  async run(): Promise<void> {
    if (this.#runId === '' && !this.#position.hasLines) await this.#begin();
    for (;;) {
      const news = this.#news.count;
      const end = await this.#followOnce();
      this.#deletion.judge(end, this.#target, this.#runId, this.#position.aligned);
      if (end.kind === 'turn-over') continue;
      // Of one that is leaving this may be the answer of the next pod of its name.
      if (end.kind === 'waiting' && !this.#leaving) {
        this.#voice.tell(this.#target, 'waiting', waitingReason(this.#target, end.reason));
        await this.#news.wait(this.#context, news);
        continue;
      }
      if (end.kind === 'broken' && this.#denials.isFinal(end.error, this.#everRead))
        return this.#voice.failed(this.#target, end.error);
      const look =
        end.kind === 'other-run' ? end.look : await lookOrLast(this.#context, this.#target, this.isLeaving);
      if (look === 'gone') {
        await this.#lastWords(end.kind);
        this.#deletion.begin();
      }
      if (look === 'gone' || end.kind === 'waiting') return void this.#left();
      if (end.kind === 'broken' && this.#deletion.endOf(this.#runId) === undefined)
        this.#voice.broken(this.#target, look, end.error);
      const isAborted = end.kind === 'broken' && end.error instanceof StreamAbort;
      if (await this.#afterEnd(look, news, isAborted)) return;
      const attempt = this.#tries++ - 1;
      if (attempt < 0) continue;
      await this.#news.unlessOver(this.#context, news, (context) =>
        this.#options.revival.pause(context, this.id, attempt, end),
      );
    }
  }

  /** A container that joined: the run before the present one belongs to it too, where it is wanted. */
  async #begin(): Promise<void> {
    // The container may be started again meanwhile: the run in between is not skipped.
    const [previousId, presentId] = [previousRunId(this.#target), currentRunId(this.#target)];
    if (this.#options.previous !== 'no' && previousId !== undefined) {
      this.#runId = previousId;
      await this.#readRest(true);
    }
    this.#runId = presentId;
    this.#position.beginRun();
  }

  async #followOnce(): Promise<StreamEnd> {
    const connection = new FollowConnection(this.#context, {
      ...{ target: this.#target, runId: this.#runId, position: this.#position },
      from: this.#options.from,
      lastLines: this.#lastLines,
      struggle: this.#struggle,
      live: this.#options,
      isUrgent: this.#deletion.isUrgent,
      onAnswer: () => {
        this.#denials.onAnswer();
        this.#options.revival.answered(this.id);
        this.#voice.back(this.#target);
      },
      onRecords: (records) => {
        this.#tries = 0;
        this.#everRead = true;
        this.#voice.forget();
        return this.#push(records);
      },
      onGap: (from, to) => this.#voice.gap(this.#target, from, to, 'the log was rotated on the node'),
      onLaterRun: (last) => this.#turnTo(last, currentRunId(last)),
    });
    this.#connection = connection;
    if (this.#hasLeft) connection.abort();
    try {
      return await connection.read(this.#options.slots);
    } finally {
      this.#connection = undefined;
      if (this.#struggle.wasSteady()) this.#tries = 0;
    }
  }

  #push(records: readonly LogRecord[]): Promise<void> {
    this.#deletion.doubt();
    return this.#options.push(records);
  }

  #see(target: ContainerTarget): void {
    this.#target = target;
    this.#deletion.see(target);
    this.#options.see(target);
  }

  /** What the pod was at its end comes with the event of its deletion. */
  async #lastStatus(): Promise<ContainerTarget | undefined> {
    await this.#news.until(this.#context, this.isLeaving);
    return this.#leaving && this.#target.restartCount >= this.#restarts ? this.#target : undefined;
  }

  /** The pod is gone: its last, unterminated line; or the notice that something may be missing. */
  async #lastWords(end: StreamEnd['kind']): Promise<void> {
    const isDrained = this.#drained === this.#runId;
    const isCut = end === 'broken' && !isDrained && !this.#deletion.hasEnd(this.#runId);
    const isUnstarted = this.#runId === '' && !this.#position.hasLines;
    const last = isCut && !isUnstarted ? undefined : await this.#lastStatus();
    // Who is deleted by force may have run without a word.
    const wasSeen = end === 'waiting' || last?.deleting === true;
    if (isUnstarted && wasSeen && last !== undefined && currentRunId(last) === '') return;
    const present = last === undefined ? '' : currentRunId(last);
    if (this.#runId !== '' && present !== '' && present !== this.#runId) this.#voice.lostRun(this.#target);
    if (isDrained) return;
    const clean = this.#deletion.endOf(this.#runId);
    if (clean === undefined) return this.#voice.lostEnd(this.#target, this.#position.max, end === 'broken');
    if (clean.rest !== undefined) await this.#options.push([clean.rest]);
  }

  /** Decides what an end meant by the state of the pod; true when there is nothing more to come. */
  async #afterEnd(look: ContainerTarget | 'unknown', news: number, isAborted: boolean): Promise<boolean> {
    if (look === 'unknown') return this.#leaving && (await this.#leaveNow());
    const present = currentRunId(look);
    this.#see(look);
    if (present !== this.#runId) {
      await this.#turnTo(look, present);
      return false;
    }
    const isRunning = look.state.kind === 'running';
    if (isRunning && isAborted && !this.#position.aligned) await this.#readRest(false, false);
    if (isRunning) return this.#leaving && !look.deleting && (await this.#leaveNow());
    if (this.#runId !== '' && this.#drained !== this.#runId) {
      await this.#readRest(false);
      this.#drained = this.#runId;
    }
    if (this.#leaving) return this.#left();
    if (look.state.kind === 'terminated' && !look.mayRestart) {
      this.#voice.tell(this.#target, 'finished', finishedText(look.state));
      return true;
    }
    if (look.state.kind === 'waiting') this.#voice.tell(this.#target, 'waiting', look.state.reason);
    this.#tries = 0;
    await this.#news.wait(this.#context, news);
    return false;
  }

  /** Another run has begun: the rest of the one before it first. */
  async #turnTo(look: ContainerTarget, present: string): Promise<void> {
    const [last, { first }] = [look.lastContainerId, this.#position];
    if (this.#runId === '' && first !== undefined) {
      // It was read before the pod's status named it.
      this.#runId = runReadUnnamed(look, first);
      this.#restarts = look.restartCount - (this.#runId === present ? 0 : 1);
      if (this.#runId === present) {
        if (last !== undefined && last !== present) this.#voice.lostRun(this.#target);
        return;
      }
    }
    const isBetween = last !== undefined && last !== this.#runId && last !== present;
    const isCut = this.#runId !== '' && this.#drained !== this.#runId;
    if (isCut && last === this.#runId) await this.#readRest(true);
    else if (isCut || look.restartCount - this.#restarts > (isBetween ? 2 : 1))
      this.#voice.lost(this.#target, this.#position.max, 'the container was started again more than once');
    if (isBetween) {
      this.#runId = last;
      this.#position.beginRun();
      await this.#readRest(true);
    }
    if (this.#runId !== '') this.#voice.tell(this.#target, 'restarted', restartedText(look.restartCount));
    this.#runId = present;
    this.#lastLines = undefined;
    this.#restarts = look.restartCount;
    this.#position.beginRun();
    this.#tries = 0;
  }

  /** Reads a run to its end; its unterminated last line too, if it is over: else that comes whole later. */
  async #readRest(previous: boolean, isOver = true): Promise<void> {
    const { outcome, gaps, isDoubtful } = await readRunRest(this.#context, {
      ...{ target: this.#target, runId: this.#runId, previous, isOver },
      position: this.#position,
      from: this.#options.from,
      push: (records) => this.#push(records),
    });
    if (isDoubtful) this.#deletion.doubt();
    const end = this.#deletion.endOf(this.#runId);
    const isAway = outcome?.kind === 'gone' || outcome?.kind === 'failed';
    if (end !== undefined && isAway && !previous) return this.#lastWords('clean');
    // The node removed what had been read to its end.
    if (end !== undefined && outcome?.kind === 'absent') return end.rest && this.#options.push([end.rest]);
    for (const gap of gaps) this.#context.report(gap);
    if (outcome?.kind === 'moved' && !previous) return this.#readRest(true);
    if (outcome?.kind === 'absent' || outcome?.kind === 'gone' || outcome?.kind === 'moved') {
      if (!this.#position.hasLines) this.#voice.lostRun(this.#target);
    } else reportOutcome(this.#context, this.#target, outcome);
  }

  /** The pod no longer matches: its last lines, then it leaves. */
  async #leaveNow(): Promise<true> {
    await this.#readRest(false, this.#target.state.kind !== 'running');
    return this.#left();
  }

  #left(): true {
    const why = this.#deletion.begun ? 'the pod was deleted' : 'it does not match any more';
    reportSource(this.#context, this.#target, 'left', why);
    return true;
  }
}
