import type { ChartMetadata } from '../chart/chart.ts';

/** Returns e.g. `logtool-0.1.0`. */
export function chartText({
  chart: { metadata },
}: {
  readonly chart: { readonly metadata: Pick<ChartMetadata, 'name' | 'version'> };
}): string {
  return `${metadata.name}-${metadata.version}`;
}
