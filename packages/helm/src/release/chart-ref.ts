import type { ChartMetadata } from '../chart/chart.ts';
import type { ChartRef } from '../failures.ts';

/** What errors name of a chart. */
export function chartRef({
  chart: { metadata },
}: {
  readonly chart: { readonly metadata: Pick<ChartMetadata, 'name' | 'version'> };
}): ChartRef {
  return { name: metadata.name, version: metadata.version };
}
