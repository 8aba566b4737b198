import type { ContainerTarget } from '../../domain/container.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRequest } from './open-log.ts';
import type { Walk } from './walk.ts';

/** How the read of a run ended. */
export type RunOutcome =
  /** Read to the end that it had when the read reached it. */
  | { readonly kind: 'complete' }
  /** There is no such run any more. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'waiting'; readonly reason: WaitReason }
  /** The pod does not exist any more. */
  | { readonly kind: 'gone' }
  /** At the start, the log turned out to be that of another run: nothing was given. */
  | { readonly kind: 'moved'; readonly target: ContainerTarget }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The server answers with 204 for a pod that no node was chosen for. */
export const NO_NODE = { kind: 'waiting', reason: { code: 'no-node' } } as const;

/** A log without lines is believed to be empty when it says so this often, one that had some to be rotated. */
export const EMPTY_ENDS = { withoutLines: 2, withLines: 3 };

export interface RunReadOptions {
  readonly start: LogRequest;
  /** The records delivered of this container so far; the read continues after it and moves it. */
  readonly walk?: Walk | undefined;
  /**
   * Until a line of the run was delivered, the read begins at `start`: the earlier run's position does not
   * show where, because the clock may have been set back since.
   */
  readonly isNewRun?: boolean | undefined;
  /** Whether a trailing line without newline may be given: not if following continues after it. */
  readonly giveUnterminated: boolean;
  /**
   * Following continues after the read: nothing is missing if it gives up, and it waits for as long as the
   * server is unreachable, because continuing without this container would put its lines after later ones.
   */
  readonly thenFollow?: boolean | undefined;
  /** Whether to make sure, before the first record, that the log is that of this run. */
  readonly confirmRun?: boolean | undefined;
}
