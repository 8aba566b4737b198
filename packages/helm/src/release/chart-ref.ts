import type { ChartMetadata } from '../chart/chart.ts';
import type { ChartRef } from '../failures.ts';

/** Returns the parts of a chart that errors name. */
export function chartRef({
  chart: { metadata },
}: {
  readonly chart: { readonly metadata: Pick<ChartMetadata, 'name' | 'version'> };
}): ChartRef {
  return { name: metadata.name, version: metadata.version };
}
