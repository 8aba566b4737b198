import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiClient } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { FactsFrame, FactsQuery, WireFact } from '../../../contract/facts.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import { noticeText } from '../../messages/notices.ts';
import { intervalOf } from '../known/missing.ts';
import type { FactsStatus, ViewPlan } from '../protocol/protocol.ts';
import { LiveStream } from './live-stream.ts';

export interface FactStreamOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly plan: ViewPlan;
  readonly isResting: boolean;
  readonly nextQuery: () => number;
  readonly onFacts: (facts: readonly Fact[]) => void;
  /** Called when the stream has delivered all facts that the cluster still has. */
  readonly onRead: () => void;
  readonly onChange: () => void;
  readonly onSignedOut: (error: WireError) => void;
}

type Reading = Pick<FactsStatus, 'state' | 'isStreaming' | 'error' | 'notices' | 'eventsSinceMs'>;

const BEGUN: Reading = {
  state: 'reading',
  isStreaming: true,
  error: undefined,
  notices: [],
  eventsSinceMs: undefined,
};

/**
 * Streams the facts about the sources of a view over its own connection. Like the stream of lines, it reconnects after
 * a cut, and then delivers everything that the cluster has again.
 */
export class FactStream {
  readonly #options: FactStreamOptions;
  readonly #stream: LiveStream<FactsFrame>;
  /** The notices of the current connection; they replace those of an earlier one once all facts are read. */
  #notices: string[] = [];
  reading: Reading = BEGUN;

  constructor(options: FactStreamOptions) {
    this.#options = options;
    const { api, clock, plan, isResting } = options;
    this.#stream = new LiveStream<FactsFrame>({
      clock,
      isResting,
      open: (_, signal) => {
        const body = this.#query();
        this.#notices = [];
        const { context } = plan;
        return {
          queries: [body.id],
          frames: api.stream('POST /contexts/{context}/facts', { params: { context }, body, signal }),
        };
      },
      onFrames: (frames) => {
        for (const frame of frames) this.#take(frame);
        options.onChange();
      },
      onConnection: (connection) => {
        if (connection.state === 'ended') this.#change({ isStreaming: false });
        // Facts that were read stay; the next connection reads on.
        if (connection.state === 'reconnecting' && this.reading.state !== 'read')
          this.#change({ state: 'failed', error: connection.error });
        options.onChange();
      },
      onSignedOut: options.onSignedOut,
      onRefused: (error) => {
        this.#change({ state: 'failed', error, isStreaming: false });
        options.onChange();
      },
    });
    void this.#stream.run();
  }

  rest(isResting: boolean): void {
    this.#stream.rest(isResting);
  }

  retryNow(): void {
    this.#stream.retryNow();
  }

  close(): void {
    this.#stream.close();
  }

  #change(change: Partial<Reading>): void {
    this.reading = { ...this.reading, ...change };
  }

  #query(): FactsQuery {
    const { plan, nextQuery } = this.#options;
    const { from, to } = intervalOf(plan);
    const follows = plan.follow && plan.to === undefined;
    return {
      id: nextQuery(),
      sources: [...plan.sources],
      ...(from === undefined ? {} : { from: formatTimestamp(from) }),
      ...(to === undefined ? {} : { to: formatTimestamp(to) }),
      ...(follows ? { follow: true } : {}),
    };
  }

  #take(frame: FactsFrame): void {
    switch (frame.type) {
      case 'facts':
        this.#options.onFacts(frame.facts.map(factOf));
        return;
      case 'notice':
        // The stream of lines reports sources that fail.
        if (frame.code !== 'source-failed' && OF_FACTS.has(frame.code)) this.#notices.push(noticeText(frame));
        return;
      case 'read': {
        const since = frame.eventsSince === undefined ? undefined : parseTimestamp(frame.eventsSince);
        const eventsSinceMs = since && since.seconds * 1000 + since.nanos / 1e6;
        this.#change({ state: 'read', error: undefined, notices: this.#notices, eventsSinceMs });
        this.#options.onRead();
        return;
      }
      case 'done':
      case 'heartbeat':
      case 'closing':
        return;
      default:
        frame satisfies never;
    }
  }
}

const OF_FACTS: ReadonlySet<string> = new Set([
  'facts-forbidden',
  'facts-unreadable',
  'facts-cut',
  'facts-confined',
]);

/** Converts a wire fact, whose times are texts, to a domain fact. */
function factOf({ at, until, since, ...rest }: WireFact): Fact {
  const time = (text: string) => parseTimestamp(text) ?? { seconds: 0, nanos: 0 };
  return {
    ...rest,
    at: time(at),
    ...(until === undefined ? {} : { until: time(until) }),
    ...(since === undefined ? {} : { since: time(since) }),
  } as Fact;
}
