import { sleep } from '../domain/clock.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { LaneEnd } from './container-lane.ts';
import { Denials } from './denials.ts';
import { FollowConnection, StreamAbort, type StreamEnd } from './follow-connection.ts';
import type { FollowerOptions } from './follower-options.ts';
import { PodDeletion } from './pod-deletion.ts';
import { currentRunId, lookAtPod, lookOrLast } from './pod-look.ts';
import { PodNews } from './pod-news.ts';
import type { ReadContext } from './read-context.ts';
import { Struggle } from './resume-start.ts';
import { RunWalk } from './run-walk.ts';
import { finishedText, reportSource, waitingReason } from './source-report.ts';
import { SourceVoice } from './source-voice.ts';

const LAST_NEWS_MS = 2_000;
const LATE_END_MS = 2_000;

/**
 * Follows one container over connections, restarts and the end of its pod. `run` resolves when the container is
 * finished, has left or cannot be read; it rejects only when the signal is aborted.
 */
export class ContainerFollower {
  readonly id: string;
  readonly #context: ReadContext;
  readonly #options: FollowerOptions;
  readonly #news = new PodNews();
  readonly #deletion: PodDeletion;
  readonly #voice: SourceVoice;
  readonly #walk: RunWalk;
  #leaving = false;
  /** The pod lives on, so that its log need not end: no connection waits for that. */
  #hasLeft = false;
  #connection: FollowConnection | undefined;
  #everRead: boolean;
  #tries = 0;
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
    this.#deletion = new PodDeletion(context.clock);
    this.#voice = new SourceVoice(context);
    this.#struggle = new Struggle(context.clock);
    const told = { deletion: this.#deletion, voice: this.#voice };
    this.#walk = new RunWalk(this.#context, target, end, options, told);
    this.#everRead = end?.outcome?.kind === 'complete';
  }

  /** Where it stands, to be taken up by a follower to come; undefined when its pod is deleted. */
  get end(): LaneEnd | undefined {
    if (this.#deletion.begun) return undefined;
    const outcome = this.#everRead ? ({ kind: 'complete' } as const) : undefined;
    return { target: this.#walk.target, runId: this.#walk.runId, position: this.#walk.position, outcome };
  }

  readonly isLeaving = () => this.#leaving;

  /** The container changed: restarted, started, ended. */
  update(target: ContainerTarget): void {
    this.#walk.see(target);
    this.#news.came();
    if (this.#walk.isToldLate && this.#connection !== undefined) void this.#endLate(this.#connection);
  }

  /** The log of a run that is over ends by itself. Else it is that of the next one, under the name of the one before. */
  async #endLate(connection: FollowConnection): Promise<void> {
    const { clock, signal } = this.#context;
    await sleep(clock, LATE_END_MS, signal).catch(() => undefined);
    if (this.#connection === connection && this.#walk.isToldLate) connection.abort();
  }

  /** The pod was deleted, or does not match any more. */
  leave(target: ContainerTarget): void {
    this.#leaving = true;
    this.update(target);
    if (!target.deleting) void this.#endUnlessDeleted();
  }

  /** A pod deleted by force never said so; its log goes on until the container is over. */
  async #endUnlessDeleted(): Promise<void> {
    const atMs = this.#context.clock.now();
    const look = await lookAtPod(this.#context, this.#walk.target).catch(() => 'unknown' as const);
    if (look === 'gone') this.#deletion.begin(atMs);
    else {
      this.#hasLeft = true;
      this.#connection?.abort();
    }
  }

  async run(): Promise<void> {
    if (this.#walk.runId === '' && !this.#walk.position.hasLines) await this.#walk.begin();
    for (;;) {
      const news = this.#news.count;
      const end = await this.#followOnce();
      this.#judgeEnd(end);
      if (end.kind === 'turn-over') continue;
      if (end.kind === 'waiting') {
        this.#voice.tell(this.#walk.target, 'waiting', waitingReason(this.#walk.target, end.reason));
        if (this.#leaving) return void this.#left();
        await this.#news.wait(this.#context, news);
        continue;
      }
      if (end.kind === 'broken' && this.#denials.isFinal(end.error, this.#everRead))
        return this.#voice.failed(this.#walk.target, end.error);
      const look =
        end.kind === 'other-run'
          ? end.look
          : await lookOrLast(this.#context, this.#walk.target, this.isLeaving);
      if (look === 'gone') {
        await this.#walk.lastWords(end.kind === 'broken');
        this.#deletion.begin();
        return void this.#left();
      }
      if (end.kind === 'broken' && this.#deletion.endOf(this.#walk.runId) === undefined)
        this.#voice.broken(this.#walk.target, look, end.error);
      const isAborted = end.kind === 'broken' && end.error instanceof StreamAbort;
      if (await this.#afterEnd(look, news, isAborted)) return;
      if (this.#tries > 0) await this.#options.revival.pause(this.#context, this.id, this.#tries - 1, end);
      this.#tries++;
    }
  }

  async #followOnce(): Promise<StreamEnd> {
    const connection = new FollowConnection(this.#context, {
      target: this.#walk.target,
      runId: this.#walk.runId,
      position: this.#walk.position,
      from: this.#options.from,
      lastLines: this.#walk.lastLines,
      struggle: this.#struggle,
      onAnswer: () => {
        this.#denials.onAnswer();
        this.#options.revival.answered(this.id);
        this.#voice.back(this.#walk.target);
      },
      onRecords: (records) => {
        this.#tries = 0;
        this.#everRead = true;
        this.#voice.forget();
        return this.#walk.push(records);
      },
      onGap: (from, to) => this.#voice.gap(this.#walk.target, from, to, 'the log was rotated on the node'),
      onLaterRun: (last) => this.#turnTo(last),
    });
    this.#connection = connection;
    if (this.#hasLeft) connection.abort();
    try {
      return await connection.read(this.#options.slots);
    } finally {
      this.#connection = undefined;
    }
  }

  async #turnTo(look: ContainerTarget): Promise<void> {
    await this.#walk.turnTo(look, currentRunId(look));
    this.#tries = 0;
  }

  /** What the end of a connection tells of that of the log. */
  #judgeEnd(end: StreamEnd): void {
    if (end.kind === 'clean')
      this.#deletion.ended(this.#walk.target, this.#walk.runId, end.rest, this.#walk.position.aligned);
    else if (end.kind === 'broken') this.#deletion.failed(end.error);
    else if (end.kind === 'turn-over') this.#deletion.doubt();
  }

  /** What the pod was at its end comes with the event of its deletion. */
  async #lastStatus(): Promise<ContainerTarget | undefined> {
    await this.#news.until(this.#context, this.isLeaving, LAST_NEWS_MS);
    return this.#leaving && this.#walk.target.restartCount >= this.#walk.restarts
      ? this.#walk.target
      : undefined;
  }

  /** Decides what an end meant by the state of the pod; true when there is nothing more to come. */
  async #afterEnd(look: ContainerTarget | 'unknown', news: number, isAborted: boolean): Promise<boolean> {
    if (look === 'unknown') return this.#leaving && (await this.#leaveNow());
    const present = currentRunId(look);
    this.#walk.see(look);
    if (present !== this.#walk.runId) {
      await this.#turnTo(look);
      return false;
    }
    const isRunning = look.state.kind === 'running';
    if (isRunning && isAborted && !this.#walk.position.aligned)
      await this.#walk.readRest(false, { isOver: false });
    if (isRunning) return this.#leaving && !look.deleting && (await this.#leaveNow());
    await this.#walk.drain();
    if (this.#leaving) return this.#left();
    if (look.state.kind === 'terminated' && !look.mayRestart) {
      this.#voice.tell(this.#walk.target, 'finished', finishedText(look.state));
      return true;
    }
    if (look.state.kind === 'waiting') this.#voice.tell(this.#walk.target, 'waiting', look.state.reason);
    this.#tries = 0;
    await this.#news.wait(this.#context, news);
    return false;
  }

  /** The pod no longer matches: its last lines, then it leaves. */
  async #leaveNow(): Promise<true> {
    await this.#walk.readRest(false, { isOver: this.#walk.target.state.kind !== 'running' });
    return this.#left();
  }

  #left(): true {
    const why = this.#deletion.begun ? 'the pod was deleted' : 'it does not match any more';
    reportSource(this.#context, this.#walk.target, 'left', why);
    return true;
  }
}
