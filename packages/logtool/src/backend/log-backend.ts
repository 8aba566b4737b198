import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../domain/container.ts';
import type { Frame } from '../domain/frame.ts';

/** Which run of a container to read. */
export interface RunToRead {
  readonly target: ContainerTarget;
  /** ID of the run (ContainerKey); empty if unknown. */
  readonly containerId: string;
}

/** What the reader of a log provides. */
export interface BackendContext {
  readonly signal: AbortSignal;
  /** Passes a notice to the reader of the view. */
  report(frame: Frame): void;
}

/**
 * Where the bytes of logs come from. Whatever it is, it answers a query as the log API does: lines with their
 * timestamps, in the order in which the runtime wrote them. So readers resume, compare and check the same way.
 */
export interface LogBackend {
  /** What it reads: copies of logs are kept by it. */
  readonly name: string;
  /** Opens the log of a run. Throws what KubeClient throws. */
  open(run: RunToRead, query: LogQuery, context: BackendContext): Promise<LogResponse>;
}
