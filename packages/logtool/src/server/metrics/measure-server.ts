import type { Streams } from '../services.ts';
import { answerMetrics } from './answer-metrics.ts';
import { countRequests } from './count-requests.ts';
import { countStreams } from './count-streams.ts';
import { createServerMetrics } from './server-metrics.ts';

/** Begins to measure a server; what is returned goes to the edges where requests, streams and records pass. */
export function measureServer(version: string) {
  const metrics = createServerMetrics(version);
  return {
    metrics,
    answer: answerMetrics(metrics),
    countRequests: (basePath: string) => countRequests(metrics, basePath),
    countStreams: (streams: Streams) => countStreams(streams, metrics),
  };
}
