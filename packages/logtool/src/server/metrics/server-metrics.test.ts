import { expect, test } from 'vitest';
import { createServerMetrics } from './server-metrics.ts';

const start = () => createServerMetrics('1.2.3', { take: () => [], close() {} });

test('a request to a cluster that was given up is no error', () => {
  const metrics = start();
  metrics.clusterAnswered({ status: undefined, isCancelled: true });
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
