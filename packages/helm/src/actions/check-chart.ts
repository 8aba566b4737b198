import { helmFailure } from '../failures.ts';
import { chartRef } from '../release/chart-ref.ts';
import type { Release } from '../release/release.ts';

/**
 * Refuses a release of another chart than `onlyChart`.
 * @throws CodedError `other-chart` (usage)
 */
export function checkChart(
  verb: 'upgrade' | 'rollback' | 'uninstall',
  release: Release,
  onlyChart: string | undefined,
): void {
  if (onlyChart === undefined || release.chart.metadata.name === onlyChart) return;
  const { name, namespace } = release;
  const data = { verb, release: { name, namespace }, chart: chartRef(release), only: onlyChart };
  throw helmFailure('other-chart', data, { exit: 'usage' });
}
