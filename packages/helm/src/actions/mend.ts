import type { KubeClient } from '@logtool/kube/src/client.ts';
import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import { chartText } from '../release/chart-text.ts';
import type { Release } from '../release/release.ts';
import { CHART_REPOSITORY } from '../repository/chart-repository.ts';
import { type ActionContext, HISTORY_MAX } from './action.ts';

/** Where commands of logtool are to reach the same cluster. */
type Reached = Pick<KubeClient, 'cluster'>;

/** A release, as a command names it; the chart where it is known. */
interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly chart?: Release['chart'] | undefined;
}

/** Commands that change a release, and want `--any-chart` for one of another chart than logtool's. */
const CHANGING = new Set(['upgrade', 'rollback', 'uninstall']);

/** A command of logtool on a release, to be typed. */
export function command({ cluster }: Reached, verb: string, release: Named): string {
  const { name, namespace } = release;
  const anyChart = CHANGING.has(verb) && isOfOther(release) ? ' --any-chart' : '';
  return `logtool cluster ${verb} --name ${name} -n ${namespace}${anyChart}${cluster.flags ?? ''}`;
}

const isOfOther = ({ chart }: Named) => chart !== undefined && chart.metadata.name !== CHART_REPOSITORY.chart;

/** The upgrade to be typed: of another chart than logtool's own only a person knows where it is. */
export function upgradeCommand(client: Reached, release: Named): string {
  return `${command(client, 'upgrade', release)}${isOfOther(release) ? ' --chart PATH' : ''}`;
}

/** What a release is, and which command goes on from there: for a command that cannot. */
export function cannotGoOn(
  { client, clock }: Pick<ActionContext, 'client' | 'clock'>,
  verb: string,
  history: readonly Release[],
  release: Release,
): LogtoolError {
  const { name, namespace, version } = release;
  const { status, description, lastDeployed } = release.info;
  const next = NEXT[status]?.(client, release, history);
  if (status === 'deployed') {
    return new LogtoolError({
      code: 'release-exists',
      what: `there is a release ${name} in the namespace ${namespace} already`,
      why: `its revision ${version}, of the chart ${chartText(release)}, is deployed`,
      next,
    });
  }
  const isUnderWay = status.startsWith('pending') || status === 'uninstalling';
  const since =
    isUnderWay && lastDeployed !== undefined
      ? `, begun ${age(clock.now() - Date.parse(lastDeployed))} ago`
      : '';
  const state = `revision ${version}${since}`;
  return new LogtoolError({
    code: isUnderWay ? 'release-in-progress' : 'release-exists',
    what: `the release ${name} in the namespace ${namespace} cannot be ${verb} now: it ${status === 'failed' ? 'has failed' : `is ${status}`}`,
    why: description === '' ? state : `${state}: ${description}`,
    next: next ?? `look at it with: ${command(client, 'status', release)}`,
  });
}

/** The last revision that went well, which is what a rollback can go to; undefined: there was none. */
export function lastGood(history: readonly Release[]): Release | undefined {
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  return deployed ?? history.findLast(({ info }) => info.status === 'superseded');
}

/** Going back to the last revision that went well, or starting anew where there is none. */
export function wayBack(client: Reached, release: Named, good: Release | undefined): string {
  if (good === undefined) return startAnew(client, release);
  return `${command(client, 'rollback', release)} --revision ${good.version}`;
}

export function startAnew(client: Reached, release: Named): string {
  return `${command(client, 'uninstall', release)}, then install again`;
}

type Next = (client: Reached, release: Release, history: readonly Release[]) => string;

const NEXT: Readonly<Record<string, Next>> = {
  deployed: (client, release) =>
    `change it with: ${upgradeCommand(client, release)}; or choose another --name`,
  failed: (client, release) =>
    `try again with: ${upgradeCommand(client, release)}; or take it away with: ${command(client, 'uninstall', release)}`,
  uninstalled: (client, release) => `remove what is left of it with: ${startAnew(client, release)}`,
  uninstalling: (client, release) => `finish it with: ${command(client, 'uninstall', release)}`,
  'pending-install': (client, release) =>
    `wait if somebody is installing it right now; if that was cut off: ${startAnew(client, release)}`,
  'pending-upgrade': (client, release, history) =>
    `wait if somebody is upgrading it right now; if that was cut off: ${wayBack(client, release, lastGood(history))}`,
  'pending-rollback': (client, release, history) =>
    `wait if somebody is rolling it back right now; if that was cut off: ${wayBack(client, release, rolledBackTo(release, history))}`,
};

/** Where a rollback was about to go, as it says of itself; else the last revision that went well. */
function rolledBackTo(release: Release, history: readonly Release[]): Release | undefined {
  const version = Number(/^Rollback to (\d+)$/.exec(release.info.description)?.[1]);
  return history.find((one) => one.version === version) ?? lastGood(history);
}

/** There is no release of that name. `canInstall`: the person wants one to be there. */
export function noRelease(
  client: Reached,
  { name, namespace }: Named,
  { canInstall = false } = {},
): LogtoolError {
  const list = `logtool cluster list --all${client.cluster.flags ?? ''}`;
  return new LogtoolError({
    code: 'release-not-found',
    what: `release ${name} does not exist in namespace ${namespace}`,
    next: canInstall
      ? `create it with: ${command(client, 'install', { name, namespace })}; to see what is installed: ${list}`
      : `to see what is installed: ${list}`,
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
