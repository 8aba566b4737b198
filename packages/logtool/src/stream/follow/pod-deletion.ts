import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { currentRunId } from '../run/pod-look.ts';
import { isOutage } from '../run/source-failure.ts';
import { PodReplaced, StreamAbort } from '../run/stream-abort.ts';
import type { StreamEnd } from './follow-connection.ts';

/**
 * A log that ended cleanly while its pod was being deleted, and whose pod is gone so soon afterwards, ended with its
 * container: the kubelet removes a pod only when its containers are over, and ends their follows within a second or so
 * (test/recorded/pods-log/follow-pod-deleted.json).
 */
const ENDED_WITH_POD_MS = 10_000;

/** So long a log comes before those of others: longer than the 30 s that a pod is given to end, where it says nothing. */
const URGENT_MS = 60_000;

interface CleanEnd {
  readonly runId: string;
  readonly atMs: number;
  /** The line without its end that came last. */
  readonly rest: LogRecord | undefined;
  /** When the container was first known to be over. */
  overMs: number | undefined;
}

/**
 * What is known of the deletion of a pod, to tell the end of a log from a cut of its connection. What is answered
 * behind the end may show that it was a cut; that nothing is there any more does not: the node removes the containers
 * of a pod, and their logs, before the pod is gone.
 */
export class PodDeletion {
  readonly #clock: Clock;
  readonly #onBegin: () => void;
  #sinceMs: number | undefined;
  #end: CleanEnd | undefined;

  /** `onBegin` is told once. */
  constructor(clock: Clock, target: ContainerTarget, onBegin: () => void) {
    this.#clock = clock;
    this.#onBegin = onBegin;
    this.see(target);
  }

  /** Whether the pod is being deleted, or was. */
  get begun(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** Whether its logs are about to be gone. */
  readonly isUrgent = (): boolean =>
    this.#sinceMs !== undefined && this.#clock.steady() - this.#sinceMs < URGENT_MS;

  begin(atMs = this.#clock.steady()): void {
    if (this.#sinceMs !== undefined) return;
    this.#sinceMs = atMs;
    this.#onBegin();
  }

  /** What the container is now. */
  see(target: ContainerTarget): void {
    if (target.deleting) this.begin();
    const end = this.#end;
    if (end === undefined) return;
    const isOver = target.state.kind === 'terminated' && currentRunId(target) === end.runId;
    if (isOver || (end.runId !== '' && target.lastContainerId === end.runId))
      end.overMs ??= this.#clock.steady();
  }

  /**
   * What the end of a connection tells of that of a run's log. `isWhole`: the answer went on from what was known, so
   * that nothing lies between.
   */
  judge(end: StreamEnd, target: ContainerTarget, runId: string, isWhole: boolean): void {
    if (end.kind === 'clean') {
      const clean = { runId, atMs: this.#clock.steady(), rest: end.rest, overMs: undefined };
      this.#end = isWhole ? clean : undefined;
      this.see(target);
    } else if (end.kind === 'turn-over' || (end.kind === 'broken' && mayBeCut(end.error))) this.doubt();
  }

  /** Whether the log of a run ended, as far as is known. */
  hasEnd(runId: string): boolean {
    return this.#end?.runId === runId;
  }

  /** The log went on, or may have: its end was that of a connection. */
  doubt(): void {
    this.#end = undefined;
  }

  /** The last clean end, where it was that of the container. */
  endOf(runId: string): { readonly rest: LogRecord | undefined } | undefined {
    const end = this.#end;
    if (end?.runId !== runId) return undefined;
    const isNear = (atMs: number) => atMs - end.atMs <= ENDED_WITH_POD_MS;
    const isAnnounced = this.#sinceMs !== undefined && this.#sinceMs < end.atMs;
    const isOver = end.overMs !== undefined && isNear(end.overMs);
    return isOver || (isAnnounced && isNear(this.#clock.steady())) ? end : undefined;
  }
}

/** Who is away when a log is read on may have cut its connection before. */
function mayBeCut(error: unknown): boolean {
  return isOutage(error) || (error instanceof StreamAbort && !(error instanceof PodReplaced));
}
