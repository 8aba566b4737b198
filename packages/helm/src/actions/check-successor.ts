import type { Chart } from '../chart/chart.ts';
import { helmFailure } from '../failures.ts';
import { chartRef } from '../release/chart-ref.ts';
import type { Release } from '../release/release.ts';
import { compareVersions, isVersion, parseVersion } from '../version/version.ts';

/** Limits on the new chart, so that a chart that the user did not name does not replace a release. */
export interface SuccessorOptions {
  /** Accept only versions of the release's own chart. */
  readonly sameChart?: boolean | undefined;
  /** Refuse versions older than that of the release. */
  readonly neverOlder?: boolean | undefined;
}

/**
 * Refuses a chart that may not replace the chart of a release.
 * @throws CodedError `chart-differs` (usage), `chart-older`
 */
export function checkSuccessor(before: Release, chart: Chart, options: SuccessorOptions): void {
  const { name, version } = before.chart.metadata;
  const data = { release: before.name, before: chartRef(before), chart: chartRef({ chart }) };
  if (options.sameChart === true && chart.metadata.name !== name) {
    throw helmFailure('chart-differs', data, { exit: 'usage' });
  }
  if (options.neverOlder === true && isOlder(chart.metadata.version, version)) {
    throw helmFailure('chart-older', data);
  }
}

function isOlder(version: string, than: string): boolean {
  return (
    isVersion(version) && isVersion(than) && compareVersions(parseVersion(version), parseVersion(than)) < 0
  );
}
