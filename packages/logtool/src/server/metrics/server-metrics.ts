import type { RequestReport } from '@logtool/kube/src/transport/wire.ts';
import type { LogRecord } from '../../domain/record.ts';
import { type EventLoopLag, measureEventLoopLag } from './event-loop-lag.ts';
import { exposition, Tally } from './exposition.ts';

/** What the server counts while it runs. No label names a namespace, a person or a cluster. */
export interface ServerMetrics {
  /** A request was answered; `route` is one of routeName. */
  answered(method: string, route: string, status: number): void;
  /** A stream began; the returned function, called once, ends it. */
  streamBegan(kind: string): () => void;
  /** Records were sent to a browser, on the page or as a file. */
  recordsSent(records: readonly LogRecord[]): void;
  /** A cluster answered, or did not. */
  clusterAnswered(report: Pick<RequestReport, 'status' | 'isCancelled'>): void;
  /** All of it in the text format of Prometheus. */
  text(): string;
  close(): void;
}

/** Begins to count. */
export function createServerMetrics(
  version: string,
  lag: EventLoopLag = measureEventLoopLag(),
): ServerMetrics {
  const requests = new Tally();
  const streams = new Tally();
  const openStreams = new Tally();
  const clusterRequests = new Tally();
  const clusterErrors = new Tally();
  let lines = 0;
  let bytes = 0;
  const counter = (name: string, help: string, tally: Tally) =>
    ({ name: `logtool_${name}`, help, type: 'counter', samples: tally.samples }) as const;
  const plain = (value: number) => [{ labels: {}, value }];
  return {
    answered(method, route, status) {
      const known = method === 'GET' || method === 'POST' ? method : 'other';
      requests.add({ method: known, route, status: classOf(status) });
    },
    streamBegan(kind) {
      streams.add({ kind });
      openStreams.add({ kind });
      return () => openStreams.add({ kind }, -1);
    },
    recordsSent(records) {
      lines += records.length;
      for (const { message } of records) bytes += message.length;
    },
    clusterAnswered({ status, isCancelled }) {
      if (isCancelled === true) return;
      clusterRequests.add({ status: status === undefined ? 'none' : classOf(status) });
      const reason = reasonOf(status);
      if (reason !== undefined) clusterErrors.add({ reason });
    },
    text: () =>
      exposition([
        {
          name: 'logtool_build_info',
          help: 'Version of logtool.',
          type: 'gauge',
          samples: [{ labels: { version }, value: 1 }],
        },
        counter('http_requests_total', 'Requests answered, by method, route and class of status.', requests),
        counter('streams_total', 'Streams begun, by kind.', streams),
        {
          name: 'logtool_streams_open',
          help: 'Streams open now, by kind.',
          type: 'gauge',
          samples: openStreams.samples,
        },
        {
          name: 'logtool_log_lines_total',
          help: 'Log records sent to browsers.',
          type: 'counter',
          samples: plain(lines),
        },
        {
          name: 'logtool_log_bytes_total',
          help: 'Bytes of the messages of log records sent to browsers.',
          type: 'counter',
          samples: plain(bytes),
        },
        counter('cluster_requests_total', 'Requests to API servers, by class of status.', clusterRequests),
        counter('cluster_errors_total', 'Requests to API servers that failed, by reason.', clusterErrors),
        {
          name: 'logtool_event_loop_lag_seconds',
          help: 'How late the event loop runs timers, since the last scrape.',
          type: 'gauge',
          samples: lag.take(),
        },
        {
          name: 'process_cpu_seconds_total',
          help: 'CPU time used.',
          type: 'counter',
          samples: plain(cpuSeconds()),
        },
        {
          name: 'process_resident_memory_bytes',
          help: 'Resident memory.',
          type: 'gauge',
          samples: plain(process.memoryUsage.rss()),
        },
      ]),
    close: () => lag.close(),
  };
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
