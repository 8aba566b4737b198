import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import type { Chart } from '../chart/chart.ts';
import { chartText } from '../release/chart-text.ts';
import type { Release } from '../release/release.ts';
import { compareVersions, isVersion, parseVersion } from '../version/version.ts';

/** What nobody asked for by its name must not come over a release. */
export interface SuccessorOptions {
  /** Only versions of the chart that the release is of. */
  readonly sameChart?: boolean | undefined;
  /** No version that is older than that of the release. */
  readonly neverOlder?: boolean | undefined;
}

/**
 * Refuses a chart that may not take the place of a release's.
 * @throws LogtoolError `chart-differs` (usage), `chart-older`
 */
export function checkSuccessor(before: Release, chart: Chart, options: SuccessorOptions): void {
  const { name, version } = before.chart.metadata;
  if (options.sameChart === true && chart.metadata.name !== name) {
    throw usageError({
      code: 'chart-differs',
      what: `the release ${before.name} is of the chart ${name}, not of ${chart.metadata.name}`,
      why: `without --chart it would be upgraded to ${chartText({ chart })}`,
      next: 'name its chart with --chart',
    });
  }
  if (options.neverOlder === true && isOlder(chart.metadata.version, version)) {
    throw new LogtoolError({
      code: 'chart-older',
      what: `the release ${before.name} is of a newer chart than the newest that is known here`,
      why: `it is of ${chartText(before)}, and this one is ${chartText({ chart })}`,
      next: `check that the repository is added and up to date (logtool cluster repo add, then update), or install the older chart on purpose with --version ${chart.metadata.version}`,
    });
  }
}

function isOlder(version: string, than: string): boolean {
  return (
    isVersion(version) && isVersion(than) && compareVersions(parseVersion(version), parseVersion(than)) < 0
  );
}
