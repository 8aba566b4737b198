import type { Frame } from '../domain/frame.ts';
import type { EngineContext } from './engine.ts';

/** What the readers of one call share. */
export interface ReadContext extends EngineContext {
  /** Hands a frame that is no record to the reader of the view, in order with the records given so far. */
  report(frame: Frame): void;
  /** When the containers were resolved, ms since the epoch. */
  readonly resolvedAtMs: number;
  /** Backlog is read in the order of the file; whoever follows waits for more. */
  readonly random: () => number;
}
