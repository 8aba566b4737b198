import type { Workload, WorkloadFrame } from '../../contract/workload.ts';
import type { FrameSource } from '../ndjson/frame-source.ts';
import { line } from '../ndjson/ndjson-answer.ts';
import type { Denial, FeedListener } from './feed-listener.ts';
import type { StateFrame } from './feed-state.ts';
import type { WorkloadFeed } from './workload-feed.ts';
import type { TableChanges } from './workload-table.ts';

/** Maximum rows per line. */
const ROWS = 500;

export interface ViewOptions {
  readonly feed: WorkloadFeed;
  /** Whether rows of a namespace are shown. */
  readonly isWanted: (namespace: string) => boolean;
  /** Namespaces that the page requests by name. */
  readonly namespaces: readonly string[];
  readonly wake: () => void;
  readonly onClose: () => void;
}

/**
 * One tab's view of a feed. Keeps changes that wait for a slow reader as the newest state of each row, so that they
 * never take more memory than the rows themselves.
 */
export class WorkloadView implements FrameSource, FeedListener {
  readonly #options: ViewOptions;
  readonly #waiting: WorkloadFrame[] = [];
  readonly #changed = new Map<string, Workload | undefined>();
  #state: StateFrame | undefined;
  #hasSnapshot = false;
  /** Rows sent before the pods were known. */
  #early: Set<string> | undefined;
  #pods = 0;
  #closed = false;

  constructor(options: ViewOptions) {
    this.#options = options;
    const { feed, namespaces } = options;
    for (const denial of feed.denials) this.#noteDenial(denial);
    if (feed.state.state !== 'live') this.#state = feed.state;
    feed.add(this, namespaces);
    if (feed.isReady) this.#begin();
    else if (feed.isListed) this.#beginEarly();
  }

  get ended(): boolean {
    return this.#closed;
  }

  take(): Uint8Array | undefined {
    const frame = this.#next();
    return frame === undefined ? undefined : line(frame);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.feed.remove(this);
    this.#options.onClose();
  }

  onListed(): void {
    this.#beginEarly();
    this.#options.wake();
  }

  onReady(): void {
    this.#begin();
    this.#options.wake();
  }

  onChanges({ changed, removed }: TableChanges): void {
    const { isWanted, wake } = this.#options;
    for (const row of changed) if (isWanted(row.namespace)) this.#changed.set(row.id, row);
    for (const { id, namespace } of removed) if (isWanted(namespace)) this.#changed.set(id, undefined);
    wake();
  }

  onDenied(denial: Denial): void {
    this.#noteDenial(denial);
    this.#options.wake();
  }

  onState(state: StateFrame): void {
    this.#state = state;
    this.#options.wake();
  }

  #noteDenial({ namespace, error }: Denial): void {
    if (this.#options.isWanted(namespace)) this.#waiting.push({ type: 'denied', namespace, error });
  }

  /** Sends the current rows, and from then on changes. */
  #begin(): void {
    const { feed, isWanted } = this.#options;
    this.#hasSnapshot = true;
    this.#pods = feed.table.pods(isWanted);
    const all = [...feed.table.rows].filter((row) => isWanted(row.namespace));
    // Top-level rows come first: the page is usable while the pods of a big cluster are still arriving.
    const rows = [
      ...all.filter(({ ownerId }) => ownerId === undefined),
      ...all.filter(({ ownerId }) => ownerId !== undefined),
    ];
    if (this.#early === undefined) this.#pushSnapshot(rows);
    else {
      const present = new Set(rows.map(({ id }) => id));
      const removed = [...this.#early].filter((id) => !present.has(id));
      this.#early = undefined;
      this.#waiting.push({ type: 'changes', changed: rows.slice(0, ROWS), removed, pods: this.#pods });
      this.#pushMore(rows);
    }
    this.#waiting.push({ type: 'synced' });
    if (feed.state.state === 'live') this.#state = feed.state;
  }

  /** Sends the top-level rows, so that the page is usable; all of them come again with their pods. */
  #beginEarly(): void {
    const { feed, isWanted } = this.#options;
    const rows = [...feed.table.rows].filter(
      ({ namespace, ownerId, kind }) => ownerId === undefined && kind !== 'pods' && isWanted(namespace),
    );
    if (rows.length === 0) return;
    this.#early = new Set(rows.map(({ id }) => id));
    this.#pushSnapshot(rows);
  }

  #pushSnapshot(rows: readonly Workload[]): void {
    this.#waiting.push({ type: 'snapshot', workloads: rows.slice(0, ROWS), pods: this.#pods });
    this.#pushMore(rows);
  }

  #pushMore(rows: readonly Workload[]): void {
    for (let at = ROWS; at < rows.length; at += ROWS) {
      this.#waiting.push({ type: 'more', workloads: rows.slice(at, at + ROWS) });
    }
  }

  #next(): WorkloadFrame | undefined {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting;
    if (this.#state !== undefined) {
      const { retryInMs: _, ...state } = this.#state;
      this.#state = undefined;
      // The frame shows the remaining time when it is sent.
      const now = this.#options.feed.state;
      return now.state === state.state ? now : state;
    }
    if (!this.#hasSnapshot || this.#changed.size === 0) return undefined;
    const changed: Workload[] = [];
    const removed: string[] = [];
    for (const [id, row] of this.#changed) {
      if (row === undefined) removed.push(id);
      else changed.push(row);
      this.#changed.delete(id);
      if (changed.length + removed.length >= ROWS) break;
    }
    const { feed, isWanted } = this.#options;
    return { type: 'changes', changed, removed, pods: feed.table.pods(isWanted) };
  }
}
