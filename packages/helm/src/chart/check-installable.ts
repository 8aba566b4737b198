import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { parseConstraint, satisfies } from '../version/constraint.ts';
import { parseVersion, VersionError } from '../version/version.ts';
import type { Chart } from './chart.ts';

/** Helm 4 knows v3 too, and does not install it yet; Helm 3 takes whatever stands there. */
const API_VERSIONS = ['v1', 'v2'];

/**
 * Refuses a chart that can be no release on the cluster, before anything is rendered: one of an apiVersion that is not
 * known (that of a sub-chart does not matter, as in Helm 4), a library, one whose listed dependencies are missing, one for other versions of Kubernetes (`kubeVersion`, as the cluster tells it; a vendor's
 * suffix does not count, as in Helm 4).
 * @throws LogtoolError `chart-not-installable`, worded as Helm's errors
 */
export function checkInstallable(chart: Chart, kubeVersion: string): void {
  const { name, apiVersion, type = '', kubeVersion: wanted = '', dependencies = [] } = chart.metadata;
  if (!API_VERSIONS.includes(apiVersion)) {
    throw notInstallable(
      `unsupported chart version: its apiVersion is ${JSON.stringify(apiVersion)}`,
      `choose a chart whose apiVersion is ${API_VERSIONS.join(' or ')}`,
    );
  }
  if (type !== '' && type !== 'application') {
    throw notInstallable(`${type} charts are not installable`, `install a chart that uses ${name}`);
  }
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name));
  const missing = dependencies.map((one) => one.name).filter((one) => !present.has(one));
  if (missing.length > 0) {
    const why = `found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`;
    throw notInstallable(why, 'put these charts into charts/, or package the chart together with them');
  }
  if (wanted !== '' && !runsOn(wanted, kubeVersion)) {
    throw notInstallable(
      `chart requires kubeVersion: ${wanted} which is incompatible with Kubernetes ${kubeVersion}`,
      'choose a version of the chart that is made for this cluster',
    );
  }
}

function runsOn(wanted: string, kubeVersion: string): boolean {
  const numbers = /^v?\d+(?:\.\d+)*/.exec(kubeVersion)?.[0] ?? kubeVersion;
  try {
    return satisfies(parseVersion(numbers), parseConstraint(wanted));
  } catch (error) {
    if (error instanceof VersionError) return false;
    throw error;
  }
}

function notInstallable(why: string, next: string): LogtoolError {
  return new LogtoolError({
    code: 'chart-not-installable',
    what: 'the chart cannot be installed',
    why,
    next,
  });
}
