import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Sample } from './exposition.ts';

/** How often the loop is timed, ms. */
const RESOLUTION_MS = 20;
const NANOS = 1e9;

/** How late the event loop runs timers: the measure of what keeps it busy. */
export interface EventLoopLag {
  /** Median, 99th percentile and maximum in seconds since the last call. */
  take(): readonly Sample[];
  close(): void;
}

/** Begins to time the event loop. */
export function measureEventLoopLag(): EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // Node records the time from one timer to the next, the resolution when nothing is late; Bun records the delay only.
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
