import { timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { type ContainerTarget, currentRunId } from '../../domain/container.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import { type Bound, isBeforeFrom } from '../../domain/window.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { probeEnd } from '../run/log-end.ts';
import { addressRun } from '../run/open-log.ts';
import { resumesBefore } from '../run/position.ts';
import type { LaneEnd } from '../window/container-lane.ts';
import type { LateContainers } from '../window/window-result.ts';
import { BacklogEnd } from './backlog-end.ts';
import { Delivery } from './delivery.ts';
import { ContainerFollower } from './follower.ts';
import type { LiveMerge } from './live-merge.ts';
import { LogSlots, TURN_MS } from './log-slots.ts';
import { failedNotice, type ResolveFeed } from './resolve-feed.ts';
import { SharedBackoff } from './shared-backoff.ts';

/** Far more containers than leave a view and still exist. */
const MAX_REMOVED = 10_000;

/** Where following a container starts. */
interface FollowStart {
  readonly from: Bound | undefined;
  /** It begins with as many lines as the window requests. */
  readonly isTail: boolean;
  readonly onAnswer: () => void;
  /** Notes what it delivers. */
  readonly delivery: Delivery;
}

/** The containers of a live view: the followed ones, and those that left and may come back. */
export class Followers {
  readonly #context: ReadContext;
  readonly #plan: EnginePlan;
  readonly #merge: LiveMerge;
  readonly #slots: LogSlots;
  readonly #backoff = new SharedBackoff();
  readonly #followers = new Map<string, ContainerFollower>();
  /**
   * Positions of containers that left without being deleted (a pod with changed labels), so that one that comes back
   * continues there: its log is still complete (test/recorded/pods-log/plain-all.json).
   */
  readonly #removed = new Map<string, LaneEnd>();
  /** Containers that came back before they had left completely. */
  readonly #returning = new Map<string, ContainerTarget>();
  #running = 0;
  #feedEnded = false;
  #reportedTurns = false;
  /** Of a resumed view. */
  #backlog: BacklogEnd | undefined;

  readonly #feed: ResolveFeed;

  constructor(context: ReadContext, plan: EnginePlan, merge: LiveMerge, feed: ResolveFeed) {
    this.#feed = feed;
    this.#context = context;
    this.#plan = plan;
    this.#merge = merge;
    this.#slots = new LogSlots(context.clock, plan.maxLogRequests);
  }

  /** Follows the containers of a window from where it ended. */
  startAll(
    targets: readonly ContainerTarget[],
    ends: ReadonlyMap<string, LaneEnd>,
    late?: LateContainers,
  ): void {
    const lateIds = new Set(late?.targets.map(({ id }) => id));
    if (this.#plan.resume !== undefined) this.#awaitBacklog(targets);
    for (const target of targets) {
      if (late !== undefined && lateIds.has(target.id)) this.#startLate(target, late);
      else
        this.#start(
          ends.get(target.id)?.target ?? target,
          ends.get(target.id),
          this.#plan.resume !== undefined,
        );
    }
    this.#reportTurns();
  }

  /** Reports where a resumed view reaches the present. */
  #awaitBacklog(targets: readonly ContainerTarget[]): void {
    const { clock, signal } = this.#context;
    const end = { type: 'end', live: true, prev: undefined, next: undefined, cut: false } as const;
    const ids = targets.map(({ id }) => id);
    const backlog = new BacklogEnd(clock, ids, () => this.#merge.frame(end));
    this.#backlog = backlog;
    signal.addEventListener('abort', () => backlog.close(), { once: true });
  }

  /** Adds and removes containers until no more events can come. */
  async takeAll(): Promise<void> {
    for (;;) {
      const event = await this.#feed.next();
      if (event === undefined) break;
      this.#take(event);
    }
    this.#feedEnded = true;
    this.settle();
  }

  /** Ends the view when no container is followed and none can come. */
  settle(): void {
    if (this.#running === 0 && (this.#feedEnded || !this.#feed.open)) this.#merge.close();
  }

  #take(event: ResolveEvent): void {
    switch (event.type) {
      case 'added':
      case 'changed':
        this.#change(event.target, event.type === 'added');
        break;
      case 'gone':
        this.#remove(event.target);
        break;
      case 'notice':
        this.#merge.frame(event);
        break;
      case 'failed':
        this.#merge.frame(failedNotice(event));
        break;
      case 'synced':
      case 'closing':
        this.settle();
        break;
      default:
        event satisfies never;
    }
  }

  #change(target: ContainerTarget, isAdded: boolean): void {
    const follower = this.#followers.get(target.id);
    if (follower?.isLeaving() === true && (isAdded || this.#returning.has(target.id)))
      this.#returning.set(target.id, target);
    else if (follower !== undefined) follower.update(target);
    else if (isAdded) this.#join(target);
  }

  #remove(target: ContainerTarget): void {
    this.#returning.delete(target.id);
    // It does not come back.
    if (target.deleting) this.#removed.delete(target.id);
    this.#followers.get(target.id)?.leave(target);
  }

  #join(target: ContainerTarget): void {
    this.#merge.frame({ type: 'source', target, state: 'joined' });
    const end = this.#removed.get(target.id);
    this.#removed.delete(target.id);
    this.#start(target, end);
    this.#reportTurns();
  }

  /** `isWatched`: report if the log does not answer in time. */
  #start(target: ContainerTarget, end: LaneEnd | undefined, isWatched = false): void {
    const { from: begin } = this.#plan.window;
    // Containers that resume before the start of others deliver from that start on.
    const from = end !== undefined && resumesBefore(end.position, begin) ? undefined : begin;
    const isUnread = end?.outcome?.kind === 'failed' && end.position.run === undefined;
    const delivery = new Delivery(this.#context.clock, from);
    const answered = isWatched ? this.#watchAnswer(target, delivery) : () => undefined;
    const onAnswer = () => {
      answered();
      this.#backlog?.settled(target.id);
    };
    this.#follow(target, end, { from, isTail: isUnread, onAnswer, delivery });
  }

  /**
   * Begins at the start of the window that the container was left out of; if that has no record, with its last lines.
   */
  #startLate(target: ContainerTarget, { from: at }: LateContainers): void {
    const from = at === undefined ? this.#plan.window.from : ({ kind: 'inclusive', at } as const);
    const delivery = new Delivery(this.#context.clock, from);
    const onAnswer = once(() => this.#reportAnswered(target, delivery));
    this.#follow(target, undefined, { from, isTail: at === undefined, onAnswer, delivery });
  }

  /**
   * Reports a container that does not answer in time, and when it does. One that waits for its turn has the time of the
   * turns before it too: without a report, nobody would learn that the view has caught up.
   */
  #watchAnswer(target: ContainerTarget, delivery: Delivery): () => void {
    const { patienceMs, maxLogRequests } = this.#plan;
    if (patienceMs === undefined) return () => undefined;
    const turnsBefore = Math.floor(this.#followers.size / Math.max(1, maxLogRequests));
    let isLate = false;
    const cancel = this.#context.clock.after(patienceMs + turnsBefore * TURN_MS, () => {
      isLate = true;
      this.#merge.frame({ type: 'unanswered', targets: [target], forMs: patienceMs });
      this.#backlog?.settled(target.id);
    });
    this.#context.signal.addEventListener('abort', cancel, { once: true });
    return once(() => {
      cancel();
      this.#context.signal.removeEventListener('abort', cancel);
      if (isLate) this.#reportAnswered(target, delivery);
    });
  }

  /**
   * Reports that a log has answered. A follow may be connected and deliver nothing: only a log that was read to its end
   * counts as answered, and only once the follow has delivered that end: the lines up to it are not new. A failure is
   * an answer.
   */
  #reportAnswered(target: ContainerTarget, delivery: Delivery): void {
    const answered = () => this.#merge.frame({ type: 'answered', targets: [target] });
    probeEnd(this.#context, addressRun(target, currentRunId(target), false)).then(
      (logEnd) => delivery.reached(logEnd, answered),
      answered,
    );
  }

  #follow(target: ContainerTarget, end: LaneEnd | undefined, start: FollowStart): void {
    const { from, isTail, onAnswer, delivery } = start;
    const { selection, previous } = this.#plan.window;
    const input = this.#merge.join(target);
    const follower = new ContainerFollower(this.#context, target, end, {
      lastLines: isTail && selection.kind === 'tail' ? selection.count : undefined,
      previous,
      from,
      slots: this.#slots,
      backoff: this.#backoff,
      onAnswer,
      ...input,
      push: (records) => {
        const last = records.at(-1);
        if (last !== undefined) this.#backlog?.pushed(timestampToMs(last.at));
        const isTaken = input.push(
          from === undefined ? records : records.filter(({ at }) => !isBeforeFrom(at, from)),
        );
        delivery.pushed(records);
        return isTaken;
      },
    });
    this.#followers.set(target.id, follower);
    this.#running++;
    follower.run().then(
      () => {
        input.leave();
        delivery.close();
        this.#onEnd(follower);
      },
      (error: unknown) => {
        delivery.close();
        this.#merge.close({ error });
      },
    );
  }

  #onEnd(follower: ContainerFollower): void {
    const { id, end } = follower;
    this.#running--;
    this.#backlog?.settled(id);
    this.#followers.delete(id);
    if (end !== undefined) this.#remember(id, end);
    const back = this.#returning.get(id);
    this.#returning.delete(id);
    if (back !== undefined) this.#join(back);
    this.settle();
  }

  #remember(id: string, end: LaneEnd): void {
    this.#removed.set(id, end);
    if (this.#removed.size <= MAX_REMOVED) return;
    const [oldest] = this.#removed.keys();
    if (oldest !== undefined) this.#removed.delete(oldest);
  }

  #reportTurns(): void {
    const limit = Math.max(1, this.#plan.maxLogRequests);
    const total = this.#followers.size;
    if (this.#reportedTurns || total <= limit) return;
    this.#reportedTurns = true;
    this.#merge.frame({ type: 'notice', code: 'in-turns', data: { limit, total } });
  }
}

function once(run: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) run();
    isOver = true;
  };
}
