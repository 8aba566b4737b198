import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { Frame } from '../domain/frame.ts';
import type { EngineContext } from './engine.ts';

/** A log that was asked for before its pod was known (log-guess.ts). */
export interface GuessedLog {
  /** The answer to a query for that container, once; undefined if it must be requested. */
  take(target: ContainerTarget, query: LogQuery): Promise<LogResponse | undefined>;
}

/** What the readers of one call share. */
export interface ReadContext extends EngineContext {
  /** Hands a frame that is no record to the reader of the view, in order with the records given so far. */
  report(frame: Frame): void;
  /** Takes what was reported and not given to the reader: for a view in which no other frame may come for long. */
  readonly takeReports?: (() => readonly Frame[]) | undefined;
  /** When the containers were resolved, ms since the epoch. */
  readonly resolvedAtMs: number;
  /**
   * What the container that this context is for was when its pod was deleted: the last word on which run its log was.
   * Undefined if that is not known, or not in time.
   */
  readonly lastStatus?: (() => Promise<ContainerTarget | undefined>) | undefined;
  /** The log that was asked for before its pod was known. */
  readonly guess?: GuessedLog | undefined;
  /** Lines that a reader makes records of at once (open-log.ts). */
  readonly batchLines?: number | undefined;
  /** Source of jitter, 0 to 1. */
  readonly random: () => number;
}
