import { expect, onTestFinished, test } from 'vitest';
import { createServerMetrics, measureEventLoopLag } from './server-metrics.ts';

const start = () => createServerMetrics('1.2.3', { take: () => [], close() {} });

test('a request to a cluster that was given up is no error', () => {
  const metrics = start();
  metrics.clusterAnswered({ status: undefined, isCanceled: true });
  expect(metrics.text()).not.toContain('logtool_cluster_errors_total{');
  metrics.clusterAnswered({ status: undefined });
  expect(metrics.text()).toContain('logtool_cluster_errors_total{reason="no_answer"} 1\n');
});

test.each([
  [200, undefined],
  [304, undefined],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [410, 'client_error'],
  [429, 'too_many_requests'],
  [500, 'server_error'],
  [503, 'server_error'],
])('of a cluster, status %i counts as the error %s', (status, reason) => {
  const metrics = start();
  metrics.clusterAnswered({ status });
  expect(/logtool_cluster_errors_total\{reason="(\w+)"\} 1/.exec(metrics.text())?.[1]).toBe(reason);
});

test('the version and the process metrics exist from the start', () => {
  const text = start().text();
  expect(text).toContain('logtool_build_info{version="1.2.3"} 1\n');
  expect(text).toMatch(/^process_resident_memory_bytes \d{6,}$/m);
  expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  expect(text).toContain('logtool_log_lines_total 0\n');
});

const BLOCKED_MS = 200;
/** The monitor samples the loop every 20 ms: blocked time may count this much less, but never more. */
const MIN_SECONDS = (BLOCKED_MS - 25) / 1_000;

const timers = () => new Promise((resolve) => setTimeout(resolve, 60));

test('what blocks the event loop shows, until it was taken', async () => {
  const lag = measureEventLoopLag();
  onTestFinished(() => lag.close());
  await timers();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  await timers();
  const samples = lag.take();
  expect(samples.map(({ labels }) => labels.quantile)).toEqual(['0.5', '0.99', '1']);
  expect(samples.at(-1)?.value).toBeGreaterThan(MIN_SECONDS);
  // No samples since the last call.
  expect(lag.take().map(({ value }) => value)).toEqual([0, 0, 0]);
});
