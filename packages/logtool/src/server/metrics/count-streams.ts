import type { Streams } from '../services.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** The same streams, counted. */
export function countStreams(streams: Streams, metrics: Pick<ServerMetrics, 'streamBegan'>): Streams {
  return {
    open(session, kind) {
      const stream = streams.open(session, kind);
      const leave = metrics.streamBegan(kind);
      let isOver = false;
      return {
        signal: stream.signal,
        end() {
          stream.end();
          if (!isOver) leave();
          isOver = true;
        },
      };
    },
  };
}
