import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestReport } from '@logtool/kube/src/transport/wire.ts';
import type { LogRecord } from '../../domain/record.ts';
import { exposition, type Family, type Sample, Tally } from './exposition.ts';

/** Sampling interval of the event loop, ms. */
const RESOLUTION_MS = 20;

const NANOS = 1e9;

/** How late the event loop runs timers: a measure of its load. */
interface EventLoopLag {
  /** Returns median, 99th percentile and maximum in seconds since the last call. */
  take(): readonly Sample[];
  close(): void;
}

/** Counters of a running server. No label names a namespace, a person or a cluster. */
export interface ServerMetrics {
  /** Counts an answered request; `route` is a result of routeName. */
  answered(method: string, route: string, status: number): void;
  /** Counts a stream; the returned function, called once, ends it. */
  streamBegan(kind: string): () => void;
  /** Counts records sent to a browser, on the page or as a file. */
  recordsSent(records: readonly LogRecord[]): void;
  /** Counts a cluster's answer, or the lack of one. */
  clusterAnswered(report: Pick<RequestReport, 'status' | 'isCanceled'>): void;
  /** Returns all counters in the text format of Prometheus. */
  text(): string;
  close(): void;
}

/** The current counts. */
interface Counts {
  readonly requests: Tally;
  readonly streams: Tally;
  readonly openStreams: Tally;
  readonly clusterRequests: Tally;
  readonly clusterErrors: Tally;
  lines: number;
  bytes: number;
}

/** Starts counting. */
export function createServerMetrics(
  version: string,
  lag: EventLoopLag = measureEventLoopLag(),
): ServerMetrics {
  const counts: Counts = {
    requests: new Tally(),
    streams: new Tally(),
    openStreams: new Tally(),
    clusterRequests: new Tally(),
    clusterErrors: new Tally(),
    lines: 0,
    bytes: 0,
  };
  return {
    answered(method, route, status) {
      const known = method === 'GET' || method === 'POST' ? method : 'other';
      counts.requests.add({ method: known, route, status: classOf(status) });
    },

    streamBegan(kind) {
      counts.streams.add({ kind });
      counts.openStreams.add({ kind });
      return () => counts.openStreams.add({ kind }, -1);
    },

    recordsSent(records) {
      counts.lines += records.length;
      for (const { message } of records) counts.bytes += message.length;
    },

    clusterAnswered({ status, isCanceled }) {
      if (isCanceled === true) return;
      counts.clusterRequests.add({ status: status === undefined ? 'none' : classOf(status) });
      const reason = reasonOf(status);
      if (reason !== undefined) counts.clusterErrors.add({ reason });
    },
    text: () => exposition(familiesOf(version, counts, lag)),
    close: () => lag.close(),
  };
}

/** Returns each family of the exposition: type, name, help, samples. */
function familiesOf(version: string, counts: Counts, lag: EventLoopLag): readonly Family[] {
  const only = (value: number) => [{ labels: {}, value }];
  const { requests, streams, openStreams, clusterRequests, clusterErrors, lines, bytes } = counts;
  const rows: readonly (readonly [Family['type'], string, string, Family['samples']])[] = [
    ['gauge', 'logtool_build_info', 'Version of logtool.', [{ labels: { version }, value: 1 }]],
    [
      'counter',
      'logtool_http_requests_total',
      'Requests answered, by method, route and class of status.',
      requests.samples,
    ],
    ['counter', 'logtool_streams_total', 'Streams begun, by kind.', streams.samples],
    ['gauge', 'logtool_streams_open', 'Streams open now, by kind.', openStreams.samples],
    ['counter', 'logtool_log_lines_total', 'Log records sent to browsers.', only(lines)],
    [
      'counter',
      'logtool_log_bytes_total',
      'Bytes of the messages of log records sent to browsers.',
      only(bytes),
    ],
    [
      'counter',
      'logtool_cluster_requests_total',
      'Requests to API servers, by class of status.',
      clusterRequests.samples,
    ],
    [
      'counter',
      'logtool_cluster_errors_total',
      'Requests to API servers that failed, by reason.',
      clusterErrors.samples,
    ],
    [
      'gauge',
      'logtool_event_loop_lag_seconds',
      'How late the event loop runs timers, since the last scrape.',
      lag.take(),
    ],
    ['counter', 'process_cpu_seconds_total', 'CPU time used.', only(cpuSeconds())],
    ['gauge', 'process_resident_memory_bytes', 'Resident memory.', only(process.memoryUsage.rss())],
  ];
  return rows.map(([type, name, help, samples]) => ({ type, name, help, samples }));
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Undefined: no error. */
function reasonOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'no_answer';
  if (status < 400) return undefined;
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 429:
      return 'too_many_requests';
    default:
      return status < 500 ? 'client_error' : 'server_error';
  }
}

/** Starts timing the event loop. */
export function measureEventLoopLag(): EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // Node records the time between two timers, which is the resolution if nothing is late; Bun records only the delay.
  const baseSeconds = process.versions.bun === undefined ? RESOLUTION_MS / 1_000 : 0;
  const lag = (nanos: number) => Math.max(0, nanos / NANOS - baseSeconds) || 0;
  return {
    take() {
      const samples = [
        { labels: { quantile: '0.5' }, value: lag(delays.percentile(50)) },
        { labels: { quantile: '0.99' }, value: lag(delays.percentile(99)) },
        { labels: { quantile: '1' }, value: lag(delays.max) },
      ];
      delays.reset();
      return samples;
    },
    close: () => void delays.disable(),
  };
}
