import { usageError } from '@logtool/kube/src/values/errors.ts';
import { chartText } from '../release/chart-text.ts';
import type { Release } from '../release/release.ts';

/**
 * Refuses a release of another chart than the one that commands are meant for.
 * @throws LogtoolError `other-chart` (usage)
 */
export function checkChart(
  verb: 'upgrade' | 'rollback' | 'uninstall',
  release: Release,
  onlyChart: string | undefined,
): void {
  if (onlyChart === undefined || release.chart.metadata.name === onlyChart) return;
  const { name, namespace } = release;
  throw usageError({
    code: 'other-chart',
    what: `the release ${name} in the namespace ${namespace} is of the chart ${chartText(release)}, not of ${onlyChart}`,
    why: `without --any-chart, ${verb} changes only releases of ${onlyChart}; nothing was changed`,
    next: `to ${verb} it anyway, add --any-chart to the same command`,
  });
}
