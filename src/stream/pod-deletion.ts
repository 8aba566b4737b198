import type { Clock } from '../domain/clock.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { LogRecord } from '../domain/record.ts';
import { currentRunId } from './pod-look.ts';

/**
 * A log that ended cleanly while its pod was being deleted, and whose pod is gone so soon afterwards, ended with its
 * container: the kubelet removes a pod only when its containers are over, and ends their follows within a second or so
 * (test/recorded/pods-log/follow-pod-deleted.json).
 */
const ENDED_WITH_POD_MS = 10_000;

/** What is known of the deletion of a pod, to tell the end of a log from a cut of its connection. */
export class PodDeletion {
  readonly #clock: Clock;
  #sinceMs: number | undefined;
  #end: { readonly runId: string; readonly atMs: number; readonly rest: LogRecord | undefined } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the pod is being deleted, or was. */
  get begun(): boolean {
    return this.#sinceMs !== undefined;
  }

  begin(atMs = this.#clock.now()): void {
    this.#sinceMs ??= atMs;
  }

  /** The log of a run ended cleanly. `rest`: the line without its end that came last. */
  ended(runId: string, rest: LogRecord | undefined): void {
    this.#end = { runId, atMs: this.#clock.now(), rest };
  }

  /** The last clean end, where it was that of the container; `target` is what was last known of it. */
  endOf(target: ContainerTarget, runId: string): { readonly rest: LogRecord | undefined } | undefined {
    const end = this.#end;
    if (end?.runId !== runId || this.#clock.now() - end.atMs > ENDED_WITH_POD_MS) return undefined;
    const isAnnounced = this.#sinceMs !== undefined && this.#sinceMs < end.atMs;
    const isOver = target.state.kind === 'terminated' && currentRunId(target) === runId;
    return isAnnounced || isOver ? end : undefined;
  }
}
