import type { ContainerTarget } from '../../domain/container.ts';
import type { WaitReason } from '../../domain/frame.ts';
import type { LogRequest } from './open-log.ts';
import type { Walk } from './walk.ts';

/** How the read of a run ended. */
export type RunOutcome =
  /** Read to the end that it had when the read reached it. */
  | { readonly kind: 'complete' }
  /** The run no longer exists. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'waiting'; readonly reason: WaitReason }
  /** The pod no longer exists. */
  | { readonly kind: 'gone' }
  /** At the start, the log turned out to be that of another run: nothing was given. */
  | { readonly kind: 'moved'; readonly target: ContainerTarget }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The server answers with 204 for a pod without a node. */
export const NO_NODE = { kind: 'waiting', reason: { code: 'no-node' } } as const;

/** How many empty answers it takes to accept that a log without lines is empty, and that one with lines was rotated. */
export const EMPTY_ENDS = { withoutLines: 2, withLines: 3 };

export interface RunReadOptions {
  /** The request while no line of the run is known. */
  readonly start: LogRequest;
  /** The records delivered of this container so far; the read continues after it and moves it. */
  readonly walk?: Walk | undefined;
  /** Whether to give a trailing line without newline: not if following continues after it. */
  readonly giveUnterminated: boolean;
  /**
   * Following continues after the read: nothing is missing if it gives up, and it waits for as long as the server is
   * unreachable, because continuing without this container would put its lines after later ones.
   */
  readonly thenFollow?: boolean | undefined;
  /** Whether to verify, before the first record, that the log belongs to this run. */
  readonly confirmRun?: boolean | undefined;
}
