import type { WireError } from '../../../contract/error.ts';
import type { Workload, WorkloadFrame } from '../../../contract/workload.ts';

export interface Denial {
  readonly namespace: string | undefined;
  readonly error: WireError;
}

/** Where the list stands with the cluster and the server. */
export type FeedState =
  | { readonly state: 'loading' | 'live' }
  /** Polled, because watching is not allowed. */
  | { readonly state: 'polling' }
  /** `server`: logtool itself does not answer; `cluster`: the cluster does not. */
  | {
      readonly state: 'retrying';
      readonly who: 'server' | 'cluster';
      readonly error: WireError | undefined;
      readonly retryAtMs: number | undefined;
    }
  | { readonly state: 'failed'; readonly error: WireError | undefined };

/** One state of the list. A new object whenever anything changed; `workloads` is a new map whenever a row did. */
export interface WorkloadList {
  readonly workloads: ReadonlyMap<string, Workload>;
  readonly pods: number;
  /** A snapshot was complete once: what is shown is the cluster, not a part of it. */
  readonly isComplete: boolean;
  /** A later snapshot that is still coming: it takes the place of the rows when it is whole. */
  readonly incoming: ReadonlyMap<string, Workload> | undefined;
  readonly denied: readonly Denial[];
  readonly feed: FeedState;
  /** Since when changes arrive, ms since the epoch. */
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

/** The list after some frames of the stream. Pure: does not change the old list. */
export function applyFrames(
  before: WorkloadList,
  frames: readonly WorkloadFrame[],
  nowMs: number,
): WorkloadList {
  const draft = new ListDraft(before);
  for (const frame of frames) draft.take(frame, nowMs);
  return draft.list();
}

/** A list while frames change it. Its maps are copied at the first change: 10,000 rows are not copied with each frame. */
class ListDraft {
  #list: WorkloadList;
  /** The rows, where they changed. */
  #rows: Map<string, Workload> | undefined;
  /** A later snapshot, where it changed. */
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
        // A frame of a later version: keep what is known.
        frame satisfies never;
    }
  }

  list(): WorkloadList {
    const { incoming, workloads } = this.#list;
    // The same object if nothing changed.
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
