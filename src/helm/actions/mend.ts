import type { Clock } from '../../domain/clock.ts';
import { LogtoolError, usageError } from '../../domain/errors.ts';
import type { Release } from '../release/release.ts';
import { HISTORY_MAX } from './action.ts';

/** A command of logtool on a release, to be typed. */
export function command(
  verb: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): string {
  return `logtool cluster ${verb} --name ${name} -n ${namespace}`;
}

/** What a release is, and which command goes on from there: for a command that cannot. */
export function cannotGoOn(
  verb: string,
  history: readonly Release[],
  release: Release,
  clock: Clock,
): LogtoolError {
  const { status, description, lastDeployed } = release.info;
  const since =
    lastDeployed === undefined ? '' : `, begun ${age(clock.now() - Date.parse(lastDeployed))} ago`;
  const state = `revision ${release.version} of the release ${release.name} in the namespace ${release.namespace} is ${status}${since}`;
  return new LogtoolError({
    code:
      status.startsWith('pending') || status === 'uninstalling' ? 'release-in-progress' : 'release-exists',
    what: `the release ${release.name} cannot be ${verb} now: it is ${status}`,
    why: description === '' ? state : `${state}: ${description}`,
    next: NEXT[status]?.(release, history) ?? `look at it with: ${command('status', release)}`,
  });
}

/** The last revision that went well, which is what a rollback can go to; undefined: there was none. */
export function lastGood(history: readonly Release[]): Release | undefined {
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  return deployed ?? history.findLast(({ info }) => info.status === 'superseded');
}

/** Going back to the last revision that went well, or starting anew where there is none. */
function backTo(release: Release, good: Release | undefined): string {
  if (good === undefined) return `${command('uninstall', release)}, then install again`;
  return `${command('rollback', release)} --revision ${good.version}`;
}

const NEXT: Readonly<Record<string, (release: Release, history: readonly Release[]) => string>> = {
  deployed: (release) => `use: ${command('upgrade', release)}`,
  failed: (release) =>
    `try again with: ${command('upgrade', release)}; or take it away with: ${command('uninstall', release)}`,
  uninstalled: (release) => `remove what is left of it with: ${command('uninstall', release)}`,
  uninstalling: (release) => `finish it with: ${command('uninstall', release)}`,
  'pending-install': (release) =>
    `wait if somebody is installing it right now; if that was cut off: ${command('uninstall', release)}, then install again`,
  'pending-upgrade': (release, history) =>
    `wait if somebody is upgrading it right now; if that was cut off: ${backTo(release, lastGood(history))}`,
  'pending-rollback': (release, history) =>
    `wait if somebody is rolling it back right now; if that was cut off: ${backTo(release, rolledBackTo(release, history))}`,
};

/** Where a rollback was about to go, as it says of itself; else the last revision that went well. */
function rolledBackTo(release: Release, history: readonly Release[]): Release | undefined {
  const version = Number(/^Rollback to (\d+)$/.exec(release.info.description)?.[1]);
  return history.find((one) => one.version === version) ?? lastGood(history);
}

/** There is no release of that name. */
export function noRelease(name: string, namespace: string): LogtoolError {
  return new LogtoolError({
    code: 'release-not-found',
    what: `there is no release ${name} in the namespace ${namespace}`,
    next: 'logtool cluster list shows those that are there',
  });
}

/**
 * Names that the cluster takes for a namespace: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 * @throws LogtoolError `namespace-name`
 */
export function checkNamespace(namespace: string): void {
  if (namespace.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace)) return;
  throw usageError({
    code: 'namespace-name',
    what: `${JSON.stringify(namespace)} cannot be the name of a namespace`,
    why: 'a name has at most 63 lower-case letters, digits and "-", and begins and ends with a letter or digit',
    next: 'choose another --namespace',
  });
}

/**
 * Names that Helm takes for a release: https://github.com/helm/helm/blob/v4.1.4/pkg/chart/v2/util/validate_name.go
 * @throws LogtoolError `release-name`
 */
export function checkReleaseName(name: string): void {
  if (name.length <= 53 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    return;
  throw usageError({
    code: 'release-name',
    what: `${JSON.stringify(name)} cannot be the name of a release`,
    why: 'a name has at most 53 lower-case letters, digits, "-" and ".", and begins and ends with a letter or digit',
    next: 'choose another --name',
  });
}

/** The revisions to delete so that one more fits, the oldest first; the last that is deployed is never among them. */
export function surplus(history: readonly Release[], historyMax = HISTORY_MAX): readonly Release[] {
  if (historyMax <= 0) return [];
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  const count = history.length - (historyMax - 1);
  return count <= 0 ? [] : history.filter((release) => release !== deployed).slice(0, count);
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
