import type { WireError } from '../../../contract/error.ts';
import type { Workload, WorkloadFrame } from '../../../contract/workload.ts';

export interface Denial {
  readonly namespace: string | undefined;
  readonly error: WireError;
}

/** State of the connection to the server and the cluster. */
export type FeedState =
  | { readonly state: 'loading' | 'live' }
  /** Polled, because watching is denied. */
  | { readonly state: 'polling' }
  /** `server`: logtool itself does not answer; `cluster`: the cluster does not answer. */
  | {
      readonly state: 'retrying';
      readonly who: 'server' | 'cluster';
      readonly error: WireError | undefined;
      readonly retryAtMs: number | undefined;
    }
  | { readonly state: 'failed'; readonly error: WireError | undefined };

/**
 * An immutable state of the list: any change makes a new object, and a changed row makes a new `workloads`
 * map.
 */
export interface WorkloadList {
  readonly workloads: ReadonlyMap<string, Workload>;
  readonly pods: number;
  /** A complete snapshot has arrived: the list shows the whole cluster. */
  readonly isComplete: boolean;
  /** A later snapshot that is still arriving; once complete, it replaces the rows. */
  readonly incoming: ReadonlyMap<string, Workload> | undefined;
  readonly denied: readonly Denial[];
  readonly feed: FeedState;
  /** When changes started to arrive, ms since the epoch. */
  readonly liveSinceMs: number | undefined;
}

export const EMPTY_LIST: WorkloadList = {
  workloads: new Map(),
  pods: 0,
  isComplete: false,
  incoming: undefined,
  denied: [],
  feed: { state: 'loading' },
  liveSinceMs: undefined,
};

/** Returns the list after some frames of the stream. Pure: does not change the old list. */
export function applyFrames(
  before: WorkloadList,
  frames: readonly WorkloadFrame[],
  nowMs: number,
): WorkloadList {
  const draft = new ListDraft(before);
  for (const frame of frames) draft.take(frame, nowMs);
  return draft.list();
}

/** A list under change. Copies each map at its first change, so that a frame does not copy 10,000 rows. */
class ListDraft {
  #list: WorkloadList;
  /** The rows, if changed. */
  #rows: Map<string, Workload> | undefined;
  /** The later snapshot, if changed. */
  #incoming: Map<string, Workload> | undefined;

  constructor(before: WorkloadList) {
    this.#list = before;
  }

  take(frame: WorkloadFrame, nowMs: number): void {
    switch (frame.type) {
      case 'snapshot':
        this.#startSnapshot(frame.workloads, frame.pods);
        return;
      case 'more':
        this.#takeMore(frame.workloads);
        return;
      case 'synced':
        this.#endSnapshot(nowMs);
        return;
      case 'changes':
        for (const workload of frame.changed) this.#writableRows().set(workload.id, workload);
        for (const id of frame.removed) this.#writableRows().delete(id);
        this.#list = { ...this.#list, pods: frame.pods };
        return;
      case 'denied':
        this.#list = { ...this.#list, denied: addDenial(this.#list.denied, frame) };
        return;
      case 'state':
        this.#list = { ...this.#list, ...feedOf(frame, this.#list, nowMs) };
        return;
      case 'heartbeat':
      case 'closing':
        return;
      default:
        // A frame of a newer version: ignore it.
        frame satisfies never;
    }
  }

  list(): WorkloadList {
    const { incoming, workloads } = this.#list;
    // Return the same object if nothing changed.
    if (this.#incoming === undefined && this.#rows === undefined) return this.#list;
    return {
      ...this.#list,
      incoming: this.#incoming ?? incoming,
      workloads: this.#rows ?? workloads,
    };
  }

  #startSnapshot(workloads: readonly Workload[], pods: number): void {
    const snapshot = new Map(workloads.map((workload) => [workload.id, workload]));
    if (this.#list.isComplete) this.#incoming = snapshot;
    else this.#rows = snapshot;
    this.#list = { ...this.#list, pods, incoming: this.#incoming };
  }

  #takeMore(workloads: readonly Workload[]): void {
    if (this.#list.incoming !== undefined) this.#incoming ??= new Map(this.#list.incoming);
    const target = this.#incoming ?? this.#writableRows();
    for (const workload of workloads) target.set(workload.id, workload);
  }

  #endSnapshot(nowMs: number): void {
    const list = this.#list;
    if (list.incoming !== undefined) this.#rows = this.#incoming ?? new Map(list.incoming);
    this.#incoming = undefined;
    const feed: FeedState = list.feed.state === 'polling' ? list.feed : { state: 'live' };
    const liveSinceMs = list.liveSinceMs ?? nowMs;
    this.#list = { ...list, isComplete: true, incoming: undefined, feed, liveSinceMs };
  }

  #writableRows(): Map<string, Workload> {
    this.#rows ??= new Map(this.#list.workloads);
    return this.#rows;
  }
}

function addDenial(
  denied: readonly Denial[],
  frame: { readonly namespace?: string | undefined; readonly error: WireError },
): readonly Denial[] {
  const same = (other: Denial) =>
    other.namespace === frame.namespace && other.error.denied?.resource === frame.error.denied?.resource;
  return [...denied.filter((other) => !same(other)), { namespace: frame.namespace, error: frame.error }];
}

function feedOf(
  frame: Extract<WorkloadFrame, { type: 'state' }>,
  list: WorkloadList,
  nowMs: number,
): Pick<WorkloadList, 'feed' | 'liveSinceMs'> {
  switch (frame.state) {
    case 'live':
    case 'polling':
      return { feed: { state: frame.state }, liveSinceMs: list.liveSinceMs ?? nowMs };
    case 'retrying': {
      const retryAtMs = frame.retryInMs === undefined ? undefined : nowMs + frame.retryInMs;
      return {
        feed: { state: 'retrying', who: 'cluster', error: frame.error, retryAtMs },
        liveSinceMs: undefined,
      };
    }
    case 'failed':
      return { feed: { state: 'failed', error: frame.error }, liveSinceMs: undefined };
  }
}
