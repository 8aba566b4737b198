import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import type { EngineContext } from './engine.ts';

/** A log that was requested before its pod was known (log-guess.ts). */
export interface GuessedLog {
  /** Returns the answer to a query for that container, once; undefined if it must be requested. */
  take(target: ContainerTarget, query: LogQuery): Promise<LogResponse | undefined>;
}

/** What the readers of one call share. */
export interface ReadContext extends EngineContext {
  /** Passes a frame without records to the reader of the view, in order with the records given so far. */
  report(frame: Frame): void;
  /** Takes reports that have not reached the reader: for a view in which no other frame may come for long. */
  readonly takeReports?: (() => readonly Frame[]) | undefined;
  /** When the containers were resolved, ms since the epoch. */
  readonly resolvedAtMs: number;
  /**
   * Returns the container's final status at the deletion of its pod, which identifies the run of its log. Undefined if
   * unknown, or too late.
   */
  readonly lastStatus?: (() => Promise<ContainerTarget | undefined>) | undefined;
  /** The log that was requested before its pod was known. */
  readonly guess?: GuessedLog | undefined;
  /** See EnginePlan. */
  readonly retryMs?: number | undefined;
  /** See EnginePlan. */
  readonly previousMs?: number | undefined;
  /** Number of lines that a reader converts to records at once (open-log.ts). */
  readonly batchLines?: number | undefined;
  /** Source of jitter, 0 to 1. */
  readonly random: () => number;
}
