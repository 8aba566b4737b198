import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';
import { parseConstraint, satisfies } from '../version/constraint.ts';
import { parseVersion, VersionError } from '../version/version.ts';
import type { Chart } from './chart.ts';

/** Helm 4 knows v3 but does not install it yet; Helm 3 accepts any value. */
const API_VERSIONS = ['v1', 'v2'];

/**
 * Refuses a chart that cannot become a release on the cluster, before rendering: an unknown apiVersion (except in a
 * sub-chart, as in Helm 4), a library, missing listed dependencies, or an unsupported Kubernetes version (compares
 * `kubeVersion` with the cluster's and ignores a vendor's suffix, as Helm 4 does).
 * @throws CodedError `chart-not-installable`, worded as Helm's errors
 */
export function checkInstallable(chart: Chart, kubeVersion: string): void {
  const { name, apiVersion, type = '', kubeVersion: wanted = '', dependencies = [] } = chart.metadata;
  if (!API_VERSIONS.includes(apiVersion)) {
    throw notInstallable({ problem: 'api-version', apiVersion, known: API_VERSIONS });
  }
  if (type !== '' && type !== 'application') {
    throw notInstallable({ problem: 'type', type, name });
  }
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name));
  const missing = dependencies.map((one) => one.name).filter((one) => !present.has(one));
  if (missing.length > 0) {
    throw notInstallable({ problem: 'dependencies', missing });
  }
  if (wanted !== '' && !runsOn(wanted, kubeVersion)) {
    throw notInstallable({ problem: 'kube-version', wanted, kubeVersion });
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

function notInstallable(data: HelmFailures['chart-not-installable']): CodedError {
  return helmFailure('chart-not-installable', data);
}
