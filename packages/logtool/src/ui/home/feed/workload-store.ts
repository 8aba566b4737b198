import type { WireError } from '../../contract/error.ts';
import type { Workload, WorkloadFrame } from '../../contract/workload.ts';

export interface Denial {
  readonly namespace: string | undefined;
  readonly error: WireError;
}

/** Where the list stands with the cluster and the server. */
export type FeedState =
  | { readonly state: 'loading' | 'live' }
  /** Asked again and again, for it may not be watched. */
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

/** The list after some frames of the stream. Pure: the old list stays as it was. */
export function applyFrames(
  before: WorkloadList,
  frames: readonly WorkloadFrame[],
  nowMs: number,
): WorkloadList {
  let list = before;
  let rows: Map<string, Workload> | undefined;
  let incoming: Map<string, Workload> | undefined;
  const writable = () => {
    rows ??= new Map(list.workloads);
    return rows;
  };
  for (const frame of frames) {
    switch (frame.type) {
      case 'snapshot': {
        const snapshot = new Map(frame.workloads.map((workload) => [workload.id, workload]));
        if (list.isComplete) incoming = snapshot;
        else rows = snapshot;
        list = { ...list, pods: frame.pods, incoming };
        break;
      }
      case 'more': {
        if (list.incoming !== undefined) incoming ??= new Map(list.incoming);
        const target = incoming ?? writable();
        for (const workload of frame.workloads) target.set(workload.id, workload);
        break;
      }
      case 'synced': {
        if (list.incoming !== undefined) rows = incoming ?? new Map(list.incoming);
        incoming = undefined;
        const feed: FeedState = list.feed.state === 'polling' ? list.feed : { state: 'live' };
        const liveSinceMs = list.liveSinceMs ?? nowMs;
        list = { ...list, isComplete: true, incoming: undefined, feed, liveSinceMs };
        break;
      }
      case 'changes':
        for (const workload of frame.changed) writable().set(workload.id, workload);
        for (const id of frame.removed) writable().delete(id);
        list = { ...list, pods: frame.pods };
        break;
      case 'denied':
        list = { ...list, denied: addDenial(list.denied, frame) };
        break;
      case 'state':
        list = { ...list, ...feedOf(frame, list, nowMs) };
        break;
      case 'heartbeat':
      case 'closing':
        break;
      default:
        // A frame of a later version: what is known goes on.
        frame satisfies never;
    }
  }
  if (incoming !== undefined) list = { ...list, incoming };
  return rows === undefined ? list : { ...list, workloads: rows };
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
