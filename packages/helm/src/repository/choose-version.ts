import { helmFailure } from '../failures.ts';
import { parseConstraint, satisfies } from '../version/constraint.ts';
import { parseVersion, VersionError } from '../version/version.ts';
import type { IndexEntry, RepositoryIndex } from './read-index.ts';

/**
 * Returns the chart version that Helm would choose: an exact match of the text, else the newest matching one. Without a
 * range, that is the newest one that is not a pre-release; a range that names a pre-release permits others.
 * @throws CodedError `chart-not-found`, `chart-version-not-found`, `bad-version-range` (usage)
 */
export function chooseVersion(
  index: RepositoryIndex,
  repository: string,
  chart: string,
  range = '',
): IndexEntry {
  const versions = index.charts.get(chart);
  if (versions === undefined) {
    throw helmFailure('chart-not-found', { repository, chart });
  }
  const constraint = parseRange(range === '' ? '*' : range);
  const exact = range === '' ? undefined : versions.find(({ metadata }) => metadata.version === range);
  const chosen =
    exact ?? versions.find(({ metadata }) => satisfies(parseVersion(metadata.version), constraint));
  if (chosen !== undefined) return chosen;
  const known = versions.slice(0, 5).map(({ metadata }) => metadata.version);
  const hasMore = versions.length > known.length;
  throw helmFailure('chart-version-not-found', { repository, chart, range, known, hasMore });
}

/** Throws CodedError `bad-version-range` (usage). */
export function parseRange(range: string) {
  try {
    return parseConstraint(range);
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    throw helmFailure('bad-version-range', { range, why: error.message }, { exit: 'usage', cause: error });
  }
}
