import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type ReleaseRef, type Remedy } from '../failures.ts';
import { chartRef } from '../release/chart-ref.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, HISTORY_MAX } from './action.ts';

/** A release as errors name it, with its chart if known. */
interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly chart?: Release['chart'] | undefined;
}

export function releaseRef({ name, namespace, chart }: Named): ReleaseRef {
  return { name, namespace, chart: chart?.metadata.name };
}

/** Returns the error for an action that cannot continue: the state of the release and how to repair it. */
export function cannotGoOn(
  { clock }: Pick<ActionContext, 'clock'>,
  verb: 'install' | 'upgrade',
  history: readonly Release[],
  release: Release,
): CodedError {
  const { status, description, lastDeployed } = release.info;
  const isUnderWay = status.startsWith('pending') || status === 'uninstalling';
  const ageMs = isUnderWay && lastDeployed !== undefined ? clock.now() - Date.parse(lastDeployed) : undefined;
  return helmFailure(isUnderWay ? 'release-in-progress' : 'release-exists', {
    of: 'state',
    verb,
    release: releaseRef(release),
    chart: chartRef(release),
    revision: release.version,
    status,
    description,
    ageMs,
    back: backFrom(release, history),
  });
}

function backFrom(release: Release, history: readonly Release[]): Remedy | undefined {
  switch (release.info.status) {
    case 'pending-upgrade':
      return wayBack(release, lastGood(history));
    case 'pending-rollback':
      return wayBack(release, rolledBackTo(release, history));
    case 'deployed':
    case 'failed':
    case 'pending-install':
    case 'superseded':
    case 'uninstalled':
    case 'uninstalling':
    case 'unknown':
      return undefined;
  }
}

/** Returns the last successful revision, the target of a rollback; undefined if none exists. */
export function lastGood(history: readonly Release[]): Release | undefined {
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  return deployed ?? history.findLast(({ info }) => info.status === 'superseded');
}

/** Returns to the last successful revision, or starts over if there is none. */
export function wayBack(release: Named, good: Release | undefined): Remedy {
  if (good === undefined) return startAnew(release);
  return { kind: 'rollback', release: releaseRef(release), revision: good.version };
}

export function startAnew(release: Named): Remedy {
  return { kind: 'reinstall', release: releaseRef(release) };
}

/** Returns the target of an interrupted rollback, from its description; else the last successful revision. */
function rolledBackTo(release: Release, history: readonly Release[]): Release | undefined {
  const version = Number(/^Rollback to (\d+)$/.exec(release.info.description)?.[1]);
  return history.find((one) => one.version === version) ?? lastGood(history);
}

/** Returns the error that no release has that name. `canInstall`: the user wants it to exist. */
export function noRelease(release: Named, { canInstall = false } = {}): CodedError {
  return helmFailure('release-not-found', { release: releaseRef(release), canInstall });
}

/**
 * Checks that the cluster accepts a namespace name:
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 * @throws CodedError `namespace-name`
 */
export function checkNamespace(namespace: string): void {
  if (namespace.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace)) return;
  throw helmFailure('namespace-name', { namespace }, { exit: 'usage' });
}

/**
 * Checks that Helm accepts a release name: https://github.com/helm/helm/blob/v4.1.4/pkg/chart/v2/util/validate_name.go
 * @throws CodedError `release-name`
 */
export function checkReleaseName(name: string): void {
  if (name.length <= 53 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    return;
  throw helmFailure('release-name', { name }, { exit: 'usage' });
}

/** Returns the revisions to delete to make room for one more, oldest first; never the last deployed one. */
export function surplus(history: readonly Release[], historyMax = HISTORY_MAX): readonly Release[] {
  if (historyMax <= 0) return [];
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  const count = history.length - (historyMax - 1);
  return count <= 0 ? [] : history.filter((release) => release !== deployed).slice(0, count);
}
