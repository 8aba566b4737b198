import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogQuery, LogRequest, WireBound } from '../../../contract/log-query.ts';
import { markerOfReconnect } from '../../messages/markers.ts';
import type { BufferStatus, ViewPlan } from '../session/protocol.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { isClusterAway } from './cluster-away.ts';
import { fitting } from './fit-body.ts';
import { LiveStream } from './live-stream.ts';
import type { EndFrame } from './page-reader.ts';
import { StreamIntake } from './stream-intake.ts';

/** Containers that have not answered after so long come later, at their place. */
const PATIENCE_MS = 1_000;

export interface FollowerOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly log: HeldLog;
  readonly plan: ViewPlan;
  /** Lines that the view opens with. */
  readonly pageLines: number;
  readonly isResting: boolean;
  readonly nextQuery: () => number;
  /**
   * Lines came; this many of them are new: neither what the view opens with, nor already loaded. Of those that the
   * filters let through, this many are errors.
   */
  readonly onLines: (count: number, errors: number) => void;
  readonly onOpened: () => void;
  readonly onChange: () => void;
  readonly onConnection: (state: BufferStatus['connection']) => void;
  readonly onSignedOut: (error: WireError) => void;
}

/**
 * Opens a view and follows it. After a cut, or when sources come or go, it continues where the loaded lines
 * end.
 */
export class Follower {
  readonly #options: FollowerOptions;
  #plan: ViewPlan;
  #stream: LiveStream<LogFrame> | undefined;
  #isOpened = false;
  /** Containers that come with sources that were added did not join. */
  #isAdding = false;
  #cut: { readonly atMs: number; isOfCluster: boolean } | undefined;
  #isResting: boolean;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#plan = options.plan;
    this.#isResting = options.isResting;
  }

  /** The page is hidden, and other tabs need its connection; or it is visible again. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.#stream?.rest(isResting);
  }

  setPlan(plan: ViewPlan): void {
    this.#plan = plan;
  }

  open(): void {
    this.#start();
  }

  /** Reconnects; drops lines that are loaded and come again. */
  resume(): void {
    this.#start();
  }

  /** As `resume`, with sources that were not there. */
  resumeWith(added: readonly string[]): void {
    this.#isAdding = added.length > 0;
    const { edges, store } = this.#options.log;
    // Present sources begin here; added ones may reach back further, and load like any older page.
    if (this.#isAdding && edges.older === 'beginning' && this.#plan.from === undefined && store.lines > 0)
      edges.older = { kind: 'strict', at: this.#since() };
    this.#start();
  }

  stop(): void {
    this.#stream?.close();
    this.#stream = undefined;
    this.#options.onConnection({ state: 'ended' });
  }

  close(): void {
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Connects now; if logtool answers and the cluster does not, asks it again for its data. */
  retryNow(): void {
    if (this.#stream === undefined || this.#stream.retryNow()) return;
    if (this.#isOpened && this.#follows) this.resume();
  }

  get #follows(): boolean {
    return this.#plan.follow && this.#plan.to === undefined;
  }

  get #opensAtStart(): boolean {
    return this.#plan.from !== undefined && this.#plan.opensAt !== 'end';
  }

  #start(): void {
    this.#stream?.close();
    const { log, api, clock, onChange, onConnection, onSignedOut, onLines } = this.#options;
    let intake: StreamIntake | undefined;
    const { context } = this.#plan;
    const stream = new LiveStream<LogFrame>({
      clock,
      isResting: this.#isResting,
      open: (_, signal) => {
        log.expectOverlap();
        intake = this.#makeIntake();
        const body = this.#request();
        return {
          queries: body.queries.map(({ id }) => id),
          frames: api.stream('POST /contexts/{context}/logs', { params: { context }, body, signal }),
        };
      },
      onFrames: (frames) => {
        if (this.#stream !== stream) return;
        const { arrived, arrivedErrors } = log;
        log.isOpening = !this.#isOpened || this.#isAdding;
        intake?.take(frames);
        this.#begin();
        if (frames.some(({ type }) => type === 'records'))
          onLines(log.arrived - arrived, log.arrivedErrors - arrivedErrors);
      },
      onConnection: (state) => {
        if (this.#stream !== stream) return;
        // A window that was read whole is not read again.
        if (state.state === 'reconnecting' && this.#isOpened && !this.#follows) return this.stop();
        if (state.state === 'ended' && !this.#isOpened) this.#opened();
        this.#reportCut(state);
        onConnection(state);
      },
      onSignedOut,
      onRefused: (error) => {
        log.problems.set('stream', { key: 'stream', error, source: undefined });
        this.#opened();
        onChange();
      },
    });
    this.#stream = stream;
    void stream.run();
  }

  #makeIntake(): StreamIntake {
    const { clock, log, onChange } = this.#options;
    return new StreamIntake(log, {
      clock,
      isOpened: () => this.#isOpened && !this.#isAdding,
      onChange,
      onEnd: (frame) => this.#takeEnd(frame),
    });
  }

  /** A row says how long the connection was lost, once it is restored. */
  #reportCut(connection: BufferStatus['connection']): void {
    const { clock, log } = this.#options;
    // Nothing was interrupted of what has not begun.
    if (!this.#isOpened) return;
    if (connection.state === 'reconnecting') {
      this.#cut ??= { atMs: clock.now(), isOfCluster: false };
      if (isClusterAway(connection.error?.code)) this.#cut.isOfCluster = true;
    }
    if (connection.state !== 'live' || this.#cut === undefined) return;
    const seconds = (clock.now() - this.#cut.atMs) / 1000;
    const to = this.#cut.isOfCluster ? 'the cluster' : 'logtool';
    this.#cut = undefined;
    log.mark(markerOfReconnect(to, seconds));
  }

  #takeEnd(frame: EndFrame): void {
    this.#isAdding = false;
    if (this.#isOpened && !this.#isUnbegun) return;
    const { edges, unanswered } = this.#options.log;
    const isFromStart = this.#opensAtStart;
    const { prev, next } = frame;
    // Records before a range that has a lower bound are not of this view.
    const hasOlder = !isFromStart && (frame.cut || this.#plan.from === undefined);
    edges.older = hasOlder && prev !== undefined ? { kind: 'cursor', at: prev } : 'beginning';
    // None of those that answered has a line: the others' lines show where the view begins.
    if (unanswered.size > 0 && prev === undefined && frame.live) edges.older = 'unknown';
    edges.newer = frame.cut && isFromStart && next !== undefined ? { kind: 'cursor', at: next } : 'now';
    this.#opened();
    // The window that opened at a time reaches to now: it continues with arriving lines.
    if (isFromStart && edges.newer === 'now' && this.#follows) queueMicrotask(() => this.resume());
  }

  /** The view is open, but has no line yet, and not all have answered. */
  get #isUnbegun(): boolean {
    return this.#options.log.edges.older === 'unknown';
  }

  /** It begins with the first lines that come; those before them are loaded as older ones. */
  #begin(): void {
    const { edges, store } = this.#options.log;
    if (this.#isOpened && this.#isUnbegun && store.lines > 0)
      edges.older = { kind: 'strict', at: this.#since() };
  }

  #opened(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    this.#options.onOpened();
  }

  #request(): LogRequest {
    const { nextQuery, pageLines } = this.#options;
    const { context: _, sources, from, to } = this.#plan;
    const id = nextQuery();
    if (this.#isOpened && !this.#isUnbegun) return { queries: [this.#resumeQuery(id)] };
    const query: LogQuery = {
      id,
      sources: [...sources],
      selection: { kind: this.#opensAtStart ? 'head' : 'tail', count: pageLines },
      from,
      to,
      follow: this.#follows && !this.#opensAtStart,
      patienceMs: PATIENCE_MS,
    };
    return { queries: [query] };
  }

  #resumeQuery(id: number): LogQuery {
    const { log } = this.#options;
    // Containers without a point are read from `since` on: what is held of them is dropped.
    return {
      id,
      sources: [...this.#plan.sources],
      selection: { kind: 'all' },
      follow: true,
      patienceMs: PATIENCE_MS,
      resume: { since: this.#since(), points: fitting(log.resumePoints()) },
    };
  }

  /** From where containers are read that were not known yet: the held part is complete for all of them. */
  #since(): string {
    const { log } = this.#options;
    const { order, table } = log.store;
    const { from } = this.#plan;
    // All of the range is held of those that have answered: of the others it is read from its beginning on.
    if (from !== undefined && log.edges.older === 'beginning') return plainTime(from);
    for (const entry of order.from({ chunk: 0, offset: 0 })) {
      if (table.kind(entry) === KIND.line) return formatTimestamp(log.store.time(entry));
    }
    return from === undefined ? EPOCH : plainTime(from);
  }
}

/** Without the number of lines after it, which a cursor has. */
function plainTime({ at }: WireBound): string {
  return at.replace(/~\d+$/, '');
}

const EPOCH = '1970-01-01T00:00:00Z';
