import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Walk } from './walk.ts';

/** How the read of a run ended. */
export type RunOutcome =
  /** Read to its end, as it was when the read reached it. */
  | { readonly kind: 'complete' }
  /** There is no such run any more. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'waiting'; readonly reason: string }
  /** The pod does not exist any more. */
  | { readonly kind: 'gone' }
  /** At the start, the log turned out to be that of another run: nothing was given. */
  | { readonly kind: 'moved'; readonly target: ContainerTarget }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The server answers with 204 for a pod that no node was chosen for. */
export const NO_NODE = { kind: 'waiting', reason: 'the pod has no node yet' } as const;

/** A log without lines is believed to be empty when it says so this often, one that had some to be rotated. */
export const EMPTY_ENDS = { withoutLines: 2, withLines: 3 };

export interface RunStart {
  readonly tailLines?: number | undefined;
  readonly sinceTime?: Timestamp | undefined;
}

export interface RunReadOptions {
  readonly start: RunStart;
  /** What was delivered of this container so far; the read goes on behind it and moves it. */
  readonly walk?: Walk | undefined;
  /**
   * Until a line of the run was delivered, the read begins at `start`: what was delivered of the run before does not tell
   * where, for the clock may have been set back since.
   */
  readonly isNewRun?: boolean | undefined;
  /** Whether a line without newline at the end may be given: not where following goes on behind it. */
  readonly giveUnterminated: boolean;
  /**
   * Following goes on behind the read: nothing is missing where it gives up, and it waits for as long as the server
   * cannot be reached, since going on without this container would put its lines behind later ones.
   */
  readonly thenFollow?: boolean | undefined;
  /** Whether to make sure, before the first record, that the log is that of this run. */
  readonly confirmRun?: boolean | undefined;
}
