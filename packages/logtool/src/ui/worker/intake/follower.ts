import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogQuery, LogRequest, WireBound } from '../../../contract/log-query.ts';
import { markerOfReconnect } from '../../messages/markers.ts';
import type { BufferStatus, ViewPlan } from '../protocol/protocol.ts';
import { viewQuery } from '../protocol/view-query.ts';
import { KIND } from '../store/entry-table.ts';
import type { HeldLog } from '../store/held-log.ts';
import { isClusterAway } from './cluster-away.ts';
import { fitting } from './fit-body.ts';
import { LiveStream } from './live-stream.ts';
import type { EndFrame } from './page-reader.ts';
import { StreamIntake } from './stream-intake.ts';

/** Containers that do not answer within this time are added later, at their position. */
const PATIENCE_MS = 1_000;

export interface FollowerOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly log: HeldLog;
  readonly plan: ViewPlan;
  /** How many lines the view opens with. */
  readonly pageLines: number;
  readonly isResting: boolean;
  readonly nextQuery: () => number;
  /**
   * Called when lines arrive. `count` excludes lines that the view opens with and lines already loaded; `errors` of
   * those that the filters accept are errors.
   */
  readonly onLines: (count: number, errors: number) => void;
  readonly onOpened: () => void;
  readonly onChange: () => void;
  readonly onConnection: (state: BufferStatus['connection']) => void;
  readonly onSignedOut: (error: WireError) => void;
}

/**
 * Opens a view and follows it. After a cut, or when sources are added or removed, it continues where the loaded lines
 * end.
 */
export class Follower {
  readonly #options: FollowerOptions;
  #plan: ViewPlan;
  #stream: LiveStream<LogFrame> | undefined;
  #isOpened = false;
  /** Whether sources were just added: containers that arrive with them did not join. */
  #isAdding = false;
  #cut: { readonly atMs: number; isOfCluster: boolean } | undefined;
  #isResting: boolean;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#plan = options.plan;
    this.#isResting = options.isResting;
  }

  /** Rests while the page is hidden and other tabs need its connection; resumes when the page is visible again. */
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

  /** Reconnects; drops lines that are loaded and arrive again. */
  resume(): void {
    this.#start();
  }

  /** Like `resume`, with added sources. */
  resumeWith(added: readonly string[]): void {
    this.#isAdding = added.length > 0;
    const { edges, store } = this.#options.log;
    // The existing sources begin here; added ones may reach further back, which loads like any older page.
    if (this.#isAdding && edges.older === 'beginning' && this.#plan.from === undefined && store.lines > 0)
      edges.older = { kind: 'strict', at: this.#since() };
    this.#start();
  }

  stop(): void {
    this.#stream?.close();
    this.#stream = undefined;
    this.#options.log.reach.break();
    this.#options.onConnection({ state: 'ended' });
  }

  close(): void {
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Reconnects now; if logtool answers but the cluster does not, requests the cluster's data again. */
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
        if (intake?.isCaughtUp === true) log.reach.heard(clock.now());
        this.#begin();
        if (frames.some(({ type }) => type === 'records'))
          onLines(log.arrived - arrived, log.arrivedErrors - arrivedErrors);
      },
      onConnection: (state) => {
        if (this.#stream !== stream) return;
        // A window that was read to its end is not read again.
        if (state.state === 'reconnecting' && this.#isOpened && !this.#follows) return this.stop();
        if (state.state === 'ended' && !this.#isOpened) this.#opened();
        if (state.state !== 'live') log.reach.break();
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

  /** Adds a row that says how long the connection was lost, once it is restored. */
  #reportCut(connection: BufferStatus['connection']): void {
    const { clock, log } = this.#options;
    // A view that has not opened was not interrupted.
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
    // Records before the lower bound of a range do not belong to this view.
    const hasOlder = !isFromStart && (frame.cut || this.#plan.from === undefined);
    edges.older = hasOlder && prev !== undefined ? { kind: 'cursor', at: prev } : 'beginning';
    // No container that answered has a line: the lines of the others show where the view begins.
    if (unanswered.size > 0 && prev === undefined && frame.live) edges.older = 'unknown';
    edges.newer = frame.cut && isFromStart && next !== undefined ? { kind: 'cursor', at: next } : 'now';
    this.#opened();
    // A window that opened at a time reaches to the present: it continues with arriving lines.
    if (isFromStart && edges.newer === 'now' && this.#follows) queueMicrotask(() => this.resume());
  }

  /** Whether the view is open but has no line yet, and not all containers have answered. */
  get #isUnbegun(): boolean {
    return this.#options.log.edges.older === 'unknown';
  }

  /** Begins the view at the first lines that arrive; earlier ones load as older pages. */
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
    const { from, to } = this.#plan;
    const id = nextQuery();
    if (this.#isOpened && !this.#isUnbegun) return { queries: [this.#resumeQuery(id)] };
    const query: LogQuery = {
      id,
      ...viewQuery(this.#plan),
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
    // Containers without a position are read from `since`; lines that are already held are dropped.
    return {
      id,
      ...viewQuery(this.#plan),
      selection: { kind: 'all' },
      follow: true,
      patienceMs: PATIENCE_MS,
      resume: { since: this.#since(), points: fitting(log.resumePoints()) },
    };
  }

  /** Where to start reading containers that were unknown before: the held part is complete for all of them. */
  #since(): string {
    const { log } = this.#options;
    const { order, table } = log.store;
    const { from } = this.#plan;
    // The range is fully held for the containers that answered: the others are read from its beginning.
    if (from !== undefined && log.edges.older === 'beginning') return plainTime(from);
    for (const entry of order.from({ chunk: 0, offset: 0 })) {
      if (table.kind(entry) === KIND.line) return formatTimestamp(log.store.time(entry));
    }
    return from === undefined ? EPOCH : plainTime(from);
  }
}

/** The time of a bound, without the line count that a cursor adds. */
function plainTime({ at }: WireBound): string {
  return at.replace(/~\d+$/, '');
}

const EPOCH = '1970-01-01T00:00:00Z';
